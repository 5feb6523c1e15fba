package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWithHugePages(t *testing.T) {
	for _, test := range []struct {
		env, want []string
		changed   bool
	}{
		{[]string{"A=1"}, []string{"A=1", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"}, true},
		{[]string{"GLIBC_TUNABLES=", "A=1"}, []string{"GLIBC_TUNABLES=glibc.malloc.hugetlb=1", "A=1"}, true},
		{[]string{"GLIBC_TUNABLES=glibc.malloc.check=1"}, []string{"GLIBC_TUNABLES=glibc.malloc.check=1:glibc.malloc.hugetlb=1"}, true},
		{[]string{"GLIBC_TUNABLES=glibc.malloc.hugetlb=0"}, []string{"GLIBC_TUNABLES=glibc.malloc.hugetlb=0"}, false},
	} {
		given := append([]string(nil), test.env...)
		got, changed := withHugePages(test.env)
		if d := cmp.Diff(test.want, got); d != "" || changed != test.changed {
			t.Errorf("%q: changed is %v, want %v; %s", given, changed, test.changed, d)
		}
		if d := cmp.Diff(given, test.env); d != "" {
			t.Errorf("what was given is changed: %s", d)
		}
		if again, changed := withHugePages(got); changed {
			t.Errorf("%q: changed again, to %q: the process would begin anew without end", got, again)
		}
	}
}
