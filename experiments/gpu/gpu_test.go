package gpu

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/system"
	"github.com/physlib/lab/physlib/train"
)

// TestPrecisions checks that the training steps of the systems at the sizes of their papers can be
// built in both precisions. Nothing is computed.
func TestPrecisions(t *testing.T) {
	for _, p := range fullPresets {
		e := &env{StageCmd: StageCmd{Tiny: true}, backend: backendtest.Go(t), used: "go"}
		c, err := e.config(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, half := range []bool{true, false} {
			s := settings(c)
			s.BF16 = half
			task, err := system.NewTask(c, 1)
			if err != nil {
				t.Fatal(err)
			}
			cost, err := train.Measure(t.Context(), e.backend, task, s, 0)
			if err != nil || cost.FLOPs <= 0 || cost.Working <= 0 {
				t.Errorf("%s, bfloat16 %t: %v", p, half, err)
			}
		}
	}
}

// TestParity checks that, with equal weights, results in bfloat16 are near those in float32. It
// does so for systems with both kinds of decoders.
func TestParity(t *testing.T) {
	e := &env{StageCmd: StageCmd{Tiny: true}, backend: backendtest.Go(t), used: "go"}
	for _, preset := range []string{"physdiffuse", "parr"} {
		c, err := e.config(preset)
		if err != nil {
			t.Fatal(err)
		}
		oneBucket(c, 2)
		task, err := system.NewTask(c, 1)
		if err != nil {
			t.Fatal(err)
		}
		p, err := precisions(e.backend, task)
		if err != nil || p.Loss > 0.01 || p.Logits > 0.05 || p.Logits == 0 || p.Worst < p.Logits || p.Same < 0.8 {
			t.Errorf("%s: %+v, %v", preset, p, err)
		}
		t.Logf("%s: %+v", preset, p)
	}
}

func TestApart(t *testing.T) {
	x := []float32{1, 2, 3, 4, 0, 2}
	if rms, most, same := apart(x, []float32{11, 12, 13, 4, 0, 2}, 3); rms > 1e-6 || most > 1e-6 || same != 1 {
		t.Errorf("a place raised as a whole: %g %g %g", rms, most, same)
	}
	if rms, most, same := apart(x, []float32{1, 2, 3, 0, 4, 2}, 3); same != 0.5 || !(most > rms && rms > 1) {
		t.Errorf("two tokens exchanged: %g %g %g", rms, most, same)
	}
}

func TestStages(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range stages {
		if s.limit <= 0 || s.about == "" || s.run == nil || seen[s.name] || strings.Trim(s.name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			t.Errorf("stage %+v", s)
		}
		seen[s.name] = true
	}
	if last := stages[len(stages)-1]; last.name != trainStage {
		t.Errorf("the last stage is %s", last.name)
	}
}

// TestRows checks that a result becomes rows of the table, and that a new measurement of a stage
// replaces its old rows.
func TestRows(t *testing.T) {
	o := outcome{Stage: "joins", Device: "X", Result: []byte(`{"rows":[{"pairs":1e9,"ok":true}],"name":"a"}`)}
	rows, err := o.rows()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, strings.Join(r[5:], " "))
	}
	if want := []string{"joins name a", "joins rows.0.ok true", "joins rows.0.pairs 1e9"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestFormRows(t *testing.T) {
	rows := formRows("dim 512\nform seq forward\nchunk          1024        1.500          3.000        1.465          2.0\nattention     65536  left out: needs about 640.0 GiB\nratio chunk attention seq=1024 forward 2.00 both 3.00\n")
	if len(rows) != 2 || rows[0].Both != 3e-3 || rows[1].Why != "needs about 640.0 GiB" || rows[1].Seq != 65536 {
		t.Errorf("%+v", rows)
	}
}

func TestPeak(t *testing.T) {
	for name, want := range map[string]float64{"NVIDIA H100 80GB HBM3": 989e12, "NVIDIA H100 PCIe": 756e12, "NVIDIA A100-SXM4-80GB": 312e12, "GeForce": 0} {
		if got := peak(name); got != want {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
}

func TestNeedsGLibC(t *testing.T) {
	if !backend.HasXLA {
		t.Skip("the test's program uses no glibc")
	}
	if v, err := needsGLibC("/proc/self/exe"); err != nil || !strings.HasPrefix(v, "2.") {
		t.Error(v, err)
	}
	if _, err := needsGLibC("gpu.go"); err == nil {
		t.Error("source is read as a program")
	}
}

// TestDone checks that a second start skips the stages that are done.
func TestDone(t *testing.T) {
	c := &RunCmd{Out: t.TempDir()}
	device, last := stages[0], stages[len(stages)-1]
	if c.done(device, true) {
		t.Error("done without a file")
	}
	for _, o := range []struct {
		outcome
		gpu, want bool
	}{
		{outcome{GPU: true}, true, true},
		// A result from a processor does not count as one from a GPU.
		{outcome{GPU: false}, true, false},
		{outcome{GPU: true, Tiny: true}, true, false},
		{outcome{GPU: true, Error: "not done within 4m0s", Result: []byte(`{"runs":[]}`)}, true, false},
	} {
		if err := write(c.file(device), o.outcome); err != nil {
			t.Fatal(err)
		}
		if got := c.done(device, o.gpu); got != o.want {
			t.Errorf("%+v on a GPU %t: %t", o.outcome, o.gpu, got)
		}
	}
	if err := write(c.file(last), outcome{GPU: true}); err != nil {
		t.Fatal(err)
	}
	if !c.done(last, true) {
		t.Error("training was over")
	}
	c.Time = time.Hour
	if c.done(last, true) {
		t.Error("training has time and does not go on")
	}
}

// TestResult checks that the result is the last line, whatever libraries print before it.
func TestResult(t *testing.T) {
	for out, want := range map[string]string{"{\"a\":1}\n": `{"a":1}`, "I0000 plugin\n{\"a\":1}\n": `{"a":1}`, "I0000 plugin": "", "": "", "{\"a\":1}\nE0000 end\n": ""} {
		if got := string(result([]byte(out))); got != want {
			t.Errorf("%q: %q, want %q", out, got, want)
		}
	}
}
