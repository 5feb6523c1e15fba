package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/physlib/lab/physlib/corpus/synthetic"
	"github.com/physlib/lab/physlib/search"
)

// Each law is one line of the results file, and a second run measures only missing laws.
func TestLedger(t *testing.T) {
	out := filepath.Join(t.TempDir(), "ledger.jsonl")
	measured := 0
	o := LedgerOptions{Laws: 2, Seed: 1, Rows: 40, Time: 30 * time.Millisecond, Out: out,
		Done: func(LedgerRecord, int) { measured++ }}
	records, err := Ledger(t.Context(), o)
	if err != nil || len(records) != 2 || measured != 2 {
		t.Fatalf("%d records, %d measured, %v", len(records), measured, err)
	}
	for i, r := range records {
		if r.Index != uint64(i) || r.Seed != 1 || r.Rows != 40 || r.Time != 0.03 || r.Kind != []string{synthetic.Whole, synthetic.Random}[i] ||
			r.Law == "" || r.Variables == 0 || r.Version == "" || r.Machine == "" || r.Error != "" {
			t.Errorf("law %d: %+v", i, r)
		}
		if _, err := r.Experience(); err != nil {
			t.Error(err)
		}
		for k, p := range r.Parts {
			part, ok := search.ParsePart(p.Part)
			earlier := LedgerRecord{Time: r.Time, Parts: r.Parts[:k]}
			if !ok || earlier.needless(part) || p.Found && p.Laws == 0 || part.View.Units() && r.Class == search.Unitless.String() {
				t.Errorf("law %d: part %+v after %v", i, p, earlier.Parts)
			}
		}
	}
	if !slices.ContainsFunc(records[1].Parts, func(p PartRecord) bool { return p.Found }) {
		t.Errorf("%s is found by no part", records[1].Law)
	}
	o.Laws = 3
	again, err := Ledger(t.Context(), o)
	if err != nil || len(again) != 3 || measured != 3 || again[2].Noise != ledgerNoise {
		t.Fatalf("%d records, %d measured, %v", len(again), measured, err)
	}
	if diff := cmp.Diff(records, again[:2]); diff != "" {
		t.Error(diff)
	}
	if kept, err := ReadLedgerResults(out); err != nil || !cmp.Equal(kept, again) {
		t.Errorf("the file holds %d records, want 3: %v", len(kept), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o.Laws = 4
	if part, err := Ledger(ctx, o); !errors.Is(err, context.Canceled) || len(part) != 3 {
		t.Errorf("cancelled: %d records, %v", len(part), err)
	}
}

// Some parts are measured again. The others keep their results and the version that measured them.
func TestLedgerParts(t *testing.T) {
	o := LedgerOptions{Laws: 2, Seed: 1, Rows: 40, Time: 30 * time.Millisecond}
	old, err := Ledger(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	part := search.Part{View: search.Variables, Method: search.Sums}
	for i := range old {
		old[i].Version = "before"
		old[i].Parts = append(old[i].Parts, PartRecord{Part: "a part of old"})
	}
	o.From, o.Parts = old, []search.Part{part}
	again, err := Ledger(t.Context(), o)
	if err != nil || len(again) != 2 {
		t.Fatalf("%d records, %v", len(again), err)
	}
	for i, r := range again {
		if r.Version != "before" || len(r.Parts) != len(old[i].Parts)-1 {
			t.Errorf("law %d: %+v", i, r)
		}
		for _, p := range r.Parts {
			if (p.Part == part.String()) != (p.Version == Version()) {
				t.Errorf("law %d: %+v", i, p)
			}
		}
	}
}

// A product of powers is found by search.Simplest, and the other parts are not run for it.
func TestLedgerSuite(t *testing.T) {
	o := LedgerOptions{Suite: suiteFile(t, threeLaws), Laws: 10, Rows: 30, Time: 20 * time.Millisecond}
	records, err := Ledger(t.Context(), o)
	if err != nil || len(records) != 3 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	for i, name := range []string{"fall", "ohm", "growth"} {
		r := records[i]
		if r.Law != name || r.Suite != o.Suite || r.Noise != 0 || r.Class != search.Bound.String() && i < 2 {
			t.Errorf("law %d: %+v", i, r)
		}
		last := r.Parts[len(r.Parts)-1]
		if simple := r.simple(); simple != (name != "growth") || simple && (len(r.Parts) != 1 || last.Part != "groups simplest") {
			t.Errorf("%s: parts %v", name, r.Parts)
		}
	}
}

func TestLedgerErrors(t *testing.T) {
	dir := t.TempDir()
	wrong := filepath.Join(dir, "wrong.jsonl")
	if err := os.WriteFile(wrong, []byte("{}x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]LedgerOptions{
		"no-such":             {Suite: "no-such"},
		"no-such.csv":         {Suite: filepath.Join(dir, "no-such.csv")},
		"line 1 is no result": {Out: wrong},
		"is compressed":       {Out: filepath.Join(dir, "a.jsonl.gz")},
		`unknown name "q"`:    {Suite: suiteFile(t, "id,law,output,v1_name,v1_low,v1_high\na,x*q,y,x,1,2\n")},
	} {
		o.Laws, o.Rows, o.Time = 1, 20, time.Millisecond
		if _, err := Ledger(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	if _, err := ReadLedgerResults(filepath.Join(dir, "none.jsonl")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// needlessRecord is the record of a law that the part "sums 0" found, and for which the part with
// joins used all its time.
var needlessRecord = LedgerRecord{Class: search.Unitless.String(), Variables: 2, Time: 3, Parts: []PartRecord{
	{Part: "variables simplest", Seconds: 0.001},
	{Part: "variables sums 0", Found: true, Seconds: 0.2},
	{Part: "variables joins 0", Seconds: 3.1},
	{Part: "variables waves", Seconds: 3.1},
	{Part: "variables dowsing", Found: true, Seconds: 0.1}, // a part that the search no longer has
}}

func TestNeedless(t *testing.T) {
	for name, want := range map[string]bool{
		"variables sums 0":              false, // there is no shallower part
		"variables sums 1":              true,  // found by a shallower part
		"variables sums 2":              true,
		"variables joins 1":             true,  // a shallower join used all its time
		"variables joins with starts 1": false, // its shallower part was not measured
		"groups joins 1":                false, // it has other variables than the measured joins
	} {
		part, ok := search.ParsePart(name)
		if !ok {
			t.Errorf("there is no part %s", name)
		}
		if got := needlessRecord.needless(part); got != want {
			t.Errorf("%s: needless is %v", name, got)
		}
	}
}

func TestExperience(t *testing.T) {
	e, err := needlessRecord.Experience()
	if err != nil || e.Class != search.Unitless || e.Variables != 2 || e.Noise || len(e.Tried) != 4 {
		t.Fatalf("%+v, %v", e, err)
	}
	part := func(name string) search.Part { p, _ := search.ParsePart(name); return p }
	for name, want := range map[string]search.Trial{
		"variables sums 0":  {Found: true, Seconds: 0.2},
		"variables joins 0": {Seconds: 3.1, Truncated: true},
	} {
		if got := e.Tried[part(name)]; got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	noisy := needlessRecord
	noisy.Noise = 0.01
	if e, err := noisy.Experience(); err != nil || !e.Noise {
		t.Errorf("with noise: %+v, %v", e, err)
	}
	noisy.Class = "free"
	if _, err := noisy.Experience(); err == nil || !strings.Contains(err.Error(), `no class "free"`) {
		t.Errorf("another class: %v", err)
	}
}

func TestSummarizeLedger(t *testing.T) {
	records := []LedgerRecord{
		needlessRecord, // found by one part
		{Parts: []PartRecord{{Part: "variables simplest", Found: true, Seconds: 0.5}}}, // no other part was run
		{Parts: []PartRecord{{Part: "variables sums 0", Found: true, Seconds: 1}, {Part: "variables joins 0", Found: true, Seconds: 1}}},
		{Parts: []PartRecord{{Part: "variables joins 0", Seconds: 3}}},
		{Error: "no data", Parts: []PartRecord{{Part: "variables joins 0", Found: true}}},
	}
	s := SummarizeLedger(records)
	want := LedgerSummary{Laws: 4, Found: 3, Parts: []PartSummary{
		{"variables sums 0", 2, 2, 1, 1.2, ""},
		{"variables simplest", 2, 1, 0, 0.501, ""},
		{"variables joins 0", 3, 1, 0, 7.1, ""},
		{"variables waves", 1, 0, 0, 3.1, ""},
	}}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	if text := s.String(); !strings.HasPrefix(text, "3 of 4 laws found\n") || !strings.Contains(text, "\nvariables sums 0                     2     2      1       1.2\n") {
		t.Errorf("table:\n%s", text)
	}
	if s := SummarizeLedger(nil); s.Laws != 0 || len(s.Parts) != 0 {
		t.Errorf("of nothing: %+v", s)
	}
}

func TestLedgerRows(t *testing.T) {
	rows := []LedgerRow{{Run: "ledger-seed-1", Seed: 1, Laws: 120, Time: 3, Version: "abc", Machine: "here", Command: "physlib bench ledger",
		PartSummary: PartSummary{"variables sums 0", 120, 60, 3, 17.25, ""}}}
	var b strings.Builder
	if err := WriteLedgerRows(&b, rows); err != nil {
		t.Fatal(err)
	}
	again, err := ReadLedgerRows(strings.NewReader(b.String()), "ledger.csv")
	if diff := cmp.Diff(rows, again); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if _, err := ReadLedgerRows(strings.NewReader("run\n"), "ledger.csv"); err == nil || !strings.Contains(err.Error(), "ledger.csv has the columns run") {
		t.Errorf("other columns: %v", err)
	}
}
