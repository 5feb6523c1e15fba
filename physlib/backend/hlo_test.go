package backend_test

import (
	"testing"

	"github.com/physlib/lab/physlib/backend"
)

// The text has the form of a program by XLA of 2026 and contains two products. One is a batched
// product of shape [8,4,24,24], with sums over 96 elements. The other is in the older notation,
// with the shapes of its operands.
func TestProgramFLOPs(t *testing.T) {
	const text = `
fused_computation {
  %param_0.5 = f32[8,4,24,96]{3,2,1,0} parameter(0)
  %param_1.5 = f32[8,4,96,24]{3,2,1,0} parameter(1)
  ROOT %dot.122 = f32[8,4,24,24]{3,2,1,0} dot(%param_0.5, %param_1.5), lhs_batch_dims={0,1}, lhs_contracting_dims={3}, rhs_batch_dims={0,1}, rhs_contracting_dims={2}
}
ENTRY %main {
  %a = bf16[10,20]{1,0} parameter(0)
  %b = bf16[20,30]{1,0} parameter(1)
  %dot.1 = bf16[10,30]{1,0} dot(bf16[10,20]{1,0} %a, bf16[20,30]{1,0} %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}`
	if got, want := backend.ProgramFLOPs(text), 2.0*8*4*24*24*96+2*10*30*20; got != want {
		t.Errorf("%g, want %g", got, want)
	}
}
