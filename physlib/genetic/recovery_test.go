package genetic

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// benchmarkLaw is a row of a table of benchmark laws, such as those of Nguyen.
type benchmarkLaw struct {
	id, law   string
	grid      bool
	points    int
	step      float64
	names     []string
	low, high []float64
	output    string   // unit of the target
	units     []string // units of the columns
}

// TestRecovery searches for known laws and counts those that are found. A law counts as found if
// two conditions hold. Its error is below 1e-6 of the law's standard deviation on new points, whose
// ranges are 1.5 times as wide. And it does not have many more nodes than the known law.
//
// PHYSLIB_LAWS names the table of laws (classic.csv or feynman.csv). PHYSLIB_IDS is a list of
// prefixes, separated by commas: only laws whose id begins with one of them are used. PHYSLIB_TIME
// (a duration such as 30s) and PHYSLIB_EPOCHS (a number of epochs) limit each search. PHYSLIB_NOISE
// is the standard deviation of the noise, relative to the root mean square of the target, and
// PHYSLIB_SEED is the seed. With PHYSLIB_UNITS=1, units are used.
func TestRecovery(t *testing.T) {
	path := os.Getenv("PHYSLIB_LAWS")
	if path == "" {
		t.Skip("PHYSLIB_LAWS names no table of laws")
	}
	limit, err := time.ParseDuration(os.Getenv("PHYSLIB_TIME"))
	if err != nil {
		limit = 30 * time.Second
	}
	noise, _ := strconv.ParseFloat(os.Getenv("PHYSLIB_NOISE"), 64)
	seed, _ := strconv.ParseInt(os.Getenv("PHYSLIB_SEED"), 10, 64)
	found, all := 0, 0
	for _, l := range readLaws(t, path) {
		words := strings.Split(os.Getenv("PHYSLIB_IDS"), ",")
		if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(l.id, w) }) {
			continue
		}
		all++
		took, best, nmse, evals, ok := l.search(t, limit, noise, seed)
		if ok {
			found++
		}
		fmt.Printf("%-16s %-5v %6.2fs %9d evals  nmse %.1e  %s   <- %s\n", l.id, ok, took.Seconds(), evals, nmse, best, l.law)
	}
	fmt.Printf("found %d of %d\n", found, all)
}

func (l benchmarkLaw) search(t *testing.T, limit time.Duration, noise float64, seed int64) (took time.Duration, best string, nmse float64, evals int64, ok bool) {
	rows := 1000
	if l.points > 0 {
		rows = min(rows, l.points)
	}
	p := l.problem(t, rand.New(rand.NewPCG(42, uint64(seed))), rows, noise)
	p.Seed = seed
	if os.Getenv("PHYSLIB_UNITS") != "" {
		l.setUnits(t, p)
	}
	for i := range l.low { // 1.5 times as wide, so that approximations do not count
		wider := (l.high[i] - l.low[i]) / 4
		l.low[i], l.high[i] = l.low[i]-wider, l.high[i]+wider
	}
	fresh := l.problem(t, rand.New(rand.NewPCG(7, 7)), 1000, 0)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	start := time.Now()
	nmse = math.Inf(1)
	var counter atomic.Int64
	defer func() { evals = counter.Load() }()
	s := Search{Evaluations: &counter}
	s.Generations, _ = strconv.Atoi(os.Getenv("PHYSLIB_EPOCHS"))
	for tree, err := range s.Propose(ctx, p) {
		if err != nil {
			t.Fatal(err)
		}
		e := errorOn(tree, fresh)
		if short := tree.Len() <= l.size()*3/2+3; e < 1e-12 && !short {
			e = 1e-11 // accurate, but with too many nodes: the law does not count as found
		}
		if e < nmse {
			nmse, best, took = e, tree.Format(l.names, 6), time.Since(start)
		}
		if nmse < 1e-12 {
			return took, best, nmse, evals, true
		}
	}
	return time.Since(start), best, nmse, evals, false
}

func (l benchmarkLaw) setUnits(t *testing.T, p *dataset.Problem) {
	t.Helper()
	p.Units = true
	for i, s := range append(slices.Clone(l.units), l.output) {
		u, err := unit.Parse(s)
		if err != nil {
			t.Fatal(l.id, err)
		}
		if i < len(p.Vars) {
			p.Vars[i].Dim, p.Vars[i].Known = u.Dim, true
		} else {
			p.Target.Dim, p.Target.Known = u.Dim, true
		}
	}
}

// size returns the law's number of nodes.
func (l benchmarkLaw) size() int {
	tree, _ := expr.Parse(l.law, l.names)
	return tree.Len()
}

// errorOn returns the normalised mean squared error of tree on p. Rows in which the law has no
// value are left out.
func errorOn(tree expr.Tree, p *dataset.Problem) float64 {
	f := tree.Values(len(p.Target.Values), p.Cols(), tree.Params())
	sum, total, mean, n := 0.0, 0.0, 0.0, 0.0
	for _, y := range p.Target.Values {
		if !math.IsNaN(y) && !math.IsInf(y, 0) {
			mean += y
			n++
		}
	}
	mean /= n
	for k, y := range p.Target.Values {
		if !math.IsNaN(y) && !math.IsInf(y, 0) {
			sum += (y - f[k]) * (y - f[k])
			total += (y - mean) * (y - mean)
		}
	}
	return sum / total
}

func (l benchmarkLaw) problem(t *testing.T, rng *rand.Rand, rows int, noise float64) *dataset.Problem {
	t.Helper()
	cols := make([][]float64, len(l.names))
	for range rows {
		for i := range cols {
			cols[i] = append(cols[i], l.low[i]+(l.high[i]-l.low[i])*rng.Float64())
		}
	}
	tree, err := expr.Parse(l.law, l.names)
	if err != nil {
		t.Fatal(l.id, err)
	}
	return problemOf(tree, l.names, cols, noise, rng)
}

// problemOf returns the problem with the columns cols whose target is given by the law tree.
func problemOf(tree expr.Tree, names []string, cols [][]float64, noise float64, rng *rand.Rand) *dataset.Problem {
	p := &dataset.Problem{Noise: noise}
	for i, c := range cols {
		p.Vars = append(p.Vars, dataset.Quantity{Name: names[i], Values: c, Scale: 1})
	}
	y := tree.Values(len(cols[0]), cols, tree.Params())
	rms := 0.0
	for _, v := range y {
		rms += v * v / float64(len(y))
	}
	for k := range y {
		if noise > 0 {
			y[k] += noise * math.Sqrt(rms) * rng.NormFloat64()
		}
	}
	p.Target = dataset.Quantity{Name: "y", Values: y, Scale: 1}
	return p
}

func readLaws(t *testing.T, path string) (laws []benchmarkLaw) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	col := map[string]int{}
	for i, name := range rows[0] {
		col[name] = i
	}
	get := func(row []string, name string) string {
		if i, ok := col[name]; ok && i < len(row) {
			return row[i]
		}
		return ""
	}
	for _, row := range rows[1:] {
		l := benchmarkLaw{id: get(row, "id"), law: get(row, "law"), grid: get(row, "sampling") == "grid"}
		l.output = get(row, "output_si")
		l.points, _ = strconv.Atoi(get(row, "points"))
		l.step, _ = strconv.ParseFloat(get(row, "step"), 64)
		for v := 1; get(row, fmt.Sprintf("v%d_name", v)) != ""; v++ {
			low, _ := strconv.ParseFloat(get(row, fmt.Sprintf("v%d_low", v)), 64)
			high, _ := strconv.ParseFloat(get(row, fmt.Sprintf("v%d_high", v)), 64)
			l.names = append(l.names, get(row, fmt.Sprintf("v%d_name", v)))
			l.units = append(l.units, get(row, fmt.Sprintf("v%d_si", v)))
			l.low, l.high = append(l.low, low), append(l.high, high)
		}
		if l.grid && l.points == 0 && l.step > 0 {
			l.points = int(math.Round((l.high[0]-l.low[0])/l.step)) + 1
			if len(l.names) > 1 {
				l.points *= l.points
			}
		}
		laws = append(laws, l)
	}
	return laws
}
