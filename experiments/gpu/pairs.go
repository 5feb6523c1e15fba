package gpu

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/backend/joins"
	"github.com/physlib/lab/physlib/pair"
)

// pairsRow is the measurement of a join of features (package pair).
type pairsRow struct {
	Features int     `json:"features"`
	Points   int     `json:"points"`
	Block    int     `json:"block"`
	First    float64 `json:"first_seconds"`
	Seconds  float64 `json:"seconds"` // time after compilation, including transfer to the device
	Pairs    float64 `json:"pairs_per_second"`
	// Processor is the speed of the kernel of package pair on all cores, for the first features
	// only.
	Processor float64 `json:"processor_pairs_per_second"`
	Cores     int     `json:"cores"`
	Faster    float64 `json:"times_faster"`
	Agrees    bool    `json:"agrees"` // whether device and processor agree on the first features
}

// pairs is the stage that measures joins of features.
func pairs(ctx context.Context, e *env) (any, error) {
	name := e.StageCmd.Backend
	if e.cuda() {
		name = "xla:cuda,tf32=false"
	}
	b, _, err := backend.Open(name)
	if err != nil {
		return nil, err
	}
	k, err := joins.New(b, or(e, 0, 64))
	if err != nil {
		return nil, err
	}
	defer k.Close()
	var rows []pairsRow
	for _, size := range or(e, []pairsRow{{Features: 100_000, Points: 64}, {Features: 100_000, Points: 256}, {Features: 100_000, Points: 1024},
		{Features: 1_000_000, Points: 64}, {Features: 1_000_000, Points: 256}}, []pairsRow{{Features: 300, Points: 64}}) {
		if ctx.Err() != nil {
			break
		}
		r, err := joined(ctx, k, size, or(e, 20_000, 200))
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return map[string]any{"rows": rows}, ctx.Err()
}

// joined measures a join of random features. The processor's kernel joins only the first features,
// for comparison.
func joined(ctx context.Context, k *joins.Kernel, r pairsRow, first int) (pairsRow, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	f, t := pair.NewRows(r.Features, r.Points), pair.NewRows(1, r.Points)
	v := make([]float64, r.Points)
	for i := range r.Features {
		for n := range v {
			v[n] = rng.NormFloat64()
		}
		f.Set(i, v)
	}
	for n := range v {
		v[n] = rng.NormFloat64()
	}
	t.Set(0, v)
	corr := f.Dot(t.Row(0)[:r.Points])
	o := pair.Options{K: 1000, MinDen: 1e-3}
	once := func(n int, kernel pair.Kernel) ([]pair.Pair, float64) {
		began := time.Now()
		found := kernel.Square(ctx, f.Slice(0, n), corr[:n], o)
		return found, time.Since(began).Seconds()
	}
	n := min(first, r.Features)
	want, seconds := once(n, pair.Default())
	r.Cores, r.Processor = runtime.GOMAXPROCS(0), float64(n)*float64(n-1)/2/seconds
	got, _ := once(n, k)
	r.Agrees = len(got) == len(want)
	for i := range got {
		r.Agrees = r.Agrees && math.Abs(float64(got[i].R2-want[i].R2)) < 1e-4
	}
	_, r.First = once(r.Features, k)
	_, r.Seconds = once(r.Features, k)
	r.Pairs = float64(r.Features) * float64(r.Features-1) / 2 / r.Seconds
	r.Faster = r.Pairs / r.Processor
	if err := k.Err(); err != nil {
		return r, fmt.Errorf("%d features of %d points: %w", r.Features, r.Points, err)
	}
	return r, nil
}
