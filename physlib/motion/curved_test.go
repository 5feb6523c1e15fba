package motion

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Laws with a constant inside a saturating or Arrhenius term are found under errors of 1 %, without
// a search. Their terms nearly cancel each other, or are slow, so short windows do not show them.
func TestCurvedTermsUnderNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 20 s")
	}
	noEngine(t)
	for _, s := range []struct {
		states, laws []string
		starts       [][]float64
		end          float64
		at           [][]float64 // states at which the rates are compared, [state][row]
	}{
		{
			[]string{"N", "P"},
			[]string{"N*(1 - N/8) - 1.2*N**2*P/(4 + N**2)", "0.5*N**2*P/(4 + N**2) - 0.2*P"},
			[][]float64{{6, 1}, {1, 2}}, 50,
			[][]float64{{1, 2, 4, 6}, {2, 1, 3, 1}},
		},
		{
			[]string{"c", "T"},
			[]string{"0.3*(1 - c) - 40*exp(-2000/T)*c", "0.3*(350 - T) + 6000*exp(-2000/T)*c"},
			[][]float64{{1, 320}, {0.3, 420}}, 15,
			[][]float64{{0.9, 0.6, 0.4}, {330, 370, 400}},
		},
	} {
		res := discovered(t, noisyRuns(s.states, s.laws, s.starts, s.end), Options{})
		for k, e := range res.Equations {
			got, want := make([]float64, len(s.at[0])), make([]float64, len(s.at[0]))
			expr.Compile(e.Law.Tree).Eval(got, s.at, e.Law.Params())
			expr.Compile(mustParse(s.laws[k], s.states...)).Eval(want, s.at, nil)
			scale := math.Sqrt(dot(want, want) / float64(len(want)))
			for i := range got {
				if math.Abs(got[i]-want[i]) > 0.03*scale {
					t.Errorf("%s: rates %.4g, want %.4g", e.Law.Tree.Infix(e.Law.Vars), got, want)
					break
				}
			}
		}
	}
}

// noisyRuns returns 250 rows of a run from each start. Errors are 1 % of the standard deviation of
// each state.
func noisyRuns(states, laws []string, starts [][]float64, end float64) *dataset.Table {
	var rates []expr.Tree
	for _, l := range laws {
		rates = append(rates, mustParse(l, states...))
	}
	const n = 250
	rng := rand.New(rand.NewPCG(5, 7))
	at := times(n, end/(n-1), 0, rng)
	columns := make([][]float64, 2+len(states))
	for run, start := range starts {
		path := Simulate(NewField(rates, 0, false), start, at, nil)
		for i := range at {
			columns[0], columns[1] = append(columns[0], float64(run)), append(columns[1], at[i])
		}
		for k := range states {
			columns[2+k] = append(columns[2+k], path[k]...)
		}
	}
	table := &dataset.Table{Name: "runs.csv", Vars: []dataset.Column{{Name: "run", Values: columns[0]}, {Name: "t", Values: columns[1]}}}
	for k, name := range states {
		v := columns[2+k]
		mean, square := 0.0, 0.0
		for _, x := range v {
			mean, square = mean+x/float64(len(v)), square+x*x/float64(len(v))
		}
		for i := range v {
			v[i] += 0.01 * math.Sqrt(square-mean*mean) * rng.NormFloat64()
		}
		table.Vars = append(table.Vars, dataset.Column{Name: name, Values: v})
	}
	last := len(table.Vars) - 1
	table.Target, table.Vars = table.Vars[last], table.Vars[:last]
	return table
}

// Populations are amounts. Phases that only rise, angles by their unit, and states of both signs
// are not.
func TestAmounts(t *testing.T) {
	prepared := func(o Options, states, laws []string, starts [][]float64, end float64, u string) *searcher {
		table := noisyRuns(states, laws, starts, end)
		if u != "" {
			table.Vars[2].HasUnit = true
			var err error
			if table.Vars[2].Unit, err = unit.Parse(u); err != nil {
				t.Fatal(err)
			}
		}
		tr, _, err := Read(table, o)
		if err != nil {
			t.Fatal(err)
		}
		sr := &searcher{tr: tr}
		sr.prepare(t.Context())
		return sr
	}
	prey := []string{"N*(1 - P)", "P*(N - 1)"}
	phases := []string{"1 + 0.2*sin(q - p)", "1.5 + 0.3*sin(p - q)"}
	spring := []string{"v", "-x"}
	for _, c := range []struct {
		name string
		sr   *searcher
		want bool
	}{
		{"populations", prepared(Options{}, []string{"N", "P"}, prey, [][]float64{{2, 1}}, 20, ""), true},
		{"phases", prepared(Options{}, []string{"p", "q"}, phases, [][]float64{{0, 1}}, 20, ""), false},
		{"angle", prepared(Options{}, []string{"N", "P"}, prey, [][]float64{{2, 1}}, 20, "rad"), false},
		{"spring", prepared(Options{}, []string{"x", "v"}, spring, [][]float64{{1, 0}}, 20, ""), false},
		{"order 2", prepared(Options{Order: 2}, []string{"N", "P"}, prey, [][]float64{{2, 1}}, 20, ""), false},
	} {
		if got := c.sr.amounts; got != c.want {
			t.Errorf("%s: amounts %v, want %v", c.name, got, c.want)
		}
	}
}

// Only columns that stay well above zero get Arrhenius terms. One of the starting values of the
// constant inside is within a factor of two of each plausible value.
func TestArrheniusTerms(t *testing.T) {
	tr, _, err := Read(noisyRuns([]string{"c", "T"}, []string{"0.3*(1 - c) - 40*exp(-2000/T)*c", "0.3*(350 - T) + 6000*exp(-2000/T)*c"},
		[][]float64{{1, 320}, {0.1, 420}}, 15), Options{})
	if err != nil {
		t.Fatal(err)
	}
	sr := &searcher{tr: tr}
	sr.prepare(t.Context())
	var starts []float64
	for _, term := range sr.bent(2) {
		switch text := term.Infix(sr.names); text {
		case "c*exp(-(c0/T))":
			starts = append(starts, term.Params()[0])
		case "exp(-(c0/c))":
			t.Error("Arrhenius term of a column that is nearly zero")
		}
	}
	if !slices.ContainsFunc(starts, func(c float64) bool { return c > 1000 && c < 4000 }) {
		t.Errorf("starting values %.4g, want one near 2000", starts)
	}
}
