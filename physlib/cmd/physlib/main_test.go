package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"physlib": main})
}

// TestScripts runs the scripts in testdata/script. Each contains what a user types and sees.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			// The folder of table files that other programs wrote.
			formats, err := filepath.Abs("../../dataset/testdata/formats")
			env.Setenv("FORMATS", formats)
			repo, more := filepath.Abs(root)
			env.Setenv("REPO", repo)
			// The script that installs physlib needs these variables of the Go toolchain.
			for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY"} {
				value, failed := exec.Command("go", "env", name).Output()
				more = errors.Join(more, failed)
				env.Setenv(name, strings.TrimSpace(string(value)))
			}
			return errors.Join(err, more)
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":      code,
			"interrupt": interrupt,
			"json":      jsonKey,
			"notworse":  notWorse,
			"oneline":   oneLine,
			"samejson":  sameJSON,
			"table":     table,
		},
	})
}

// code N PROGRAM ARGS… runs a program and checks its exit code.
func code(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitCode(ts, ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func exitCode(ts *testscript.TestScript, err error) int {
	var e *exec.ExitError
	if err != nil && !errors.As(err, &e) {
		ts.Fatalf("%v", err)
	}
	if e == nil {
		return 0
	}
	return e.ExitCode()
}

// interrupt AFTER PROGRAM ARGS… runs a program whose standard input stays open and empty, and sends
// it SIGINT after the time AFTER. The program must exit with code 130 within ten seconds. Its
// output is in the files stdout.txt and stderr.txt.
func interrupt(ts *testscript.TestScript, _ bool, args []string) {
	after, err := time.ParseDuration(args[0])
	ts.Check(err)
	path, err := exec.LookPath(args[1])
	ts.Check(err)
	var out, errs strings.Builder
	cmd := exec.Command(path, args[2:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), &out, &errs
	cmd.Env = append(os.Environ(), "TMPDIR="+ts.Getenv("TMPDIR"))
	silent, open, err := os.Pipe()
	ts.Check(err)
	defer open.Close()
	defer silent.Close()
	cmd.Stdin = silent
	ts.Check(cmd.Start())
	time.Sleep(after)
	ts.Check(cmd.Process.Signal(os.Interrupt))
	late := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
	err = cmd.Wait()
	ts.Logf("[stdout]\n%s[stderr]\n%s", out.String(), errs.String())
	if !late.Stop() {
		ts.Fatalf("still running ten seconds after the interrupt")
	}
	if got := exitCode(ts, err); got != 130 {
		ts.Fatalf("exit code %d, want 130", got)
	}
	ts.Check(os.WriteFile(ts.MkAbs("stdout.txt"), []byte(out.String()), 0o666))
	ts.Check(os.WriteFile(ts.MkAbs("stderr.txt"), []byte(errs.String()), 0o666))
}

// json FILE KEY… [REGEXP] follows the keys and indices into a JSON file, which may be stdout. The
// value there must match the regular expression.
func jsonKey(ts *testscript.TestScript, neg bool, args []string) {
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	var v any
	ts.Check(d.Decode(&v))
	if _, err := d.Token(); err != io.EOF {
		ts.Fatalf("more than one object in %s", args[0])
	}
	for _, key := range args[1 : len(args)-1] {
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(x) {
				ts.Fatalf("no element %s of %d", key, len(x))
			}
			v = x[i]
		default:
			ts.Fatalf("nothing under %s", key)
		}
	}
	text, _ := json.Marshal(v)
	if want := args[len(args)-1]; regexp.MustCompile(want).Match(text) == neg {
		ts.Fatalf("%s, want %s (negated: %t)", text, want, neg)
	}
}

// decode reads a file of one JSON object, which may be stdout.
func decode(ts *testscript.TestScript, file string) (v any) {
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(file)), &v))
	return v
}

// samejson FILE FILE compares two JSON objects, however they are indented.
func sameJSON(ts *testscript.TestScript, neg bool, args []string) {
	if reflect.DeepEqual(decode(ts, args[0]), decode(ts, args[1])) == neg {
		ts.Fatalf("%s and %s are the same object: %t", args[0], args[1], neg)
	}
}

// notworse BEFORE AFTER compares two law files. The description of the best law of AFTER must not
// be longer than that of BEFORE.
func notWorse(ts *testscript.TestScript, _ bool, args []string) {
	bits := func(file string) float64 {
		best, _ := decode(ts, file).(map[string]any)["best"].(map[string]any)
		score, ok := best["score"].(float64)
		if !ok {
			ts.Fatalf("%s has no best law with a score", file)
		}
		return score
	}
	if before, after := bits(args[0]), bits(args[1]); !(after <= before+1e-6) {
		ts.Fatalf("the best law of %s has %g bits, that of %s had %g", args[1], after, args[0], before)
	}
}

// oneline FILE requires a single line of text.
func oneLine(ts *testscript.TestScript, _ bool, args []string) {
	if s := ts.ReadFile(args[0]); strings.Count(s, "\n") != 1 || !strings.HasSuffix(s, "\n") {
		ts.Fatalf("not one line:\n%s", s)
	}
}

// table FILE ROWS COLUMNS LAW writes a table of random columns x1, x2, … between 1 and 5 and the
// target y. LAW is pendulum (y = 2π√(x1/x2)), or noise (y is independent of all columns). With the
// LAW oscillator the table has the columns t, x and v of a trajectory instead.
func table(ts *testscript.TestScript, _ bool, args []string) {
	rows, err := strconv.Atoi(args[1])
	ts.Check(err)
	columns, err := strconv.Atoi(args[2])
	ts.Check(err)
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	w := bufio.NewWriter(f)
	if args[3] == "oscillator" {
		fmt.Fprintln(w, "t,x,v")
		for i := range rows {
			t := float64(i) / 150
			fmt.Fprintf(w, "%.8g,%.8g,%.8g\n", t, math.Cos(2*t), -2*math.Sin(2*t))
		}
		ts.Check(errors.Join(w.Flush(), f.Close()))
		return
	}
	rng := rand.New(rand.NewSource(1))
	for i := range columns {
		fmt.Fprintf(w, "x%d,", i+1)
	}
	fmt.Fprintln(w, "y")
	x := make([]float64, columns)
	for range rows {
		for i := range x {
			x[i] = math.Round(1e6*(1+4*rng.Float64())) / 1e6
			w.WriteString(strconv.FormatFloat(x[i], 'g', -1, 64) + ",")
		}
		y := rng.NormFloat64()
		if args[3] == "pendulum" {
			y = 2 * math.Pi * math.Sqrt(x[0]/x[1])
		}
		w.WriteString(strconv.FormatFloat(y, 'g', -1, 64) + "\n")
	}
	ts.Check(errors.Join(w.Flush(), f.Close()))
}
