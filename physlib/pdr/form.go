package pdr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute"
)

// Form is a way to compute the recurrence (PDR §2.1, §2.2), see the package comment.
type Form int

// Forms of the recurrence.
const (
	Auto      Form = iota // the fastest for the backend and the sizes, see Recurrence.Chosen
	Step                  // token by token; on backend go the graph grows with the length
	Scan                  // all states at once, by recursive doubling
	ChunkScan             // Scan within chunks of tokens
	Chunk                 // matrix products within chunks of tokens
)

var formNames = []string{"auto", "step", "scan", "chunk-scan", "chunk"}

// Forms returns all forms except Auto.
func Forms() []Form { return []Form{Step, Scan, ChunkScan, Chunk} }

// String returns the form's name.
func (f Form) String() string {
	if f < 0 || int(f) >= len(formNames) {
		return fmt.Sprintf("Form(%d)", int(f))
	}
	return formNames[f]
}

// UnmarshalText parses a form's name; "" is Auto.
func (f *Form) UnmarshalText(text []byte) error {
	i := slices.Index(formNames, string(text))
	if i < 0 && len(text) > 0 {
		return fmt.Errorf("unknown form %q of the recurrence: use %s", text, strings.Join(formNames, ", "))
	}
	*f = Form(max(i, 0))
	return nil
}

// MarshalText returns the form's name.
func (f Form) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// canLoop reports whether a backend supports loops over a series in a graph. XLA has loops but does
// not declare them, so canLoop tests for dynamic slices instead.
func canLoop(b compute.Backend) bool {
	ops := b.Capabilities().Operations
	return ops[compute.OpTypeDynamicSlice] && ops[compute.OpTypeDynamicUpdateSlice]
}
