package main

import (
	"os"
	"strings"
	"syscall"
)

const (
	tunables  = "GLIBC_TUNABLES"
	hugePages = "glibc.malloc.hugetlb=1" // malloc asks for transparent huge pages (glibc 2.35 and later)
)

// enlargePages restarts the process with 2 MB pages for the arrays of XLA's CPU backend, since
// glibc reads its settings at the start only. Arrays above 32 MB are returned to the system after
// each use. To page them in again, 4 KB at a time, takes as long as to compute their values.
// enlargePages returns if larger pages gain nothing or the restart fails.
func enlargePages() {
	mode, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil || !strings.Contains(string(mode), "[madvise]") { // always has them, never has none
		return
	}
	env, changed := withHugePages(os.Environ())
	self, err := os.Executable()
	if err != nil || !changed {
		return
	}
	_ = syscall.Exec(self, os.Args, env) // Exec returns only if it fails; then the process continues with small pages
}

// withHugePages returns env with the setting. changed is false if the user has set it already; the
// user's value is kept.
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
