package bench

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// evalTrees are 1000 trees in each of the sets arith and mixed. The trees have 1 to 50 nodes, as in
// Operon's own performance test.
//
//go:embed eval_trees.jsonl.gz
var evalTrees []byte

// EvalOptions are the engines and trees that Eval measures. By default Eval measures only physlib,
// on the embedded trees.
type EvalOptions struct {
	// File of trees, with one JSON object with the members set and post on each line; "": the
	// embedded trees.
	Trees   string
	Rows    []int    // default 1000 and 12800
	Reps    int      // number of repetitions, each of two passes; the fastest pass counts; 0: 5
	Against []string // engines to measure alternately with physlib: pyoperon, numpy
	Python  string   // Python interpreter with the engines of Against; default python3
	// Do not pin physlib and the other engines to one core (pinning works only on Linux).
	AnyCore bool

	Rates func(EvalRate) // called with each rate as it is measured; may be nil
}

// EvalRate is how fast an engine evaluates a set of trees.
type EvalRate struct {
	Set    string
	Rows   int
	Engine string
	Rate   float64 // node evaluations per second, in units of 10⁹
}

// evalSet is a named list of trees.
type evalSet struct {
	name  string
	trees []expr.Tree
	nodes int // number of nodes of all trees, including leaves
	// Number of operations on constants only. physlib computes them once per call, not for each
	// row.
	fixed int
}

// Eval measures how many tree nodes one core evaluates per second, in float32. The rate is the
// number of all nodes, including leaves, times the number of rows, divided by the CPU time of a
// pass over all trees. Trees share no common subexpressions. Subtrees without a column are computed
// once per call; the rate called `varying` does not count their nodes.
//
// The data are 10 columns, uniform in 0.5…2. Other engines alternate with physlib, two passes each,
// on the same core and data. In this way, other load on the machine affects all engines alike. A
// line with a ratio states how many times faster physlib is.
func Eval(ctx context.Context, w io.Writer, o EvalOptions) error {
	if len(o.Rows) == 0 {
		o.Rows = []int{1000, 12800}
	}
	if o.Reps <= 0 {
		o.Reps = 5
	}
	text, err := evalText(o.Trees)
	if err != nil {
		return err
	}
	sets, err := readEvalSets(text)
	if err != nil {
		return fmt.Errorf("%s: %w", treesName(o.Trees), err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	core := -1
	if !o.AnyCore {
		var release func()
		core, release = pin()
		defer release()
	}
	most := 0
	for _, r := range o.Rows {
		if r <= 0 {
			return fmt.Errorf("--rows %d: the number of rows must be above zero", r)
		}
		most = max(most, r)
	}
	cols := evalColumns(most)
	var p *peers
	if len(o.Against) > 0 {
		if p, err = startPeers(ctx, o, text, cols, core); err != nil {
			return err
		}
		defer p.close()
	}
	for _, s := range sets {
		for _, rows := range o.Rows {
			if err := s.measure(ctx, w, o, rows, cols, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure prints the rates for one set and one number of rows.
func (s *evalSet) measure(ctx context.Context, w io.Writer, o EvalOptions, rows int, cols [][]float32, p *peers) error {
	some := make([][]float32, len(cols))
	for v := range some {
		some[v] = cols[v][:rows]
	}
	programs := make([]*expr.Program, len(s.trees))
	for k, t := range s.trees {
		programs[k] = expr.Compile(t)
	}
	values := make([]float32, len(s.trees)*rows)
	pass := func() {
		for k, q := range programs {
			q.Eval32(values[k*rows:(k+1)*rows], some, nil)
		}
	}
	pass()
	best := make([]float64, 1+len(o.Against))
	for i := range best {
		best[i] = math.Inf(1)
	}
	for range o.Reps {
		if err := ctx.Err(); err != nil {
			return err
		}
		for range 2 { // The first pass brings the data back into the caches.
			start := cpuSeconds()
			pass()
			best[0] = min(best[0], cpuSeconds()-start)
		}
		for i, engine := range o.Against {
			seconds, err := p.pass(engine, s.name, rows)
			if err != nil {
				return err
			}
			best[1+i] = min(best[1+i], seconds)
		}
	}
	rate := func(nodes int, seconds float64) float64 { return float64(nodes) * float64(rows) / seconds / 1e9 }
	fmt.Fprintf(w, "eval %s rows=%d trees=%d nodes=%d physlib %.2f G/s (varying %.2f)", s.name, rows, len(s.trees), s.nodes,
		rate(s.nodes, best[0]), rate(s.nodes-s.fixed, best[0]))
	tell := func(engine string, seconds float64) {
		if o.Rates != nil {
			o.Rates(EvalRate{s.name, rows, engine, rate(s.nodes, seconds)})
		}
	}
	tell("physlib", best[0])
	for i, engine := range o.Against {
		fmt.Fprintf(w, ", %s %.2f", engine, rate(s.nodes, best[1+i]))
		tell(engine, best[1+i])
	}
	fmt.Fprintln(w)
	for i, engine := range o.Against {
		fmt.Fprintf(w, "ratio %s rows=%d physlib/%s %.2f\n", s.name, rows, engine, best[1+i]/best[0])
	}
	if p == nil {
		return nil
	}
	return p.check(w, s, rows, values)
}

func treesName(path string) string {
	if path == "" {
		return "the embedded trees"
	}
	return path
}

// evalText returns the text of the file at path, or of the embedded trees if path is "".
func evalText(path string) ([]byte, error) {
	if path != "" {
		return os.ReadFile(path)
	}
	z, err := gzip.NewReader(bytes.NewReader(evalTrees))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// readEvalSets reads trees in postfix notation. Tokens are x0 … x9, numbers, operators and
// functions.
func readEvalSets(text []byte) ([]*evalSet, error) {
	var sets []*evalSet
	byName := map[string]*evalSet{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var r struct {
			Set  string `json:"set"`
			Post []any  `json:"post"`
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		t, fixed, err := postfixTree(r.Post)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		s := byName[r.Set]
		if s == nil {
			s = &evalSet{name: r.Set}
			byName[r.Set], sets = s, append(sets, s)
		}
		s.trees, s.nodes, s.fixed = append(s.trees, t), s.nodes+t.Len(), s.fixed+fixed
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(sets) == 0 {
		return nil, errors.New("no trees: each line is to be an object like {\"set\": \"arith\", \"post\": [\"x0\", 2, \"*\"]}")
	}
	return sets, nil
}

var evalOps = map[string]expr.Op{"+": expr.Add, "-": expr.Sub, "*": expr.Mul, "/": expr.Div, "exp": expr.Exp, "log": expr.Log,
	"sin": expr.Sin, "cos": expr.Cos, "sqrt": expr.Sqrt}

// evalVars is the number of columns in the trees.
const evalVars = 10

// postfixTree returns the tree of the tokens, and how many of its operations have only constant
// operands.
func postfixTree(post []any) (t expr.Tree, fixed int, err error) {
	nodes := make([]expr.Node, len(post))
	varies := make([]bool, 0, len(post))
	for i, token := range post {
		switch x := token.(type) {
		case float64:
			nodes[i], varies = expr.Node{Op: expr.Number, Value: x}, append(varies, false)
			continue
		case string:
			if op, ok := evalOps[x]; ok && len(varies) >= op.Arity() {
				rest := len(varies) - op.Arity()
				v := varies[rest] || varies[len(varies)-1]
				if !v {
					fixed++
				}
				nodes[i], varies = expr.Node{Op: op}, append(varies[:rest], v)
				continue
			}
			if len(x) == 2 && x[0] == 'x' && '0' <= x[1] && x[1] <= '9' {
				nodes[i], varies = expr.Node{Op: expr.Var, Index: int32(x[1] - '0')}, append(varies, true)
				continue
			}
		}
		return t, 0, fmt.Errorf("token %d, %v, is neither x0 … x9 nor a number, nor one of + - * / exp log sin cos sqrt with its operands before it", i+1, token)
	}
	t, ok := expr.FromNodes(nodes)
	if !ok {
		return t, 0, errors.New("the tokens are not one expression in postfix")
	}
	return t, fixed, nil
}

// evalColumns returns evalVars columns of random numbers, uniform in 0.5…2.
func evalColumns(rows int) [][]float32 {
	rng := rand.New(rand.NewPCG(7, 0))
	cols := make([][]float32, evalVars)
	for v := range cols {
		cols[v] = make([]float32, rows)
		for i := range cols[v] {
			cols[v][i] = 0.5 + 1.5*rng.Float32()
		}
	}
	return cols
}

// knownPeers are the engines that peers/evalbench.py can run.
var knownPeers = []string{"pyoperon", "numpy"}

func unknownPeer(name string) error {
	return fmt.Errorf("--against %s: known engines are %s", name, strings.Join(knownPeers, ", "))
}
