package bench

import (
	"math/bits"
	"syscall"
	"time"
	"unsafe"
)

// pin binds the calling thread to the last core that it may run on. It returns that core, or -1 if
// it fails, and a function that undoes the binding.
func pin() (core int, release func()) {
	var mask, one [16]uint64
	n, _, e := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask)))
	if e != 0 || n == 0 {
		return -1, func() {}
	}
	core = -1
	for i, m := range mask {
		if m != 0 {
			core = 64*i + 63 - bits.LeadingZeros64(m)
		}
	}
	if core < 0 {
		return -1, func() {}
	}
	one[core/64] = 1 << (core % 64)
	if _, _, e := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(one), uintptr(unsafe.Pointer(&one))); e != 0 {
		return -1, func() {}
	}
	return core, func() {
		syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask)))
	}
}

// cpuSeconds returns the CPU time that the process has used, like time.process_time in Python.
func cpuSeconds() float64 {
	const processCPU = 2 // CLOCK_PROCESS_CPUTIME_ID
	var t syscall.Timespec
	if _, _, e := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, processCPU, uintptr(unsafe.Pointer(&t)), 0); e != 0 {
		return float64(time.Now().UnixNano()) / 1e9
	}
	return float64(t.Sec) + float64(t.Nsec)/1e9
}
