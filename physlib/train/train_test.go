package train

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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

// toy learns y = x·(1, 2, 3, 4) + x₀x₁ with one hidden layer and dropout.
type toy struct {
	Seed   uint64  `json:"seed"`
	Hidden int     `json:"hidden"`
	Drop   float64 `json:"drop"`
	Poison int64   `json:"-"` // number of the batch that holds NaN; 0: none
}

func (toy) Name() string      { return "toy" }
func (toy) Metrics() []string { return []string{"mae"} }
func (t toy) Config() any     { return t }
func (toy) Tokens() int       { return 16 }
func (t toy) hidden() int     { return max(t.Hidden, 8) }

func (t toy) predict(s *model.Scope, x *Node) *Node {
	g := x.Graph()
	weight := func(s *model.Scope, name string, dims ...int) *Node {
		return s.VariableWithShape(name, shapes.Make(dtypes.Float32, dims...)).NodeValue(g)
	}
	h := Tanh(Add(Dot(x, weight(s.In("hidden"), "w", 4, t.hidden())).Product(), weight(s.At("hidden"), "b", 1, t.hidden())))
	if t.Drop > 0 && s.IsTraining(g) {
		keep := s.Store().RandomUniform(g, h.Shape())
		h = Mul(h, ConvertDType(GreaterThan(keep, Scalar(g, dtypes.Float32, t.Drop)), dtypes.Float32))
	}
	h = Tanh(Dot(h, weight(s.In("inner"), "w", t.hidden(), t.hidden())).Product())
	return Dot(h, weight(s.In("head"), "w", t.hidden(), 1)).Product()
}

func (t toy) Loss(s *model.Scope, batch []*Node) (*Node, []*Node) {
	miss := Sub(t.predict(s, batch[0]), batch[1])
	return ReduceAllMean(Square(miss)), []*Node{ReduceAllMean(Abs(miss))}
}

func (t toy) Batch(step int64) ([]*tensors.Tensor, error) {
	rng := rand.New(rand.NewPCG(t.Seed, uint64(step)))
	const n = 16
	x, y := make([]float32, n*4), make([]float32, n)
	for i := range y {
		for j := range 4 {
			x[i*4+j] = float32(rng.NormFloat64())
			y[i] += x[i*4+j] * float32(j+1)
		}
		y[i] += x[i*4] * x[i*4+1]
	}
	if t.Poison > 0 && step == t.Poison {
		y[3] /= 0
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(x, n, 4), tensors.FromFlatDataAndDimensions(y, n, 1)}, nil
}

// state returns the tensors of the newest checkpoint of a run.
func state(t *testing.T, dir string) checkpoint {
	t.Helper()
	c, name, broken, err := folder{path: filepath.Join(dir, "checkpoints")}.newest()
	if err != nil || name == "" || len(broken) > 0 {
		t.Fatal(name, broken, err)
	}
	return c
}

func sameTensors(t *testing.T, a, b checkpoint) {
	t.Helper()
	if len(a.tensors) != len(b.tensors) || len(a.tensors) == 0 {
		t.Fatalf("%d and %d tensors", len(a.tensors), len(b.tensors))
	}
	for i := range a.tensors {
		if a.tensors[i].Name != b.tensors[i].Name || !slices.Equal(a.tensors[i].Data, b.tensors[i].Data) {
			t.Errorf("%s differs", a.tensors[i].Name)
		}
	}
}

func TestResumeIsExact(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for _, s := range []Settings{
			{EMA: 0.99, WeightDecay: 0.1},
			{Optimizer: Muon, Accumulate: 2, Schedule: Cosine, WeightDecay: 0.01},
		} {
			t.Run("optimizer "+s.Optimizer, func(t *testing.T) {
				if backend != backendtest.Go(t) && s.Optimizer == Muon {
					t.Skip("seconds of compilation")
				}
				s.Steps, s.Warmup, s.LR, s.LogSteps = 40, 5, 5e-2, 8
				whole, parts := t.TempDir(), t.TempDir()
				task := toy{Seed: 3, Drop: 0.2}
				if _, err := Run(context.Background(), backend, task, s, whole, nil); err != nil {
					t.Fatal(err)
				}
				s.SaveSteps = 19
				ctx, stop := context.WithCancel(context.Background())
				r, err := Run(ctx, backend, task, s, parts, func(p Progress) {
					if p.Phase == "saved" {
						stop()
					}
				})
				if err != nil || r.Finished || r.Step != 19 {
					t.Fatalf("interrupted run: %+v, %v", r, err)
				}
				r, err = Run(context.Background(), backend, task, s, parts, nil)
				if err != nil || !r.Finished || r.Step != 40 {
					t.Fatalf("resumed run: %+v, %v", r, err)
				}
				a, b := state(t, whole), state(t, parts)
				sameTensors(t, a, b)
				if a.position.Window.Loss != b.position.Window.Loss {
					t.Error("sums of metrics differ")
				}
				sameMetrics(t, whole, parts)
				x, err := readTable(filepath.Join(whole, "metrics.csv"))
				if err != nil {
					t.Fatal(err)
				}
				if x["loss"][4] > 0.9*x["loss"][0] {
					t.Errorf("nothing was learned: %v", x["loss"])
				}
			})
		}
	})
}

// imported returns the weights in a file.
func imported(t *testing.T, path string) *model.Store {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	store := model.NewStore()
	if _, err := safetensors.Import(file, store); err != nil {
		t.Fatal(err)
	}
	return store
}

// snapshot returns the present state of a step.
func snapshot(t *testing.T, st *stepper) checkpoint {
	t.Helper()
	all, err := safetensors.FromStore(st.store, isState)
	if err != nil {
		t.Fatal(err)
	}
	return checkpoint{tensors: all}
}

// readTable reads a CSV file of numbers as columns by name.
func readTable(path string) (map[string][]float64, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(bufio.NewReader(file)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	columns := map[string][]float64{}
	for i, row := range rows {
		for k, cell := range row {
			if i == 0 {
				columns[cell] = nil
				continue
			}
			x, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return nil, fmt.Errorf("%s line %d: %w", path, i+1, err)
			}
			columns[rows[0][k]] = append(columns[rows[0][k]], x)
		}
	}
	return columns, nil
}
