package expr

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

func loadTrees(tb testing.TB, set string) (trees []Tree, nodes int) {
	f, err := os.Open("/work/shared/benchmarks/trees.jsonl")
	if err != nil {
		tb.Skip(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	ops := map[string]Op{"+": Add, "-": Sub, "*": Mul, "/": Div, "exp": Exp, "log": Log, "sin": Sin, "cos": Cos, "sqrt": Sqrt}
	for sc.Scan() {
		var r struct {
			Set  string
			Post []any
		}
		json.Unmarshal(sc.Bytes(), &r)
		if r.Set != set {
			continue
		}
		var ns []Node
		for _, t := range r.Post {
			switch t := t.(type) {
			case float64:
				ns = append(ns, Node{Op: Number, Value: t})
			case string:
				if op, ok := ops[t]; ok {
					ns = append(ns, Node{Op: op})
				} else {
					ns = append(ns, Node{Op: Var, Index: int32(t[1] - '0')})
				}
			}
		}
		nodes += len(ns)
		trees = append(trees, Tree{ns})
	}
	return
}

func BenchmarkTrees32(b *testing.B) {
	for _, set := range []string{"arith", "mixed"} {
		trees, nodes := loadTrees(b, set)
		for _, rows := range []int{1000, 12800} {
			b.Run(fmt.Sprintf("%s/%d", set, rows), func(b *testing.B) {
				cols := make([][]float32, 10)
				for v := range cols {
					cols[v] = make([]float32, rows)
					for i := range cols[v] {
						cols[v][i] = 0.5 + 1.5*float32((i*7919+v*104729)%10007)/10007
					}
				}
				progs := make([]*Program, len(trees))
				for k, t := range trees {
					progs[k] = Compile(t)
				}
				buf := make([]float32, len(trees)*rows)
				one := make([]float32, rows)
				for k, p := range progs {
					p.Eval32(buf[k*rows:(k+1)*rows], cols, nil)
				}
				b.Run("distinct", func(b *testing.B) {
					for range b.N {
						for k, p := range progs {
							p.Eval32(buf[k*rows:(k+1)*rows], cols, nil)
						}
					}
					b.ReportMetric(float64(nodes)*float64(rows)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "G/s")
				})
				b.Run("same", func(b *testing.B) {
					for range b.N {
						for _, p := range progs {
							p.Eval32(one, cols, nil)
						}
					}
					b.ReportMetric(float64(nodes)*float64(rows)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "G/s")
				})
			})
		}
	}
}
