package bench

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/corpus/tables"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
)

// fewTables returns three tables: a spring with an offset, a decay with a wrong value in row 6 of
// the file, and noise.
func fewTables(t testing.TB) []tables.Table {
	t.Helper()
	all, err := tables.Open("testdata/tables/index.csv")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// says returns a discoverer that finds laws[name] in the table of that name. It calls each law
// likely with a probability of 0.95, and names row 6.
func says(laws map[string]string) discoverer {
	find := knows(laws)
	return func(ctx context.Context, t *dataset.Table, s discover.Settings) (*discover.Result, error) {
		r, err := find(ctx, t, s)
		if err == nil && r.Best.Tree.Len() > 0 {
			r.Verdict, r.Probability = "likely: the next is far; row 6 of the file was left out", 0.95
		}
		return r, err
	}
}

func TestTables(t *testing.T) {
	o := TablesOptions{Tables: fewTables(t), Jobs: 2, Out: filepath.Join(t.TempDir(), "results.jsonl")}
	o.discover = says(map[string]string{"spring.csv": "0.42*F", "decay.csv": "80/1.2337**t"})
	records, err := Tables(t.Context(), o)
	if err != nil || len(records) != 3 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	for _, r := range records {
		v := r.Judged
		switch r.File {
		case "spring.csv": // the law lacks the offset
			if v.Chosen || v.Front || !v.SureWrong || !v.Over || v.RowsNamed != nil || v.NoneRight != nil || r.Time != 20 {
				t.Errorf("%+v", v)
			}
		case "decay.csv":
			if !v.Chosen || v.ConstantsOK == nil || !*v.ConstantsOK || v.Over || v.RowsNamed == nil || !*v.RowsNamed {
				t.Errorf("%+v", v)
			}
		case "nothing.csv":
			if v.NoneRight == nil || !*v.NoneRight || v.Over || r.Code != 3 {
				t.Errorf("%+v", v)
			}
		}
	}
	s := SummarizeTables(records)
	if s.All.Tables != 2 || s.All.Chosen != 1 || s.All.SureWrong != 1 || s.Noise.None != 1 || len(s.Classes) != 2 {
		t.Errorf("%+v", s)
	}
	// One law is right, the other is wrong.
	if brier := (0.05*0.05 + 0.95*0.95) / 2; s.Scored != 2 || math.Abs(s.Stated-0.95) > 1e-12 || math.Abs(s.Brier-brier) > 1e-12 {
		t.Errorf("%d laws, mean %g, Brier score %g, want %g", s.Scored, s.Stated, s.Brier, brier)
	}
	if text := s.String(); !strings.Contains(text, "noise: 1 of 1 right") || !strings.Contains(text, "power+offset") {
		t.Error(text)
	}

	outcomes, err := ReadOutcomes(o.Out)
	if err != nil {
		t.Fatal(err)
	}
	stated, accepted := 0, 0
	for _, o := range outcomes {
		if o.Stated != nil && *o.Stated == 0.95 {
			stated++
		}
		if o.right() {
			accepted++
		}
	}
	if stated != 2 || accepted != 1 {
		t.Errorf("results are read as %d outcomes with a probability, %d of them right", stated, accepted)
	}

	again, err := Rejudge(o.Tables, mustTableResults(t, o.Out))
	if err != nil || len(again) != 3 {
		t.Fatalf("%d records, %v", len(again), err)
	}
	if text := SummarizeTables(again).String(); text[:60] != s.String()[:60] {
		t.Error(text)
	}
	if _, err := Rejudge(o.Tables[:1], again[1:]); err == nil {
		t.Error("results of other tables give no error")
	}
}

func mustTableResults(t testing.TB, name string) []TableRecord {
	t.Helper()
	records, err := ReadTableResults(name)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// Verdicts on recorded results for the embedded tables agree with those of an independent program
// that uses SciPy and SymPy.
func TestTableVerdicts(t *testing.T) {
	f, err := os.Open("testdata/tables.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	all, err := tables.All()
	if err != nil {
		t.Fatal(err)
	}
	show := func(v any) string {
		text, _ := json.Marshal(v)
		return string(text)
	}
	for line := range bytes.Lines(text) {
		var want TableRecord
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		got, err := Rejudge(all, []TableRecord{want})
		if err != nil {
			t.Errorf("%s: %v", want.File, err)
			continue
		}
		g, w := got[0].Judged, want.Judged
		for _, c := range []struct {
			name      string
			got, want any
		}{
			{"chosen", g.Chosen, w.Chosen}, {"front", g.Front, w.Front}, {"over", g.Over, w.Over},
			{"sure_wrong", g.SureWrong, w.SureWrong}, {"constants_ok", g.ConstantsOK, w.ConstantsOK}, {"alias", g.Alias, w.Alias},
			{"none_right", g.NoneRight, w.NoneRight}, {"rows_named", g.RowsNamed, w.RowsNamed}, {"failed", g.Failed, w.Failed},
		} {
			if show(c.got) != show(c.want) {
				t.Errorf("%s: %s is %s, want %s", want.File, c.name, show(c.got), show(c.want))
			}
		}
	}
}

func TestTablesResume(t *testing.T) {
	var calls atomic.Int32
	failing := true
	find := says(map[string]string{"spring.csv": "1.5+0.42*F"})
	o := TablesOptions{Tables: fewTables(t), Out: filepath.Join(t.TempDir(), "results.jsonl")}
	o.discover = func(ctx context.Context, t *dataset.Table, s discover.Settings) (*discover.Result, error) {
		calls.Add(1)
		if failing && t.Name == "decay.csv" {
			panic("out of luck")
		}
		return find(ctx, t, s)
	}
	records, err := Tables(t.Context(), o)
	if err != nil || SummarizeTables(records).Failed != 1 || !strings.Contains(records[1].String(), "out of luck") {
		t.Fatalf("%v, %v", records, err)
	}
	failing = false
	if records, err = Tables(t.Context(), o); err != nil || len(records) != 3 || SummarizeTables(records).Failed != 0 || calls.Load() != 4 {
		t.Errorf("%v, %v, %d searches", records, err, calls.Load())
	}
	for _, change := range []func(){
		func() { o.Settings.Seed = 1 },
		func() { o.Settings.Time = time.Second },
		func() { o.Settings.Proposers = []string{discover.Search} },
	} {
		change()
		calls.Store(0)
		if _, err := Tables(t.Context(), o); err != nil || calls.Load() != 3 {
			t.Errorf("%v, %d searches with other options, want 3", err, calls.Load())
		}
	}
}

func TestTablesInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := TablesOptions{Tables: fewTables(t), Out: filepath.Join(t.TempDir(), "results.jsonl")}
	find := says(map[string]string{"spring.csv": "1.5+0.42*F"})
	o.discover = func(ctx context.Context, t *dataset.Table, s discover.Settings) (*discover.Result, error) {
		if t.Name == "decay.csv" {
			cancel()
		}
		return find(ctx, t, s)
	}
	records, err := Tables(ctx, o)
	if !errors.Is(err, context.Canceled) || len(records) != 1 || !records[0].Judged.Chosen {
		t.Errorf("%v, %v", records, err)
	}
	if kept := mustTableResults(t, o.Out); len(kept) != 1 {
		t.Errorf("%d records are kept", len(kept))
	}
}

// If units are ignored, only tables that have units are searched.
func TestTablesWithoutUnits(t *testing.T) {
	o := TablesOptions{Tables: fewTables(t), Settings: discover.Settings{NoUnits: true, Evaluations: 10}}
	o.discover = func(_ context.Context, t *dataset.Table, s discover.Settings) (*discover.Result, error) {
		if !s.NoUnits || s.Time >= 0 || s.Evaluations != 10 {
			return nil, errors.New("other settings")
		}
		return &discover.Result{}, nil
	}
	records, err := Tables(t.Context(), o)
	if err != nil || len(records) != 1 || records[0].File != "spring.csv" || records[0].Units || records[0].Error != "" {
		t.Errorf("%+v, %v", records, err)
	}
	o.Tables = o.Tables[1:]
	if _, err := Tables(t.Context(), o); err == nil {
		t.Error("no table with units is not an error")
	}
}
