package notebook

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/figure"
	"github.com/physlib/lab/physlib/law"
)

// kepler returns the planets' table and the result of a short search.
var kepler = sync.OnceValues(func() (*dataset.Table, *discover.Result) {
	table, _, err := dataset.Example("kepler")
	if err != nil {
		panic(err)
	}
	found, err := discover.Discover(context.Background(), table, discover.Settings{Evaluations: 2000, Proposers: []string{discover.Search}})
	if err != nil {
		panic(err)
	}
	return table, found
})

// A later cell gets exactly the laws that an earlier cell stored, to the last bit.
func TestKeep(t *testing.T) {
	t.Setenv(protocol.GONB_TMP_DIR_ENV, t.TempDir())
	table, found := kepler()
	Keep("result", found)
	Keep("law", found.Best)
	Keep("numbers", []float64{1, math.Pi})
	back := Kept[*discover.Result]("result")
	if back.Verdict != found.Verdict || back.Evaluations != found.Evaluations || len(back.Front) != len(found.Front) {
		t.Errorf("kept %+v, was %+v", back, found)
	}
	want := Predict(found.Best, table)
	for _, l := range []law.Law{back.Best, Kept[law.Law]("law")} {
		if got := Predict(l, table); !equal(got, want) {
			t.Errorf("the law %s predicts %v, kept as %s %v", found.Best.Display(0), want, l.Display(0), got)
		}
	}
	if got := Kept[[]float64]("numbers"); !equal(got, []float64{1, math.Pi}) {
		t.Errorf("numbers are %v", got)
	}
	Keep("nothing", &discover.Result{Verdict: "no law"})
	if got := Kept[*discover.Result]("nothing"); got.Verdict != "no law" || got.Best.Tree.Len() != 0 {
		t.Errorf("an empty result is %+v", got)
	}
}

func equal(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

// An error that ends a cell is reported in one line and with an exit code. It is tested in a
// separate process.
func TestCheckEndsTheCell(t *testing.T) {
	switch os.Getenv("PHYSLIB_TEST_CELL") {
	case "check":
		Check(errors.New("two\nlines"))
	case "read":
		Read("testdata/absent.csv")
	case "kept":
		Kept[int]("nobody kept this")
	case "env":
		Int("PHYSLIB_TEST_CELL", 1)
	case "":
		for _, tc := range []struct{ cell, want string }{
			{"check", "two; lines\n"},
			{"read", "testdata/absent.csv"},
			{"kept", `nothing is kept under "nobody kept this": run the cell that keeps it first, or all cells from the top`},
			{"env", `$PHYSLIB_TEST_CELL is "env"; give a whole number, such as 5`},
		} {
			cmd := exec.Command(os.Args[0], "-test.run=^TestCheckEndsTheCell$")
			cmd.Env = append(os.Environ(), "PHYSLIB_TEST_CELL="+tc.cell)
			var told bytes.Buffer
			cmd.Stderr = &told
			err := cmd.Run()
			if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("%s: the cell ended with %v", tc.cell, err)
			}
			if got := told.String(); !strings.Contains(got, tc.want) || strings.Count(got, "\n") != 1 {
				t.Errorf("%s: the cell said %q, should be one line with %q", tc.cell, got, tc.want)
			}
		}
	}
}

func TestOr(t *testing.T) {
	for value, want := range map[string]int{"": 10, "0": 10, "1": 2} {
		t.Setenv("PHYSLIB_QUICK", value)
		if got := Or(10, 2); got != want {
			t.Errorf("PHYSLIB_QUICK=%s: %d, want %d", value, got, want)
		}
	}
	t.Setenv("STEPS", "7")
	t.Setenv("LIMIT", "90s")
	if Int("STEPS", 1) != 7 || Int("NOT_SET", 5) != 5 || Duration("LIMIT", time.Second) != 90*time.Second {
		t.Error("numbers of the environment are not read")
	}
}

// GoNB sends outputs in the encoding gob, which has no null, to a kernel that does not know the
// types of this package.
func TestJSONCanBeSent(t *testing.T) {
	table, found := kepler()
	for _, p := range []figure.Picture{Front(found.Front, found.Best, table), Against(table, found.Best)} {
		spec, ok := p.VegaLite(figure.Options{})
		if !ok {
			t.Fatal("the picture has no interactive form")
		}
		plain, err := jsonValue(spec)
		if err != nil {
			t.Fatal(err)
		}
		var wire bytes.Buffer
		if err := gob.NewEncoder(&wire).Encode(map[string]any{"data": plain}); err != nil {
			t.Errorf("a picture of %s cannot be sent: %v", p.Alt, err)
		}
	}
	got, err := jsonValue(map[string]any{"stroke": nil, "x": []any{nil, 1}, "gone": nil})
	if err != nil {
		t.Fatal(err)
	}
	m := got.(map[string]any)
	if _, there := m["gone"]; there || m["stroke"] != "transparent" || m["x"].([]any)[0] != "" {
		t.Errorf("nulls became %v", m)
	}
}

// Without a kernel and under nbconvert a panel draws once, with its initial values.
func TestPanelWithoutBrowser(t *testing.T) {
	p := NewPanel()
	steps, noise, kind := p.Int("steps", 1, 64, 100), p.Log("noise", 1e-4, 1, 0.0123), p.Select("system", []string{"a", "b"}, "b")
	share, size := p.Float("share", 0, 1, 0.333), p.Choose("rank", []int{4, 16, 32}, 16)
	drawn := 0
	p.Loop(func(ctx context.Context, a *Area) {
		drawn++
		a.Show("shown")
		if steps() != 64 || noise() != 0.0123 || kind() != "b" || share() != 0.333 || size() != 16 {
			t.Errorf("the panel begins with %d, %v, %s, %v, %d", steps(), noise(), kind(), share(), size())
		}
	})
	if drawn != 1 {
		t.Errorf("drawn %d times", drawn)
	}
}

// A page may repeat a message, messages may arrive out of order, and a page of another panel may
// send values that do not fit. Each move of a slider and each press of a button still counts once,
// and the last valid message determines the values.
func TestPanelReceives(t *testing.T) {
	p := NewPanel()
	kind, tau := p.Select("kind <b>", []string{"100 %", "b"}, "b"), p.Float("temperature", 0.5, 2, 1)
	page := p.page("/x")
	for _, want := range []string{`<label for="physlib_kind--b-_`, "kind &lt;b&gt;", `<option value="0">100 %</option><option value="1" selected>b</option>`, "&#34;1&#34;", "Cancel</button>", `"/x"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "%!") {
		t.Error("a label was read as a format")
	}
	waiting := func(c <-chan struct{}) bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	for i, step := range []struct {
		text           string
		changed, press bool // whether a value changed, and whether a button was pressed
		kind           string
		tau            float64
	}{
		// First message of a page.
		{`{"seq":5,"values":[1,33],"clicks":[0,0,0]}`, false, false, "b", 1},
		{`{"seq":7,"values":[0,100],"clicks":[0,1,0]}`, true, true, "100 %", 2},
		{`{"seq":7,"values":[0,100],"clicks":[0,1,0]}`, false, false, "100 %", 2}, // repeated
		{`{"seq":6,"values":[0,50],"clicks":[0,0,0]}`, false, false, "100 %", 2},  // out of order
		// From another panel.
		{`{"seq":8,"values":[0],"clicks":[0,2,0]}`, false, false, "100 %", 2},
		{`nonsense`, false, false, "100 %", 2},
		// Values beyond the ends of the sliders.
		{`{"seq":9,"values":[9,-3],"clicks":[0,2,0]}`, true, true, "b", 0.5},
	} {
		p.receive(step.text)
		if changed, press := waiting(p.changed), waiting(p.clicked[cancels]); changed != step.changed || press != step.press {
			t.Errorf("message %d: moved %t, pressed %t; want %t, %t", i, changed, press, step.changed, step.press)
		}
		if kind() != step.kind || tau() != step.tau {
			t.Errorf("message %d: %s, %g; want %s, %g", i, kind(), tau(), step.kind, step.tau)
		}
	}
}

// A running draw ends before the next one begins. A draw that finishes sends a signal; a draw that
// was halted does not.
func TestStart(t *testing.T) {
	done := make(chan struct{}, 1)
	running := make(chan struct{})
	halt := start(func(ctx context.Context, a *Area) { close(running); <-ctx.Done() }, NewArea(), done)
	<-running
	halt()
	if len(done) != 0 {
		t.Error("a draw that was halted is done")
	}
	halt = start(func(context.Context, *Area) {}, NewArea(), done)
	<-done
	halt()
}

// Areas use the colours of the page, show errors instead of ending, and escape text for HTML.
func TestPage(t *testing.T) {
	table, found := kepler()
	got := page(Against(table, found.Best), found.Best, errors.New("a < b"), "x & y", figure.Lines([]figure.Series{{X: []float64{1}}}, figure.Axis{}, figure.Axis{}))
	for _, want := range []string{"<svg", "var(--ink", "<math", "a &lt; b", "x &amp; y", "1 values of x"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// Problem returns what Proposers see. The unexplained share of the variance is 0 for the true law,
// between 0 and 1 for a wrong law, and 1 for a law without a finite value.
func TestProblem(t *testing.T) {
	table := Sample("Coulomb force", 50, 0)
	if again := Sample("I.12.2", 50, 0); !equal(table.Target.Values, again.Target.Values) {
		t.Error("a law by number and by title are two tables")
	}
	p := Problem(table, discover.Settings{})
	if len(p.Vars) != len(table.Vars) || !p.Units {
		t.Fatalf("the problem has %d of %d columns, units %t", len(p.Vars), len(table.Vars), p.Units)
	}
	for law, ok := range map[string]func(left float64) bool{
		"c0*q1*q2/(epsilon*r**2)":   func(left float64) bool { return left < 1e-20 },
		"c0*q1*q2/(epsilon*r**3)":   func(left float64) bool { return left > 1e-6 && left < 1 },
		"c0*sqrt(0-q1)":             func(left float64) bool { return left == 1 },
		"c0*log(q1-q1)/(epsilon*r)": func(left float64) bool { return left == 1 },
	} {
		tree, err := expr.Parse(law, Names(table))
		if err != nil {
			t.Fatal(err)
		}
		if left := Unexplained(p, tree); !ok(left) {
			t.Errorf("%s leaves %g", law, left)
		}
	}
}

func TestRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte("step,loss,name\n1,0.5,a\n2,,b\n3,0.25,c\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	rows, err := Records(path)
	if err != nil {
		t.Fatal(err)
	}
	x, y := Numbers(rows, "step", "loss")
	if !equal(x, []float64{1, 3}) || !equal(y, []float64{0.5, 0.25}) || rows[1]["name"] != "b" {
		t.Errorf("read %v: %v, %v", rows, x, y)
	}
	if _, err := Records(path + "x"); err == nil {
		t.Error("a file that is not there is read")
	}
}

// A law of one column is drawn as a curve over that column; for other laws measurements are drawn
// against predictions.
func TestAgainst(t *testing.T) {
	table, found := kepler()
	if alt := Against(table, found.Best).Alt; !strings.Contains(alt, "against a") {
		t.Errorf("the planets' law is drawn as %q", alt)
	}
	table = Sample("I.12.2", 20, 0.01)
	tree, err := expr.Parse("q1*q2/epsilon", Names(table))
	if err != nil {
		t.Fatal(err)
	}
	p := Against(table, law.Law{Tree: tree, Vars: Names(table), Target: "F"})
	if !strings.Contains(p.Alt, "predicted") {
		t.Errorf("a law of three columns is drawn as %q", p.Alt)
	}
	if _, err := p.SVG(figure.Options{}); err != nil {
		t.Error(err)
	}
}
