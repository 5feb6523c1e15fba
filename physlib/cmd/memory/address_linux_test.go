//go:build cgo

package memory

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// With too little address space a program ends with one line, not with a trace of Go's runtime.
func TestAddressSpace(t *testing.T) {
	for _, limit := range []string{"200000", "800000", "1500000"} { // in KiB
		c := exec.Command("sh", "-c", "ulimit -v "+limit+"; exec "+os.Args[0]+" -test.run=none")
		out, err := c.CombinedOutput()
		text := string(out)
		if err == nil || strings.Count(text, "\n") != 1 || !strings.Contains(text, "raise the limit with ulimit -v") {
			t.Errorf("%s KiB: %v, %q", limit, err, text)
		}
	}
}
