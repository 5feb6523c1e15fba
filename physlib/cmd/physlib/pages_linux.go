package main

import (
	"os"
	"strings"
	"syscall"
)

const (
	tunables = "GLIBC_TUNABLES"
	// Malloc asks for transparent huge pages (glibc 2.35 and later).
	hugePages = "glibc.malloc.hugetlb=1"
)

// enlargePages restarts the process with 2 MB memory pages for the arrays of XLA's CPU backend. The
// restart is needed since glibc reads its settings only when a process starts. Arrays above 32 MB
// are returned to the system after each use. With 4 KB pages, getting their memory again takes as
// long as calculating their values. enlargePages does nothing if larger pages would not help or if
// the restart fails.
func enlargePages() {
	mode, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	// In the modes always and never, the setting makes no difference.
	if err != nil || !strings.Contains(string(mode), "[madvise]") {
		return
	}
	env, changed := withHugePages(os.Environ())
	self, err := os.Executable()
	if err != nil || !changed {
		return
	}
	// Exec returns only if it fails. The process then continues with small pages.
	_ = syscall.Exec(self, os.Args, env)
}

// withHugePages returns env with the setting. If the user has already set it, the user's value is
// kept and changed is false.
func withHugePages(env []string) (with []string, changed bool) {
	with = append(with, env...)
	for i, line := range with {
		if value, ok := strings.CutPrefix(line, tunables+"="); ok {
			if strings.Contains(value, "glibc.malloc.hugetlb=") {
				return env, false
			}
			with[i] = tunables + "=" + strings.TrimPrefix(value+":"+hugePages, ":")
			return with, true
		}
	}
	return append(with, tunables+"="+hugePages), true
}
