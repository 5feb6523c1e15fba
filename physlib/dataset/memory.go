package dataset

import (
	"bytes"
	"fmt"
	"math"
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
// free memory of the machine, that of the control group, and the free address space of the process.
func available() int64 {
	free := int64(unknownMemory)
	if kB, ok := numberAfter("/proc/meminfo", "MemAvailable:"); ok {
		free = kB << 10
	}
	return min(free, controlGroup("/sys/fs/cgroup"), addressSpace())
}

// controlGroup returns the free memory of the control group (version 2) in the folder: its limit
// less what is in use, where files that can be dropped from memory do not count. It returns
// math.MaxInt64 if there is no limit.
func controlGroup(folder string) int64 {
	limit, limited := numberAfter(folder+"/memory.max", "")
	used, ok := numberAfter(folder+"/memory.current", "")
	if !limited || !ok {
		return math.MaxInt64
	}
	files, _ := numberAfter(folder+"/memory.stat", "inactive_file")
	return max(0, limit-used+files)
}

// numberAfter returns the first number after a name in a file of the system.
func numberAfter(path, name string) (n int64, ok bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	_, rest, _ := bytes.Cut(data, []byte(name))
	f := bytes.Fields(rest)
	if len(f) == 0 {
		return 0, false
	}
	n, err = strconv.ParseInt(string(f[0]), 10, 64)
	return n, err == nil
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
