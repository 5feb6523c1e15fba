package memory

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// find returns the limits of this process.
func find() (all []limit) {
	var address syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &address) == nil && address.Cur < 1<<46 {
		all = append(all, limit{int64(address.Cur), func() int64 { return statm(0) }, "of address space",
			"raise the limit, as with ulimit -v 4000000: a search of any table needs about 3 GiB, most of which is never touched"})
	}
	resident := func() int64 { return statm(1) }
	if n := group(); n > 0 {
		all = append(all, limit{n, resident, "of the control group", ""})
	}
	if n := available(); n > 0 {
		all = append(all, limit{n + resident(), resident, "of the machine's free memory", ""})
	}
	return all
}

// statm returns a field of /proc/self/statm in bytes: 0 is the address space, 1 the resident
// memory.
func statm(field int) int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data))
	if field >= len(fields) {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[field], 10, 64)
	return pages * int64(os.Getpagesize())
}

// group returns the memory limit of the control group in bytes, or 0 if there is none.
func group() int64 {
	for _, path := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64); err == nil && n < 1<<46 {
			return n
		}
	}
	return 0
}

// available returns the bytes that the machine can provide without swapping, or 0 if unknown.
func available() int64 {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	_, rest, found := bytes.Cut(data, []byte("MemAvailable:"))
	if !found {
		return 0
	}
	line, _, _ := strings.Cut(string(rest), "\n")
	kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(line), " kB"), 10, 64)
	return kilobytes << 10
}
