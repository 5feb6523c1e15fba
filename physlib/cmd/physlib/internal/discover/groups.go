package discover

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/physlib/lab/physlib/cmd/version"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/frame"
	"github.com/physlib/lab/physlib/group"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
)

// byFile is the value of --group that makes each of several tables a group.
const byFile = "file"

// groups reports whether the flags request one law for several groups.
func (c *Cmd) groups() bool { return c.Group != "" && !c.ODE && !c.invariants() }

// checkGroups returns an error if flags for groups exclude each other.
func (c *Cmd) checkGroups() error {
	switch {
	case len(c.PerGroup) > 0 && c.ODE:
		return badFlag("--per-group has no use with --ode, whose runs have one law; leave it out")
	case len(c.PerGroup) > 0 && !c.groups() && !c.invariants():
		return badFlag("--per-group has no use without --group; give --group COLUMN, or --group file with several tables")
	case !c.groups():
		return nil
	case c.Resume != "":
		return badFlag("--resume has no use with --group; leave it out")
	case slices.ContainsFunc(append([]string{c.File}, c.More...), isFolder):
		return badFlag("--group %s: a folder is given; name its tables, as FOLDER/*.csv", c.Group)
	case c.Group == byFile && len(c.More) == 0 && c.Example == "":
		return nil // a column has the name "file"
	case c.Group != byFile && len(c.More) > 0:
		return badFlag("--group %s and several tables: give --group file where each table is a group, or one table", c.Group)
	}
	return nil
}

// runGroups runs the command with --group.
func (c *Cmd) runGroups(ctx context.Context, s streams, settings discover.Settings) error {
	began, start := time.Now(), c.Clock.Now()
	g, table, warnings, err := c.loadGroups(ctx, s.in)
	if err != nil {
		return err
	}
	if table, err = c.sigmas(table, &settings); err != nil {
		return err
	}
	if len(settings.XSigma) > 0 {
		return badFlag("--sigma: with --group only errors of the target count; give --sigma %s=… alone", table.Target.Name)
	}
	given, err := c.apply(table, &settings)
	if err != nil {
		return err
	}
	warnings = append(warnings, mistyped(given, settings, table)...)
	rule, err := c.rule()
	if err != nil {
		return err
	}
	if settings.Time > 0 {
		settings.Time = max(settings.Time-c.Clock.Since(start), atOnce)
	}
	if !c.Quiet && term.IsTerminal(int(s.err.Fd())) {
		p := newProgress(s.err)
		settings.Progress = p.show
		defer p.clear()
	}
	set := group.Settings{Search: settings, Rule: rule, Forms: settings.Resume}
	if given != nil {
		set.Find = func(ctx context.Context, t *dataset.Table, s discover.Settings) (*discover.Result, error) {
			r, err := frame.Discover(ctx, t, given, s)
			if err != nil {
				return nil, err
			}
			return &r.Result, nil
		}
	}
	r, err := group.Discover(ctx, table, g, set)
	if err != nil {
		return badInput("%s: %w", table.Name, err)
	}
	warn(s.errors(), append(warnings, r.Warnings...))
	for _, name := range rule.Own {
		has := func(k law.Constant) bool { return k.Name == name }
		if len(r.Best.Groups) > 0 && !slices.ContainsFunc(r.Best.Form.Constants, has) {
			warn(s.errors(), []string{fmt.Sprintf("--per-group %s: the law found has no such constant but has %s; leave --per-group out to decide in bits", name, ConstantNames(r.Best.Form.Constants))})
		}
	}
	f := grouping{table: table, groups: g, result: r, settings: settings, began: began, options: c}
	return c.end(ctx, s, f, ending{files: []written{{c.Save, f.save}, {c.Report, f.report}}, none: f.none(),
		nothing: fmt.Sprintf("nothing describes %s in %s clearly better than a constant for each group; try more --time, or more rows", table.Target.Name, table.Name)})
}

// ConstantNames lists the names of constants as text.
func ConstantNames(constants []law.Constant) string {
	var names []string
	for _, k := range constants {
		names = append(names, k.Name)
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// rule returns the value of --per-group as a group.Rule.
func (c *Cmd) rule() (group.Rule, error) {
	rule := group.Rule{Given: len(c.PerGroup) > 0}
	for _, name := range c.PerGroup {
		switch digits := strings.TrimLeft(name, "const"); {
		case name == "none" && len(c.PerGroup) == 1:
		case strings.HasPrefix(name, "c") && digits != "" && strings.Trim(digits, "0123456789") == "":
			rule.Own = append(rule.Own, name)
		default:
			return rule, badFlag("--per-group %s: the constants of a law are c0, c1, …; name those with a value for each group, or none", name)
		}
	}
	return rule, nil
}

// loadGroups reads the tables and finds their groups.
func (c *Cmd) loadGroups(ctx context.Context, in io.Reader) (g group.Groups, t *dataset.Table, warnings []string, err error) {
	if len(c.More) == 0 {
		if t, warnings, err = c.load(ctx, in); err != nil {
			return g, nil, nil, err
		}
		if c.Drop {
			t = withGroup(t, c.Group)
		}
		if g, t, err = group.ByColumn(t, c.Group); err != nil {
			return g, nil, nil, badFlag("--group: %w", err)
		}
		// The reader warns of two things: it excludes the column of groups because it is text, and
		// the column may be one of groups. With --group both are known, so these warnings are
		// dropped.
		aside := fmt.Sprintf("column %s ", c.Group)
		warnings = slices.DeleteFunc(warnings, func(w string) bool {
			return strings.Contains(w, aside) && strings.Contains(w, "text") || strings.Contains(w, "groups of rows: --group")
		})
		return g, t, warnings, nil
	}
	var tables []*dataset.Table
	var names []string
	for _, path := range append([]string{c.File}, c.More...) {
		part := *c
		part.File = path
		t, more, err := part.load(ctx, in)
		if err != nil {
			return g, nil, nil, err
		}
		tables, warnings = append(tables, t), append(warnings, more...)
		name := filepath.Base(path)
		name = strings.TrimSuffix(name, filepath.Ext(name))
		if slices.Contains(names, name) {
			name = path
		}
		names = append(names, name)
	}
	if g, t, err = group.Join(tables, names); err != nil {
		return g, nil, nil, badInput("--group file: %w", err)
	}
	if text := group.Origins(tables); text != "" {
		warnings = append(warnings, text)
	}
	return g, t, warnings, nil
}

// withGroup returns t without the rows where the named column of text is empty.
func withGroup(t *dataset.Table, name string) *dataset.Table {
	column, ok := t.Category(name)
	if !ok {
		return t
	}
	var rows []int
	for row, code := range column.Codes {
		if column.Levels[code] != "" {
			rows = append(rows, row)
		}
	}
	return t.Subset(rows)
}

// grouping is a finished run with --group.
type grouping struct {
	table    *dataset.Table
	groups   group.Groups
	result   *group.Result
	settings discover.Settings
	began    time.Time
	options  *Cmd
}

func (f grouping) none() bool { return len(f.result.Best.Groups) == 0 }

// question describes the problem as text, such as: 23 rows in 2 groups of state, rate from conc.
func (f grouping) question() string {
	text := finding{table: f.table}.question()
	of := fmt.Sprintf(" rows in %d groups", len(f.groups.Names))
	if f.groups.Column != "" {
		of += " of " + f.groups.Column
	}
	return strings.Replace(text, " rows", of, 1)
}

// print writes the law, the table of its constants and alternative forms as text.
func (f grouping) print(w io.Writer, s style) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.table.Name, f.question())
	if !f.none() {
		best := f.result.Best
		fmt.Fprintf(&b, "\n    %s%s%s\n\n", s.strong, shape(best.Form), s.reset)
		b.WriteString(GroupTable(f.groups.Names, f.cells()))
		b.WriteString("\n")
		for _, line := range f.decisions() {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		for i, l := range f.result.Front[1:] {
			if i == 0 {
				b.WriteString("\nOther forms\n")
			}
			fmt.Fprintf(&b, "  %+7.1f bits  %s%s\n", l.Bits-best.Bits, shape(l.Form), ownConstants(l))
		}
	}
	fmt.Fprintf(&b, "\n%s\n", f.result.Verdict)
	fmt.Fprintf(&b, "%s%s candidates evaluated in %s%s\n", s.faint, grouped(f.result.Evaluations), shortDuration(f.result.Elapsed), s.reset)
	_, err := io.WriteString(w, b.String())
	return err
}

// ownConstants returns a line that names the constants with a value for each group.
func ownConstants(l group.Law) string {
	var own []string
	for slot, shared := range l.Shared {
		if !shared {
			own = append(own, l.Form.Constants[slot].Name)
		}
	}
	if len(own) == 0 {
		return ", all constants shared"
	}
	return ", " + strings.Join(own, ", ") + " for each group"
}

// cells returns the constants of the law as a table. Each row contains a name, and then one value
// for all groups or one value for each group.
func (f grouping) cells() (rows [][]string) {
	for slot, shared := range f.result.Best.Shared {
		row := []string{f.result.Best.Form.Constants[slot].Name}
		for _, l := range f.result.Best.Groups {
			row = append(row, inUnit(estimate(l.Constants[slot]), l.Constants[slot].Unit))
			if shared {
				break
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// decisions returns a line for each constant that says why all groups share it, or why not.
func (f grouping) decisions() (lines []string) {
	for slot, shared := range f.result.Best.Shared {
		name, bits := f.result.Best.Form.Constants[slot].Name, f.result.Switch[slot]
		text := name + " has a value for each group"
		if shared {
			text = name + " is the same in all groups"
		}
		other := map[bool]string{true: "one for each group", false: "one for all"}[shared]
		given := f.options != nil && len(f.options.PerGroup) > 0
		if given {
			text += ", as given"
		}
		switch {
		case bits < 0:
			text += fmt.Sprintf(": %s would be %.1f bits better", other, -bits)
		case !math.IsNaN(bits):
			text += fmt.Sprintf(": %s would be %.1f bits worse", other, bits)
		case !given:
			text += ": " + other + " was not compared"
		}
		lines = append(lines, text)
	}
	return lines
}

// wideGroups is the largest number of groups printed side by side.
const wideGroups = 5

// GroupTable formats constants by group. Each row contains a name, and then one value for all
// groups or one value for each group.
func GroupTable(groups []string, rows [][]string) string {
	table := [][]string{append([]string{""}, groups...)}
	for _, row := range rows {
		if len(row) == 2 && len(groups) > 1 {
			row = []string{row[0], row[1] + " in all"}
		}
		table = append(table, row)
	}
	after := ""
	if len(groups) > wideGroups {
		table = [][]string{{""}}
		for _, row := range rows {
			if len(row) == 2 {
				after += fmt.Sprintf("  %s = %s in all\n", row[0], row[1])
				continue
			}
			table[0] = append(table[0], row[0])
		}
		for g, name := range groups {
			line := []string{name}
			for _, row := range rows {
				if len(row) > 2 {
					line = append(line, row[1+g])
				}
			}
			table = append(table, line)
		}
	}
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			if len(row) > 2 || i == 0 || len(table[0]) == 2 {
				widths[i] = max(widths[i], utf8.RuneCountInString(cell))
			}
		}
	}
	var b strings.Builder
	for _, row := range table {
		line := " "
		for i, cell := range row {
			line += " " + cell + strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell))+1)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String() + after
}

// file returns the law file for --save and --json.
func (f grouping) file() *lawfile.File {
	s := &lawfile.Single{Target: f.table.Target.Name, Front: []lawfile.Law{}, KnownLaws: []lawfile.KnownLaw{}, Verdict: f.result.Verdict}
	g := &lawfile.Groups{Column: f.groups.Column, Names: f.groups.Names, Shared: []string{}, Laws: []lawfile.Law{}}
	if !f.none() {
		s.Errors = f.result.Best.Form.Errors
		for slot, shared := range f.result.Best.Shared {
			if shared {
				g.Shared = append(g.Shared, f.result.Best.Form.Constants[slot].Name)
			}
		}
		for _, l := range f.result.Best.Groups {
			g.Laws = append(g.Laws, lawfile.Law(l))
		}
	}
	return &lawfile.File{
		Version: version.String(), Created: f.began.UTC().Truncate(time.Second), Table: lawfile.Describe(f.table), Rows: f.table.Rows(), Single: s, Groups: g,
		Stopped: string(f.result.Stopped), Seconds: f.result.Elapsed.Seconds(), Evaluations: f.result.Evaluations, Seed: f.settings.Seed,
	}
}

func (f grouping) save(path string) error { return saveFile(f.file(), path) }

func (f grouping) writeJSON(w io.Writer) error { return writeFile(w, f.file()) }
