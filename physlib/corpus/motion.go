package corpus

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Motion is a known system of differential equations, and how its trajectories are measured.
type Motion struct {
	ID, Title string
	// Rate of change of each of States; ranges are those of the published data.
	Laws   []Problem
	States []string // names of the measured quantities
	// For each trajectory: the initial states and, at Order 2, then the initial velocities.
	Starts    [][]float64
	End, Step float64 // times of the measurements: from 0 to End in steps of Step
	// 1: Laws are dx/dt; 2: Laws are d²x/dt², with states and velocities as variables
	Order int
}

// Motions returns the systems of a suite with trajectories: strogatz, motion, motion-more,
// motion-held-out, or a file in the form of motion.csv. The suites motion and motion-more are the
// development sets of this project. The systems of motion-held-out are textbook systems of many
// fields. They were chosen before the search was tuned, and are not used to tune it.
func Motions(suite string) ([]Motion, error) {
	set := strings.ToLower(suite)
	file, read := set+".csv", tables.ReadFile
	switch {
	case set == "strogatz" || moving(set):
		suite = set
	case strings.HasSuffix(set, ".csv"):
		file, read = suite, os.ReadFile
	default:
		return nil, fmt.Errorf("suite %q has no trajectories; strogatz, %s do, or a FILE.csv in the form of motion.csv",
			suite, strings.Join(movingSuites, ", "))
	}
	problems, err := Suite(suite)
	if err != nil {
		return nil, err
	}
	data, err := read(file)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return systems(file, rows, problems)
}

// systems groups the laws of a table by the system that they belong to.
func systems(file string, rows [][]string, problems []Problem) (out []Motion, err error) {
	for k, row := range rows[1:] {
		cell := func(name string) string {
			if i := slices.Index(rows[0], name); i >= 0 {
				return strings.TrimSpace(row[i])
			}
			return ""
		}
		i := slices.IndexFunc(out, func(m Motion) bool { return m.ID == cell("system") })
		if i < 0 {
			m := Motion{ID: cell("system"), Title: cell("name"), Order: 1}
			if err := m.measured(cell); err != nil {
				return nil, fmt.Errorf("%s: line %d: %w", file, k+2, err)
			}
			out, i = append(out, m), len(out)
		}
		m := &out[i]
		p := problems[k]
		m.Laws = append(m.Laws, p)
		prefix := "d"
		if m.Order == 2 {
			prefix = "d2"
		}
		state, _, ok := strings.Cut(strings.TrimPrefix(p.Output, prefix), "_d")
		if !ok || !slices.Contains(p.Names(), state) {
			return nil, fmt.Errorf("%s: line %d: output %q is not a rate of a variable such as dx_dt", file, k+2, p.Output)
		}
		m.States = append(m.States, state)
	}
	return out, nil
}

// measured sets the starts, end, step and order of m from the cells of a row.
func (m *Motion) measured(cell func(string) string) (err error) {
	for _, start := range strings.Split(cell("starts_published")+cell("starts"), ";") {
		var s []float64
		for _, v := range strings.Split(strings.Trim(strings.TrimSpace(start), "()"), ",") {
			x, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
			if err != nil {
				return fmt.Errorf("starts_published: %w", err)
			}
			s = append(s, x)
		}
		m.Starts = append(m.Starts, s)
	}
	if m.End, err = strconv.ParseFloat(cell("t_end"), 64); err != nil {
		return fmt.Errorf("t_end: %w", err)
	}
	if m.Step, err = strconv.ParseFloat(cell("dt"), 64); err != nil {
		return fmt.Errorf("dt: %w", err)
	}
	if cell("order") == "2" {
		m.Order = 2
	}
	return nil
}

// Times returns the times at which m is measured.
func (m Motion) Times() []float64 {
	times := make([]float64, int(m.End/m.Step+1e-9)+1)
	for i := range times {
		times[i] = float64(i) * m.Step
	}
	return times
}

// moving reports whether an embedded suite has only trajectories.
func moving(suite string) bool { return slices.Contains(movingSuites, suite) }

// movingSuites are the embedded suites that have only trajectories.
var movingSuites = []string{"motion", "motion-more", "motion-held-out"}
