package train

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/nn/safetensors"
)

// many is a task with many small matrices and almost no arithmetic. It measures the overhead of a
// step.
type many struct{ n int }

func (many) Name() string      { return "many" }
func (many) Metrics() []string { return nil }
func (m many) Config() any     { return m.n }

func (m many) Loss(s *model.Scope, batch []*Node) (*Node, []*Node) {
	x := batch[0]
	for i := range m.n {
		w := s.In("layer_%d", i).VariableWithShape("w", shapes.Make(dtypes.Float32, 8, 8)).NodeValue(x.Graph())
		x = Tanh(Dot(x, w).Product())
	}
	return ReduceAllMean(Square(x)), nil
}

func (many) Batch(step int64) ([]*tensors.Tensor, error) {
	rng := rand.New(rand.NewPCG(1, uint64(step)))
	x := make([]float32, 64)
	for i := range x {
		x[i] = rng.Float32()
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(x, 8, 8)}, nil
}

// BenchmarkStep measures a whole step for 100 matrices of 8×8 with averaged weights: one batch, two
// programs, 500 variables.
func BenchmarkStep(b *testing.B) {
	for _, optimizer := range []string{AdamW, Muon} {
		b.Run(optimizer, func(b *testing.B) {
			backendtest.EachB(b, func(b *testing.B, backend compute.Backend) {
				st, err := newStepper(backend, many{100}, Settings{Optimizer: optimizer, EMA: 0.99}.withDefaults())
				if err != nil {
					b.Fatal(err)
				}
				f := newFeed(b.Context(), backend, nil, many{100}, 0, 1)
				defer f.close()
				first, err := f.next()
				if err != nil {
					b.Fatal(err)
				}
				if err := st.prepare(first); err != nil {
					b.Fatal(err)
				}
				var i int64
				for b.Loop() {
					if _, err := st.step(i, 1e-3, f.next); err != nil {
						b.Fatal(err)
					}
					i++
				}
			})
		})
	}
}

// BenchmarkOrthogonalize orthogonalizes the matrices of six layers of width 128.
func BenchmarkOrthogonalize(b *testing.B) {
	for _, dims := range [][]int{{24, 128, 128}, {6, 128, 512}} {
		b.Run(fmt.Sprint(dims), func(b *testing.B) {
			backendtest.EachB(b, func(b *testing.B, backend compute.Backend) {
				e, err := NewExec1(backend, Orthogonalize)
				if err != nil {
					b.Fatal(err)
				}
				x := tensors.FromFlatDataAndDimensions(make([]float32, dims[0]*dims[1]*dims[2]), dims...)
				for b.Loop() {
					y, err := e.Call(x)
					if err != nil {
						b.Fatal(err)
					}
					y.FinalizeAll()
				}
			})
		})
	}
}

// BenchmarkCheckpoint writes and reads a checkpoint of 64 MB, including checksum and disk.
func BenchmarkCheckpoint(b *testing.B) {
	f := folder{path: b.TempDir()}
	c := checkpoint{config: []byte("{}")}
	for i := range 64 {
		c.tensors = append(c.tensors, safetensors.Tensor{Name: fmt.Sprint(i), Shape: shapes.Make(dtypes.Float32, 1<<18), Data: make([]byte, 1<<20)})
	}
	b.Run("save", func(b *testing.B) {
		b.SetBytes(64 << 20)
		for b.Loop() {
			if err := f.save(c, bestName); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("load", func(b *testing.B) {
		b.SetBytes(64 << 20)
		for b.Loop() {
			if _, err := load(filepath.Join(f.path, bestName)); err != nil {
				b.Fatal(err)
			}
		}
	})
	os.Remove(filepath.Join(f.path, bestName))
}
