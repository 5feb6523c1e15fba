package synthetic

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// A law depends on its seed, index and number of rows, and on nothing else.
func TestExactPure(t *testing.T) {
	draw := func(seed, index uint64, rows int) Law {
		l, err := Exact(seed, index, rows)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for index := range uint64(8) {
		l := draw(3, index, 40)
		if again := draw(3, index, 40); !reflect.DeepEqual(l, again) {
			t.Errorf("law %d: %s, then %s", index, l.Name, again.Name)
		}
		if more := draw(3, index, 60); more.Data.Rows() != 60 || more.Fresh.Rows() != 60 {
			t.Errorf("law %d: %d and %d rows, want 60", index, more.Data.Rows(), more.Fresh.Rows())
		}
		for _, other := range []Law{draw(4, index, 40), draw(3, index+4, 40)} {
			if reflect.DeepEqual(l.Data, other.Data) {
				t.Errorf("law %d: another seed or index gives the same table of %s", index, l.Name)
			}
		}
	}
}

// values returns t, which has no free constants, at the rows of a table.
func values(t expr.Tree, of *dataset.Table) []float64 {
	cols := make([][]float64, len(of.Vars))
	for i, v := range of.Vars {
		cols[i] = v.Values
	}
	return t.Values(of.Rows(), cols, nil)
}

// The kinds alternate, and the data of each law agree with its tree, also at fresh rows.
func TestExactData(t *testing.T) {
	for index := range uint64(40) {
		l, err := Exact(1, index, 50)
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{Whole, Random, Experiment, Sums}[index%4]; l.Kind != want || l.Name == "" {
			t.Errorf("law %d: %q of kind %q, want %q", index, l.Name, l.Kind, want)
		}
		if l.Tree.NumParams() > 0 || len(l.Tree.Vars()) != len(l.Data.Vars) {
			t.Errorf("law %d, %s: %d free constants, %d of %d columns", index, l.Name, l.Tree.NumParams(), len(l.Tree.Vars()), len(l.Data.Vars))
		}
		if l.Kind == Sums && strings.ContainsFunc(l.Data.Target.Unit.String(), func(r rune) bool { return r != '1' }) {
			t.Errorf("law %d, %s: a sum has the unit %s", index, l.Name, l.Data.Target.Unit)
		}
		for _, data := range []*dataset.Table{l.Data, l.Fresh} {
			if data.Rows() != 50 {
				t.Fatalf("law %d, %s: %d rows, want 50", index, l.Name, data.Rows())
			}
			for r, y := range values(l.Tree, data) {
				if got := data.Target.Values[r]; !(math.Abs(got-y) <= 1e-12*math.Abs(y)) {
					t.Errorf("law %d, %s, row %d: the table has %g, the tree %g", index, l.Name, r, got, y)
				}
			}
		}
		if reflect.DeepEqual(l.Data.Target.Values, l.Fresh.Target.Values) {
			t.Errorf("law %d, %s: the further rows are the same", index, l.Name)
		}
	}
}

// No law equals a law of a suite up to constants and names.
func TestExactSuites(t *testing.T) {
	signature := func(tree expr.Tree) (s uint64) {
		if skeleton, _, ok := stream.Skeleton(tree); ok {
			s = stream.Signature(skeleton)
		}
		return s
	}
	suites := map[uint64]string{}
	for _, name := range corpus.Suites() {
		problems, err := corpus.Suite(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			if tree, err := p.Tree(); err == nil {
				suites[signature(tree)] = name + " " + p.ID
			}
		}
	}
	delete(suites, 0) // laws without a skeleton
	if len(suites) < 200 {
		t.Fatalf("%d laws of suites have a signature", len(suites))
	}
	for index := range uint64(60) {
		l, err := Exact(2, index, 30)
		if err != nil {
			t.Fatal(err)
		}
		if id, ok := suites[signature(l.Tree)]; ok {
			t.Errorf("law %d, %s: is %s", index, l.Name, id)
		}
	}
}
