package discover

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/physlib/lab/experiments/outfile"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// savedFormat is the version of run files.
const savedFormat = 1

// saved is a run file: enough to go on with the search, and to tell later where the laws came from.
type saved struct {
	Format      int        `json:"physlib_run"`
	Version     string     `json:"version"`
	Began       time.Time  `json:"began"`
	Table       string     `json:"table"`
	Fingerprint string     `json:"fingerprint"` // of the table's contents
	Rows        int        `json:"rows"`
	Outliers    []int      `json:"outliers,omitempty"` // rows of the file that were left out
	Target      string     `json:"target"`
	Seed        int64      `json:"seed"`
	Seconds     float64    `json:"seconds"`
	Evaluations int64      `json:"evaluations"`
	Stopped     string     `json:"stopped"`
	Verdict     string     `json:"verdict"`
	Best        int        `json:"best"` // index in Laws, -1 when nothing is better than a constant
	Laws        []savedLaw `json:"laws"`
}

// savedLaw is a law that reads back exactly. Its columns are called x0, x1, … in Tree, since their names may be anything.
type savedLaw struct {
	Text       string         `json:"law"` // for readers only
	Tree       string         `json:"tree"`
	Vars       []string       `json:"vars"`
	Constants  []law.Constant `json:"constants"`
	Complexity float64        `json:"complexity"`
	R2         *float64       `json:"r2"` // null: not finite
	RMSE       *float64       `json:"rmse"`
	UnitsOK    bool           `json:"units_ok"`
	Score      *float64       `json:"score"`
	Proposer   string         `json:"proposer,omitempty"`
}

// save writes the run file.
func (f finding) save(path string) error {
	s := saved{
		Format: savedFormat, Version: Version(), Began: f.began.UTC().Truncate(time.Second), Table: f.table.Name,
		Fingerprint: fingerprint(f.table), Rows: f.table.Rows(), Outliers: f.outliers(), Target: f.table.Target.Name, Seed: f.settings.Seed,
		Seconds: f.result.Elapsed.Seconds(), Evaluations: f.result.Evaluations, Stopped: f.result.Stopped,
		Verdict: f.result.Verdict, Best: -1, Laws: []savedLaw{},
	}
	for _, l := range f.result.Front {
		if slices.ContainsFunc(l.Constants, func(k law.Constant) bool { return finite(k.Value) == nil }) {
			continue // nothing to go on from
		}
		if !f.none() && sameLaw(l, f.result.Best) {
			s.Best = len(s.Laws)
		}
		s.Laws = append(s.Laws, pack(l))
	}
	if !f.none() && s.Best < 0 {
		s.Best = len(s.Laws)
		s.Laws = append(s.Laws, pack(f.result.Best))
	}
	data, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return outfile.Write(path, append(data, '\n'))
}

func pack(l law.Law) savedLaw {
	constants := slices.Clone(l.Constants)
	for i, k := range constants {
		if finite(k.StdErr) == nil {
			constants[i].StdErr = 0 // unknown
		}
	}
	return savedLaw{
		Text: plain(l, 6), Tree: l.Tree.Infix(placeholders(len(l.Vars))), Vars: l.Vars, Constants: constants, Complexity: l.Complexity,
		R2: finite(l.R2), RMSE: finite(l.RMSE), UnitsOK: l.UnitsOK, Score: finite(l.Score),
		Proposer: l.Proposer,
	}
}

// finite is v for JSON, which knows no NaN.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// or is what p points to, NaN when to nothing.
func or(p *float64) float64 {
	if p == nil {
		return math.NaN()
	}
	return *p
}

// resume reads the run file of --resume and hands its laws to the search. It returns a warning for each law that names
// what the table no longer has.
func (c *Cmd) resume(t *dataset.Table, settings *discover.Settings) (warnings []string, err error) {
	data, err := os.ReadFile(c.Resume)
	if err != nil {
		return nil, badInput("--resume: %s cannot be read: %w; give a file that --save wrote", c.Resume, outfile.Cause(err))
	}
	var s saved
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, badInput("--resume: %s is no run file: %w; give a file that --save wrote", c.Resume, err)
	}
	switch {
	case s.Format == 0:
		return nil, badInput("--resume: %s is no run file: it has no key physlib_run; give a file that --save wrote", c.Resume)
	case s.Format != savedFormat:
		return nil, badInput("--resume: %s has format %d and this physlib reads %d; use the physlib that wrote it: %s", c.Resume, s.Format, savedFormat, s.Version)
	case s.Fingerprint != fingerprint(t):
		return nil, badInput("--resume: %s belongs to another table: %s with %d rows and target %s, not %s with %d and %s; give the table it was made from, or leave --resume out",
			c.Resume, s.Table, s.Rows, s.Target, t.Name, t.Rows(), t.Target.Name)
	}
	for i, l := range s.Laws {
		unpacked, err := l.unpack(t)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("--resume: law %d of %s is left out: %v", i+1, c.Resume, err))
			continue
		}
		settings.Resume = append(settings.Resume, unpacked)
	}
	return warnings, nil
}

// unpack is the law over the columns and constants that t has now.
func (l savedLaw) unpack(t *dataset.Table) (law.Law, error) {
	tree, err := expr.Parse(l.Tree, placeholders(len(l.Vars)))
	switch {
	case err != nil:
		return law.Law{}, fmt.Errorf("%s: %w", l.Text, err)
	case tree.NumParams() > len(l.Constants):
		return law.Law{}, errors.New(l.Text + ": a constant has no value")
	}
	nodes := slices.Clone(tree.Nodes())
	for i, n := range nodes {
		if n.Op == expr.Param {
			nodes[i].Value = l.Constants[n.Index].Value // where a fit starts
		}
	}
	tree, _ = expr.FromNodes(nodes)
	var vars []string
	for _, v := range t.Vars {
		vars = append(vars, v.Name)
	}
	for _, k := range t.Consts {
		vars = append(vars, k.Name)
	}
	return law.Law{
		Tree: tree, Vars: l.Vars, Target: t.Target.Name, Constants: l.Constants, Complexity: l.Complexity, R2: or(l.R2),
		RMSE: or(l.RMSE), UnitsOK: l.UnitsOK, Score: or(l.Score), Proposer: l.Proposer,
	}.Over(vars)
}

// placeholders are the names of n columns in a run file: x0, x1, ….
func placeholders(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = "x" + strconv.Itoa(i)
	}
	return names
}

// fingerprint tells tables apart by what a law depends on: names, units and all values, but not the file's name.
func fingerprint(t *dataset.Table) string {
	h := sha256.New()
	column := func(c dataset.Column) {
		fmt.Fprintf(h, "%q %t %q %g %g;", c.Name, c.HasUnit, c.Unit.Dim.String(), c.Unit.Scale, c.Unit.Offset)
		binary.Write(h, binary.LittleEndian, c.Values)
	}
	column(t.Target)
	for _, v := range t.Vars {
		column(v)
	}
	binary.Write(h, binary.LittleEndian, t.Sigma)
	return hex.EncodeToString(h.Sum(nil))[:16]
}
