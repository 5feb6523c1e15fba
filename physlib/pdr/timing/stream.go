package timing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/nn"
	"github.com/physlib/lab/physlib/pdr"
	"github.com/physlib/lab/physlib/pdr/step"
)

// Stream feeds tokens of noise to a network, 64 at a time. It prints the memory of the process
// after 16, 32, 64 … blocks and at the end. The memory should not grow.
func Stream(ctx context.Context, w io.Writer, b compute.Backend, c pdr.Config, tokens int) error {
	store := model.NewStore()
	store.SetParam(nn.ParamSeed, int64(1))
	s, err := pdr.NewStream(b, store, "", c)
	if err != nil {
		return err
	}
	defer s.Close()
	const block = 64
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]float32, block*c.Dim)
	used := clock.CPU()
	fmt.Fprintln(w, "tokens,resident_mib,go_heap_mib,cpu_us_per_token,largest_output")
	for n := 1; n*block <= tokens; n++ {
		for i := range x {
			x[i] = float32(rng.NormFloat64())
		}
		y, err := s.Feed(x)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return errors.New("interrupted")
		}
		if n < 16 || n&(n-1) != 0 && (n+1)*block <= tokens {
			continue
		}
		var largest float64
		for _, o := range y {
			largest = max(largest, math.Abs(float64(o)))
		}
		spent := (clock.CPU() - used).Seconds()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Fprintf(w, "%d,%.1f,%.2f,%.2f,%.4g\n", s.Position(), resident("VmRSS:", false)/(1<<20), float64(m.HeapAlloc)/(1<<20), spent/float64(s.Position())*1e6, largest)
	}
	return nil
}

// Drift feeds tokens to package step in float32 and to a float64 version of it, with and without
// renormalisation after every 8192 tokens (PDR §5.2). The channels have gates of 1 - 10⁻¹ … 1 -
// 10⁻⁷. It prints the norm of the state, and the largest difference between the float32 and float64
// outputs, relative to the largest output.
func Drift(ctx context.Context, w io.Writer, tokens int) error {
	const dim, rank, every = 7, 8, 8192
	fmt.Fprintln(w, "renorm,tokens,keep,state_norm,relative_error")
	for _, renorm := range []int{0, every} {
		rng := rand.New(rand.NewPCG(2, 2))
		small, large := step.New(dim, rank), make([]float64, dim*rank)
		gate, v, k, q, o := make([]float32, dim), make([]float32, dim), make([]float32, rank), make([]float32, rank), make([]float32, dim)
		for i := range gate {
			gate[i] = float32(1 - math.Pow10(-i-1))
		}
		worst, size := make([]float64, dim), make([]float64, dim)
		for t := 1; t <= tokens; t++ {
			if t%every == 0 && ctx.Err() != nil {
				return errors.New("interrupted")
			}
			for _, x := range [][]float32{v, k, q} {
				for i := range x {
					x[i] = 0.3 + float32(rng.NormFloat64())
				}
			}
			small.Next(o, gate, v, k, q)
			for i := range dim {
				var sum float64
				for j := range rank {
					y := &large[i*rank+j]
					*y = float64(gate[i])**y + float64(v[i])*float64(k[j])
					sum += *y * float64(q[j])
				}
				worst[i], size[i] = max(worst[i], math.Abs(sum-float64(o[i]))), max(size[i], math.Abs(sum))
			}
			if renorm > 0 && t%renorm == 0 {
				small.Renormalize()
				f := math.Sqrt(dim * rank / norm2(large))
				for i := range large {
					large[i] *= f
				}
			}
			if t < 1000 || math.Pow10(int(math.Log10(float64(t)+0.5))) != float64(t) {
				continue
			}
			for i := range dim {
				fmt.Fprintf(w, "%d,%d,%.7g,%.4g,%.3g\n", renorm, t, gate[i], math.Sqrt(norm2(large[i*rank:(i+1)*rank])), worst[i]/size[i])
				worst[i], size[i] = 0, 0
			}
		}
	}
	return nil
}

func norm2(x []float64) (sum float64) {
	for _, y := range x {
		sum += y * y
	}
	return sum
}
