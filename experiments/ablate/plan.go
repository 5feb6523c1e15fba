package ablate

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/physlib/lab/physlib/spelling"
	"github.com/physlib/lab/physlib/system"
)

// File is an ablation: a preset, and cells that each change one thing in it.
type File struct {
	Name   string `yaml:"-"`
	Kind   string `yaml:"kind"` // infer, train or adapt
	About  string `yaml:"about"`
	Preset string `yaml:"preset"`
	// For infer and adapt: file of weights; "": the embedded ones.
	Weights string         `yaml:"weights"`
	Seeds   []int64        `yaml:"seeds"`
	Time    time.Duration  `yaml:"time"`  // for train: processor time per run
	Steps   int64          `yaml:"steps"` // for train: updates per run; 0: as many as Time allows
	Score   Score          `yaml:"score"`
	With    map[string]any `yaml:"with"` // changes of the preset in all runs
	Cells   []Cell         `yaml:"cells"`
}

// Cell is a set of values to compare.
type Cell struct {
	Name  string `yaml:"name"`
	About string `yaml:"about"`
	// Key is the key of a preset to which the values belong, such as refine.steps. It is empty if
	// each value lists its own changes.
	Key string `yaml:"key"`
	// Baseline is the value with which the others are compared. "" means the first.
	Baseline string         `yaml:"baseline"`
	Metric   string         `yaml:"metric"` // metric of the comparison; "": the first of the kind
	With     map[string]any `yaml:"with"`   // changes in all runs of the cell
	// Values are the values of Key. Without a key, each is a map from a name to changes.
	Values []any `yaml:"values"`
}

// Score holds the settings for measuring a run.
type Score struct {
	Suite string `yaml:"suite" json:"suite"` // suite of `physlib bench candidates`; "": heldout
	// Number of laws; 0: none for train, 40 for other kinds.
	Laws int `yaml:"laws" json:"laws"`
	Rows int `yaml:"rows" json:"rows"` // rows per table; 0: 64
	// Choose is the rule that chooses one law from the candidates, see chooses. "" means best-fit.
	Choose  string `yaml:"choose" json:"-"`
	NoUnits bool   `yaml:"no_units" json:"units"` // hide the units
	// Seconds is the processor time per law after which candidates are not counted. 0 means no
	// limit.
	Seconds float64 `yaml:"seconds" json:"seconds"`
	// Adapt adapts the system to each table first, with the settings in the preset's key adapt.
	Adapt bool `yaml:"adapt" json:"adapt"`
	// Loss is for infer: also measure the loss on held-out laws, see system.System.HeldOut.
	Loss bool `yaml:"loss" json:",omitempty"`
}

// Values that are allowed in an ablation.
var (
	kinds   = []string{"infer", "train", "adapt"}
	chooses = []string{"best-fit", "most-visited", "last", "first"}
)

// Run is one value of a cell with one seed.
type Run struct {
	Kind, Cell, Value, Baseline string
	Metric                      string // metric of the comparison
	Seed                        int64
	Preset, Weights             string
	Time                        time.Duration
	Steps                       int64
	Score                       Score
	Overlay                     []byte         // preset as YAML: the base and the changes
	Config                      *system.Config // the preset that Overlay describes
}

// Name returns the name of the run, which is also the name of its folder.
func (r *Run) Name() string { return fmt.Sprintf("%s=%s-s%d", r.Cell, r.Value, r.Seed) }

// Hash returns a string that is equal for runs with equal computations, such as the baselines of
// several cells.
func (r *Run) Hash() string {
	score := r.Score
	if r.Kind == "train" && score.Laws == 0 {
		score = Score{}
	}
	config := *r.Config
	config.Name, config.About = "", ""
	var adapt *system.AdaptConfig
	if r.Kind == "adapt" || score.Adapt {
		adapt = &config.Adapt
	}
	limit, steps := r.Time, r.Steps
	if r.Kind != "train" {
		limit, steps = 0, 0
	}
	text, err := json.Marshal(struct {
		Kind, Preset, Weights string
		Config                system.Config
		Adapt                 *system.AdaptConfig
		Seed                  int64
		Time                  time.Duration
		Score                 Score
		Steps                 int64 `json:",omitempty"`
	}{r.Kind, r.Preset, r.Weights, config, adapt, r.Seed, limit, score, steps})
	if err != nil {
		panic(err) // cannot happen, since all fields can be encoded
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))[:16]
}

// Load reads an ablation and checks its runs. An unknown key or name is an error that names the
// nearest valid one.
func Load(path string) (*File, []*Run, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("ablation: %w", err)
	}
	f := &File{Name: strings.TrimSuffix(filepath.Base(path), ".yaml")}
	if err := strict(text, f, "kind", "about", "preset", "weights", "seeds", "time", "steps", "score", "with", "cells",
		"name", "key", "baseline", "metric", "values", "suite", "laws", "rows", "choose", "no_units", "seconds", "adapt", "loss"); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	runs, err := f.runs()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, runs, nil
}

// strict decodes YAML text into v. An unknown key is an error that suggests one of keys.
func strict(text []byte, v any, keys ...string) error {
	err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(v)
	if err == nil {
		return nil
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	if _, rest, ok := strings.Cut(line, "unknown field \""); ok {
		key, _, _ := strings.Cut(rest, "\"")
		line += fmt.Sprintf("; did you mean %s?", spelling.Closest(key, keys))
	}
	if strings.Contains(line, "was used where mapping is expected") {
		line += "; a file of ablations is YAML with kind, preset and cells, as those in experiments/configs"
	}
	return fmt.Errorf("%s", line)
}

// oneOf returns an error unless value is in names.
func oneOf(key, value string, names []string) error {
	if slices.Contains(names, value) {
		return nil
	}
	return fmt.Errorf("%s: no %q; did you mean %s? There are %s", key, value, spelling.Closest(value, names), strings.Join(names, ", "))
}

// runs returns all runs of f, sorted by seed and then by cell. So every value gets a first run
// before any value gets a second.
func (f *File) runs() (runs []*Run, err error) {
	if err := oneOf("kind", f.Kind, kinds); err != nil {
		return nil, err
	}
	if len(f.Seeds) == 0 {
		f.Seeds = []int64{1, 2}
	}
	if f.Kind == "train" && (f.Time < 0 || f.Steps < 0 || f.Time == 0 && f.Steps == 0) {
		return nil, fmt.Errorf("time: is %v, steps %d; say how much processor time a run trains, as 2m, or how many updates it makes", f.Time, f.Steps)
	}
	names := map[string]bool{}
	for _, c := range f.Cells {
		if c.Name == "" || names[c.Name] || strings.ContainsAny(c.Name, "/= ,") {
			return nil, fmt.Errorf("cells: the name %q is missing, in use, or has a slash, a comma, a blank or an equals sign", c.Name)
		}
		names[c.Name] = true
	}
	for _, seed := range f.Seeds {
		for _, c := range f.Cells {
			list, err := f.cell(c, seed)
			if err != nil {
				return nil, fmt.Errorf("cell %s: %w", c.Name, err)
			}
			runs = append(runs, list...)
		}
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("cells: there are none")
	}
	return runs, nil
}

// value is one of the values that a cell compares.
type value struct {
	name    string
	changes map[string]any // what it changes in the preset: keys, nested as in YAML, and their values
}

// cell returns the runs of cell c for a seed.
func (f *File) cell(c Cell, seed int64) (runs []*Run, err error) {
	var values []value
	for _, v := range c.Values {
		if c.Key != "" {
			values = append(values, value{fmt.Sprint(v), nested(c.Key, v)})
			continue
		}
		m, ok := v.(map[string]any)
		if !ok || len(m) != 1 {
			return nil, fmt.Errorf("values: %v is not a name with its changes; write `- name: {key: …}`, or give the cell a key", v)
		}
		for name, changes := range m {
			m, ok := changes.(map[string]any)
			if !ok && changes != nil {
				return nil, fmt.Errorf("value %s: %v are no changes", name, changes)
			}
			values = append(values, value{name, m})
		}
	}
	baseline := c.Baseline
	if baseline == "" && len(values) > 0 {
		baseline = values[0].name
	}
	if !slices.ContainsFunc(values, func(v value) bool { return v.name == baseline }) {
		return nil, fmt.Errorf("baseline: %q is not one of its values", baseline)
	}
	metrics := metricsOf[f.Kind]
	metric := cmp.Or(c.Metric, metrics[0].name)
	if err := oneOf("metric", metric, metricNames(f.Kind)); err != nil {
		return nil, err
	}
	for _, v := range values {
		r, err := f.run(merged(merged(f.With, c.With), v.changes), c.Name+"="+v.name)
		if err != nil {
			return nil, fmt.Errorf("value %s: %w", v.name, err)
		}
		r.Cell, r.Value, r.Baseline, r.Seed, r.Metric = c.Name, v.name, baseline, seed, metric
		runs = append(runs, r)
	}
	return runs, nil
}

// run returns the run with the given changes, which may concern the score, preset, weights and
// time, or keys of the preset.
func (f *File) run(changes map[string]any, name string) (*Run, error) {
	r := &Run{Kind: f.Kind, Preset: f.Preset, Weights: f.Weights, Time: f.Time, Steps: f.Steps, Score: f.Score}
	if s, ok := changes["score"]; ok {
		text, err := yaml.Marshal(s)
		if err == nil {
			err = strict(text, &r.Score, "suite", "laws", "rows", "choose", "no_units", "seconds", "adapt", "loss")
		}
		if err != nil {
			return nil, fmt.Errorf("score: %w", err)
		}
	}
	for key, to := range map[string]*string{"preset": &r.Preset, "weights": &r.Weights} {
		if v, ok := changes[key]; ok {
			*to = fmt.Sprint(v)
		}
	}
	if t, ok := changes["time"]; ok {
		d, err := time.ParseDuration(fmt.Sprint(t))
		if err != nil {
			return nil, fmt.Errorf("time: %w", err)
		}
		r.Time = d
	}
	if r.Kind != "train" {
		r.Score.Laws = cmp.Or(r.Score.Laws, 40)
	}
	r.Score.Rows, r.Score.Suite = cmp.Or(r.Score.Rows, 64), cmp.Or(r.Score.Suite, "heldout")
	r.Score.Choose = cmp.Or(r.Score.Choose, chooses[0])
	if err := oneOf("score.choose", r.Score.Choose, chooses); err != nil {
		return nil, err
	}
	if r.Score.Laws < 0 || r.Score.Rows < 4 || r.Score.Seconds < 0 {
		return nil, fmt.Errorf("score: laws %d, rows %d, seconds %v: none may be negative, rows are at least 4", r.Score.Laws, r.Score.Rows, r.Score.Seconds)
	}
	preset := map[string]any{"base": r.Preset}
	for key, v := range changes {
		if !slices.Contains([]string{"score", "preset", "weights", "time"}, key) {
			preset[key] = v
		}
	}
	var err error
	if r.Overlay, err = yaml.MarshalWithOptions(preset, yaml.Flow(false)); err != nil {
		return nil, err
	}
	r.Config, err = system.Parse(name, r.Overlay)
	return r, err
}

// nested returns {a: {b: v}} for the key "a.b".
func nested(key string, v any) map[string]any {
	first, rest, more := strings.Cut(key, ".")
	if !more {
		return map[string]any{first: v}
	}
	return map[string]any{first: nested(rest, v)}
}

// merged returns a with the changes of b: maps are merged recursively, other values replaced.
func merged(a, b map[string]any) map[string]any {
	all := map[string]any{}
	for k, v := range a {
		all[k] = v
	}
	for k, v := range b {
		x, isMap := all[k].(map[string]any)
		y, ok := v.(map[string]any)
		if isMap && ok {
			all[k] = merged(x, y)
			continue
		}
		all[k] = v
	}
	return all
}
