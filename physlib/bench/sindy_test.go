package bench

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A sum counts as exact if it is the truth with other coefficients and has no superfluous term.
func TestMinimal(t *testing.T) {
	j := motionJudge(t, "lotka_volterra", 0)
	names := []string{"x", "y"}
	for sum, want := range map[string]bool{
		"(1.09)*x + (-0.41)*x*y":             true,
		"(1.09)*x + (-0.41)*x*y + (0.003)*y": false, // the last term vanishes on clean data
		"(1.09)*x":                           false,
		"0":                                  false,
		"(1.09)*z + (-0.41)*x*y":             false, // z is not in the truth
	} {
		if got := j.minimal(sum, names); got != want {
			t.Errorf("%s: minimal %v, want %v", sum, got, want)
		}
	}
	if !j.spanned([]string{"1", "x", "y", "x*y"}, names) || j.spanned([]string{"1", "x", "y", "x**2"}, names) {
		t.Error("x and x*y are not what the truth needs")
	}
}

func motionJudge(t *testing.T, system string, law int) *judge {
	t.Helper()
	all, err := wantedMotions("motion", []string{system})
	if err != nil {
		t.Fatal(err)
	}
	r := new(recovery)
	q := all[0].Laws[law]
	j, err := newJudge(q, true, r.rng(q, streamJudge))
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// The process gets one system on each line. Each equation of its replies is judged, and compared
// with the records of the same data.
func TestSINDy(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the process is a shell script")
	}
	fake := filepath.Join(t.TempDir(), "python")
	script := `#!/bin/sh
while read -r line; do
  case $line in *'"names":["x","y"]'*'"noisy":true'*) ;; *) echo "unexpected $line" >&2; exit 1 ;; esac
  echo '{"equations":[{"chosen":"(1.1)*x","all":["(1.1)*x","(1.1)*x + (-0.4)*x*y"]},{"chosen":"(0.1)*x*y + (-0.4)*y","all":[]}],"terms":["x","x*y"],"version":"2"}'
done
`
	if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	ours := []Record{{ID: "lotka_volterra1", Suite: "motion-ode", True: "1.1*x - 0.4*x*y", Noise: 0.01, Exact: true, Found: "1.11*x - 0.4*x*y + 0.001"},
		{ID: "lotka_volterra2", Suite: "motion-ode", True: "0.1*x*y - 0.4*y", Noise: 0.02, Exact: true, Found: "0.1*x*y - 0.4*y"}}
	got, err := SINDy(context.Background(), SINDyOptions{Suite: "motion", IDs: []string{"lotka_volterra"}, Noise: 0.01, Python: fake, Against: ours})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Exact || !got[0].Best || !got[0].Reach || !got[1].Exact || got[1].Reach {
		t.Errorf("judged as %+v", got)
	}
	if got[0].OursExact || got[0].Ours == "" || got[1].Ours != "" {
		t.Errorf("compared with %q %v and %q", got[0].Ours, got[0].OursExact, got[1].Ours)
	}
	_, err = SINDy(context.Background(), SINDyOptions{Suite: "motion", IDs: []string{"lorenz"}, Noise: 0.01, Python: fake})
	if err == nil || !strings.Contains(err.Error(), "unexpected") || !strings.Contains(err.Error(), "pip install") {
		t.Errorf("a process that ends: %v", err)
	}
}
