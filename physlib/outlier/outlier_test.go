package outlier

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// spoil puts gross errors into random rows of y. It returns these rows in ascending order.
func spoil(y []float64, rng *rand.Rand, count int, wrong func(y float64) float64) []int {
	rows := rng.Perm(len(y))[:count]
	for _, i := range rows {
		y[i] = wrong(y[i])
	}
	slices.Sort(rows)
	return rows
}

// The suspects are exactly the rows with gross errors, for laws with one to five variables.
func TestSuspects(t *testing.T) {
	for name, c := range map[string]struct {
		law     func(x []float64) float64
		columns int
		noise   float64
	}{
		"line":             {func(x []float64) float64 { return 2 * x[0] }, 1, 0},
		"line with noise":  {func(x []float64) float64 { return 2 * x[0] }, 1, 0.1},
		"pendulum":         {func(x []float64) float64 { return 2 * math.Pi * math.Sqrt(x[0]/x[1]) }, 2, 0},
		"gravity":          {func(x []float64) float64 { return x[0] * x[1] / (x[2] * x[2]) }, 3, 0.02},
		"five decades":     {func(x []float64) float64 { return math.Exp(-3*x[0]) / x[1] }, 2, 0},
		"falls below zero": {func(x []float64) float64 { return x[0]*x[1] - x[2]*x[3] + x[4] }, 5, 0},
	} {
		for kind, wrong := range map[string]func(y float64) float64{
			"sentinel":  func(float64) float64 { return -999 },
			"far above": func(y float64) float64 { return 30 * y },
		} {
			rng := rand.New(rand.NewPCG(1, 2))
			cols, y := make([][]float64, c.columns), make([]float64, 80)
			for i := range y {
				x := make([]float64, c.columns)
				for k := range x {
					x[k] = 1 + 4*rng.Float64()
					cols[k] = append(cols[k], x[k])
				}
				y[i] = c.law(x) * (1 + c.noise*rng.NormFloat64())
			}
			if got := Suspects(cols, y); got != nil {
				t.Errorf("%s: rows %v are suspected without reason", name, got)
			}
			if name == "falls below zero" && kind == "far above" {
				continue // thirty times a negligible value is still negligible
			}
			want := spoil(y, rng, 4, wrong)
			if got := Suspects(cols, y); !slices.Equal(got, want) {
				t.Errorf("%s, %s: rows %v, want %v", name, kind, got, want)
			}
		}
	}
}

// Ordinary rows are not suspects, such as those of a narrow peak or of a step. Rows with the code
// -999 are not suspects if they are a third of the table. Tables that are too short or have no
// variables have no suspects.
func TestNoSuspects(t *testing.T) {
	x := make([]float64, 100)
	for i := range x {
		x[i] = float64(i) / 10
	}
	of := func(f func(x float64) float64) (y []float64) {
		for _, v := range x {
			y = append(y, f(v))
		}
		return y
	}
	for name, c := range map[string]struct {
		cols [][]float64
		y    []float64
	}{
		"resonance":  {[][]float64{x}, of(func(x float64) float64 { return 1/((x-5)*(x-5)+0.01) + 0.1*x })},
		"step":       {[][]float64{x}, of(func(x float64) float64 { return math.Floor(x / 8) })},
		"constant":   {[][]float64{x}, of(func(float64) float64 { return 3 })},
		"no column":  {nil, of(math.Sin)},
		"one column": {[][]float64{make([]float64, 100)}, of(math.Sin)},
		"every third": {[][]float64{x}, of(func(x float64) float64 {
			if int(math.Round(10*x))%3 == 0 {
				return -999
			}
			return x
		})},
		"short": {[][]float64{x[:11]}, append(of(math.Exp)[:10], -999)},
	} {
		if got := Suspects(c.cols, c.y); got != nil {
			t.Errorf("%s: rows %v", name, got)
		}
	}
}

// Rows that are far out in a column are suspects, even if a fit agrees with them. If a column just
// has a skewed distribution, its rows are not suspects.
func TestFar(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	const n = 200
	for name, draw := range map[string]func() float64{
		"uniform":           func() float64 { return 0.2 + 3*rng.Float64() },
		"about zero":        func() float64 { return 2*rng.Float64() - 1 },
		"normal":            func() float64 { return 5 + rng.NormFloat64() },
		"lognormal":         func() float64 { return math.Exp(rng.NormFloat64()) },
		"four decades":      func() float64 { return math.Pow(10, 4*rng.Float64()) },
		"mostly one value":  func() float64 { return max(1, math.Floor(4*rng.Float64())-1) * 10 },
		"exponential":       rng.ExpFloat64,
		"one of few values": func() float64 { return []float64{1, 2, 5, 10, 20}[rng.IntN(5)] },
	} {
		x, other, y := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], other[i] = draw(), 1+rng.Float64()
			y[i] = other[i] * (3 + x[i])
		}
		if got := far([][]float64{x, other}); got != nil {
			t.Errorf("%s: rows %v are far out", name, got)
		}
		if name == "mostly one value" {
			continue
		}
		want := spoil(x, rng, 8, func(float64) float64 { return -1e6 })
		if got := far([][]float64{other, x}); !slices.Equal(got, want) {
			t.Errorf("%s: rows %v, want %v", name, got, want)
		}
		if got := Suspects([][]float64{other, x}, y); !slices.Equal(got, want) {
			t.Errorf("%s: rows %v are suspected, want %v", name, got, want)
		}
	}
}

// A target is cut off if many rows share its largest or smallest value, and few rows share any
// other value.
func TestSaturated(t *testing.T) {
	y := make([]float64, 60)
	fill := func(f func(x float64) float64) []float64 {
		for i := range y {
			y[i] = f(float64(i) / 10)
		}
		return y
	}
	rows := func(from, to int) (r []int) {
		for i := from; i < to; i++ {
			r = append(r, i)
		}
		return r
	}
	for name, c := range map[string]struct {
		y    []float64
		want []int
	}{
		"above":       {slices.Clone(fill(func(x float64) float64 { return min(x, 4.5) })), rows(45, 60)},
		"below":       {slices.Clone(fill(func(x float64) float64 { return max(0, x-1) })), rows(0, 11)},
		"at both":     {slices.Clone(fill(func(x float64) float64 { return min(5.4, max(x, 1)) })), append(rows(0, 11), rows(54, 60)...)},
		"too often":   {slices.Clone(fill(func(x float64) float64 { return min(x, 3) })), nil},
		"rounded":     {slices.Clone(fill(func(x float64) float64 { return math.Round(x) })), nil},
		"never":       {slices.Clone(fill(math.Exp)), nil},
		"thrice only": {append(slices.Clone(fill(math.Exp)), math.Exp(5.9), math.Exp(5.9)), nil},
	} {
		if got := Saturated(c.y); !slices.Equal(got, c.want) {
			t.Errorf("%s: rows %v, want %v", name, got, c.want)
		}
	}
}

// The suspects of a long table are found, although the polynomials are fitted to only some of its
// rows. A table that is too long has no suspects.
func TestLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x, y := make([]float64, 30_000), make([]float64, 30_000)
	for i := range x {
		x[i] = 1 + 4*rng.Float64()
		y[i] = math.Sqrt(x[i])
	}
	want := spoil(y, rng, 900, func(y float64) float64 { return -50 * y })
	if got := Suspects([][]float64{x}, y); !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	if got := Suspects([][]float64{make([]float64, mostRows+1)}, make([]float64, mostRows+1)); got != nil {
		t.Error("too long a table has outliers")
	}
}

func TestLargeResiduals(t *testing.T) {
	res := []float64{1, -1, 2, 30, -1, 1, -2, 1, math.NaN(), -40}
	if got := LargeResiduals(res, 0); !slices.Equal(got, []int{3, 8, 9}) {
		t.Errorf("rows %v", got)
	}
	if got := LargeResiduals(res, 35); !slices.Equal(got, []int{8, 9}) {
		t.Errorf("above 35: rows %v", got)
	}
	if LargeResiduals(nil, 0) != nil {
		t.Error("no residuals, but outliers")
	}
	if s := Spread([]float64{10, 11, 12, 9, 8}); math.Abs(s-1.4826) > 1e-12 {
		t.Errorf("spread %v", s)
	}
}

func TestComplement(t *testing.T) {
	for _, c := range []struct{ out, want []int }{{nil, []int{0, 1, 2, 3}}, {[]int{0, 3}, []int{1, 2}}, {[]int{0, 1, 2, 3}, []int{}}} {
		if got := Complement(4, c.out); !slices.Equal(got, c.want) {
			t.Errorf("without %v: %v, want %v", c.out, got, c.want)
		}
	}
}

func TestSets(t *testing.T) {
	a, b := []int{1, 3, 4, 9}, []int{0, 3, 9, 12}
	if got := Union(a, b); !slices.Equal(got, []int{0, 1, 3, 4, 9, 12}) {
		t.Errorf("in one: %v", got)
	}
	if got := Intersect(a, b); !slices.Equal(got, []int{3, 9}) {
		t.Errorf("in both: %v", got)
	}
	if got := Difference(a, b); !slices.Equal(got, []int{1, 4}) {
		t.Errorf("in the first alone: %v", got)
	}
}

func BenchmarkSuspects(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	cols, y := make([][]float64, 5), make([]float64, 1000)
	for i := range y {
		y[i] = 1
		for k := range cols {
			v := 1 + 4*rng.Float64()
			cols[k] = append(cols[k], v)
			y[i] *= v
		}
	}
	for b.Loop() {
		if Suspects(cols, y) != nil {
			b.Fatal("a product has outliers")
		}
	}
}
