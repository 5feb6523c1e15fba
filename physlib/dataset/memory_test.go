package dataset

import "testing"

// A table may use a part of the free memory. If the address space has no limit, only the free
// memory counts.
func TestMemoryLimit(t *testing.T) {
	if got := memoryLimit(1000); got != 1000 {
		t.Errorf("a given limit is %d", got)
	}
	if got := memoryLimit(0); got < 1<<20 || got > available() {
		t.Errorf("%d of %d bytes", got, available())
	}
	if n := addressSpace(); n < 1<<26 {
		t.Errorf("%d bytes of address space are left", n)
	}
}
