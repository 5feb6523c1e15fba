package dataset

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

const (
	unknownMemory = 8 << 30 // number of bytes assumed if the system does not report the memory
	perValue      = 20      // number of bytes per number while a column grows
)

// memoryLimit returns how many bytes a table may use: the given limit, or a quarter of the
// available memory if none is given.
func memoryLimit(given int64) int64 {
	if given > 0 {
		return given
	}
	return available() / 4
}

// available returns the free memory in bytes, as Linux reports it. It is the smallest of three: the
// free memory of the machine, the limit of the control group, and the free address space of the
// process.
func available() int64 {
	free := int64(unknownMemory)
	if data, err := os.ReadFile("/proc/meminfo"); err == nil {
		if _, rest, ok := bytes.Cut(data, []byte("MemAvailable:")); ok {
			if f := bytes.Fields(rest); len(f) > 0 {
				if kB, err := strconv.ParseInt(string(f[0]), 10, 64); err == nil {
					free = kB << 10
				}
			}
		}
	}
	if data, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if limit, err := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64); err == nil {
			free = min(free, limit)
		}
	}
	return min(free, addressSpace())
}

// addressSpace returns how many bytes of address space this process may still use, or unknownMemory
// if there is no limit.
func addressSpace() int64 {
	limits, err := os.ReadFile("/proc/self/limits")
	if err != nil {
		return unknownMemory
	}
	_, rest, ok := bytes.Cut(limits, []byte("Max address space"))
	words := bytes.Fields(rest)
	used, err := os.ReadFile("/proc/self/statm")
	if pages := bytes.Fields(used); ok && err == nil && len(words) > 0 && len(pages) > 0 {
		limit, err := strconv.ParseInt(string(words[0]), 10, 64)
		n, wrong := strconv.ParseInt(string(pages[0]), 10, 64)
		if err == nil && wrong == nil { // otherwise the address space is unlimited
			return max(0, limit-n*int64(os.Getpagesize()))
		}
	}
	return unknownMemory
}

// memory returns an error if the table uses too much memory.
func (t *reader) memory(row int) error {
	size := int64(len(t.rows)) * int64(len(t.active)+1) * perValue
	for _, i := range t.active {
		size += int64(t.columns[i].texts.bytes)
	}
	if size <= t.limit {
		return nil
	}
	return t.fail(row, "", fmt.Sprintf("the table is too large: %d rows of %d columns would take more than %s of memory", len(t.rows), len(t.active), bytesText(t.limit)),
		"keep fewer columns with --columns, or every tenth row")
}

// bytesText writes a number of bytes for people.
func bytesText(n int64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.0f MB", float64(n)/(1<<20))
}
