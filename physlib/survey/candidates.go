package survey

import (
	"sync"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// Most fits of one survey, and the share of them that laws of one variable get in tables of several.
const (
	mostFits = 40_000
)

var lists sync.Map // of listKey: func() []Form

type listKey struct {
	prior Prior
	vars  int
}

// enumerated is Enumerate of the default size, once for each prior.
func enumerated(p Prior, vars int) []Form {
	once, _ := lists.LoadOrStore(listKey{p, vars}, sync.OnceValue(func() []Form { return Enumerate(p, vars, Default(vars)) }))
	return once.(func() []Form)()
}

// Candidates are trees over t's variables to be fitted in a survey: the likeliest forms in one to three variables, over each
// choice of them. With few evaluations there are fewer; 0 is no limit.
func Candidates(t *mdl.Table, evaluations int64) []expr.Tree {
	fits := mostFits
	if evaluations > 0 {
		fits = min(fits, int(evaluations/2))
	}
	vars := make([]int, len(t.Cols))
	for i := range vars {
		vars[i] = i
	}
	most := min(3, t.Vars())
	var out []expr.Tree
	for k := 1; k <= most; k++ {
		share := fits / most
		n := 0
		for _, f := range enumerated(t.Prior, k) {
			if len(f.Tree.Vars()) != k || f.Tree.NumParams()+2 > t.Rows() {
				continue
			}
			trees := Assign(f.Tree, k, vars, t.Dependent)
			if n += len(trees); n > share {
				break
			}
			out = append(out, trees...)
		}
	}
	return out
}
