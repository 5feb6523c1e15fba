package ablate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/cmd/outfile"
)

// Result is the result of a run, the content of result.json in its folder.
type Result struct {
	Hash    string    `json:"hash"`
	Name    string    `json:"run"`
	Command string    `json:"command"`
	Version string    `json:"version"` // commit of the program, see bench.Version
	Budget  string    `json:"budget"`
	Began   time.Time `json:"began"`
	// Seconds is the processor time of everything, including compilation and scoring.
	Seconds float64            `json:"cpu_seconds"`
	Metrics map[string]float64 `json:"metrics,omitempty"`
	Laws    []Outcome          `json:"laws,omitempty"`
}

// Outcome is the outcome for one law.
type Outcome struct {
	ID     string `json:"id"`
	Tokens int    `json:"tokens,omitempty"`
	Among  bool   `json:"among"` // whether the true form is among the candidates
	// Chosen reports for each rule of chooses whether the law chosen has the true form.
	Chosen     map[string]bool `json:"chosen,omitempty"`
	R2         float64         `json:"r2"` // highest R² of all candidates
	Candidates int             `json:"candidates"`
	Distinct   int             `json:"distinct"`
	Seconds    float64         `json:"cpu_seconds"`
}

// metric is a number by which runs are compared.
type metric struct {
	name, unit string
	higher     bool                            // whether higher is better
	law        func(o Outcome, r *Run) float64 // value for a law, if the metric is a mean over laws
}

// share returns the function law of a metric that counts laws. Its value is 1 for an outcome for
// which `is` reports true, else 0.
func share(is func(o Outcome, r *Run) bool) func(Outcome, *Run) float64 {
	return func(o Outcome, r *Run) float64 {
		if is(o, r) {
			return 1
		}
		return 0
	}
}

const laws = "share of laws"

var (
	among = metric{"among", laws, true, share(func(o Outcome, _ *Run) bool { return o.Among })}
	infer = []metric{
		among,
		{"chosen", laws, true, share(func(o Outcome, r *Run) bool { return o.Chosen[r.Score.Choose] })},
		{"r2>0.999", laws, true, share(func(o Outcome, _ *Run) bool { return o.R2 > 0.999 })},
		{"candidates", "a law", true, func(o Outcome, _ *Run) float64 { return float64(o.Candidates) }},
		{"distinct", "a law", true, func(o Outcome, _ *Run) float64 { return float64(o.Distinct) }},
		{name: "cpu_seconds", unit: "s a law, median"},
		{name: "candidates_per_cpu_second", unit: "1/s", higher: true},
		{name: "tokens_loss", unit: "nats per masked token"},
		{name: "guided_loss", unit: "nats per masked token"},
	}
	// metricsOf has the metrics of each kind, the default first.
	metricsOf = map[string][]metric{
		"infer": infer,
		"train": {{name: "tokens_loss", unit: "nats per masked token"}, {name: "length_loss", unit: "nats"}, among,
			{name: "parameters", unit: "1"}, {name: "steps", unit: "1", higher: true}, {name: "step_seconds", unit: "s CPU a step"},
			{name: "peak_memory", unit: "MB"}},
		"adapt": {{name: "adapted_found", unit: laws, higher: true}, {name: "found", unit: laws, higher: true},
			{name: "twice_found", unit: laws, higher: true}, {name: "adapted_fitted", unit: laws, higher: true}, {name: "fitted", unit: laws, higher: true},
			{name: "twice_fitted", unit: laws, higher: true}, {name: "laws", unit: "1"}, {name: "rank", unit: "1"}, {name: "steps", unit: "1"},
			{name: "seconds", unit: "s a law"}},
	}
)

func metricNames(kind string) (names []string) {
	for _, m := range metricsOf[kind] {
		names = append(names, m.name)
	}
	return names
}

// of returns the value of the metric in the result r of run. ok is false if the run has not
// measured the metric, or if the score of the run does not request the metric.
func (m metric) of(run *Run, r *Result) (x float64, ok bool) {
	if run.Kind == "infer" && run.Score.Loss != strings.HasSuffix(m.name, "_loss") {
		return 0, false // a run that measures losses has too few laws for the other metrics
	}
	if m.law == nil || len(r.Laws) == 0 { // a result from a table has only means over laws
		x, ok = r.Metrics[m.name]
		return x, ok
	}
	for _, o := range r.Laws {
		x += m.law(o, run)
	}
	return x / float64(len(r.Laws)), true
}

const resultName = "result.json"

// save writes r into dir atomically.
func (r *Result) save(dir string) error {
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, resultName), append(data, '\n'))
}

// writeFile creates the folder of path if needed and writes path atomically.
func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return outfile.Write(path, data)
}

// results returns the finished runs in the folders of dir, by hash. A run whose file cannot be read
// counts as unfinished.
func results(dir string) map[string]*Result {
	all := map[string]*Result{}
	files, _ := filepath.Glob(filepath.Join(dir, "*", resultName)) // the pattern is valid: no error
	for _, f := range files {
		var r Result
		if data, err := os.ReadFile(f); err == nil && json.Unmarshal(data, &r) == nil && r.Hash != "" {
			all[r.Hash] = &r
		}
	}
	return all
}
