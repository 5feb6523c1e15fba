package bench

import (
	"testing"

	"github.com/physlib/lab/physlib/bench"
)

// A summary of several runs names the commit and the command of each.
func TestCalibrationProvenance(t *testing.T) {
	run := func(seed uint64, noise bool, version string) bench.CalibrationRecord {
		return bench.CalibrationRecord{TableSeed: seed, NoiseOnly: noise, Time: 3, Clock: "cpu",
			Proposers: []string{"forms", "search"}, Version: version}
	}
	known := run(2, false, "def")
	known.Known = true
	limited, reseeded := run(2, false, "def"), run(2, false, "def")
	limited.Time, limited.Limit = 0, 1000
	reseeded.Seed = 5
	versions, commands := provenance([]bench.CalibrationRecord{
		run(1, false, "abc"), run(2, true, "def"), run(1, false, "abc"), run(2, false, "def"), known, limited, reseeded,
	})
	const options = " --time 3s --clock cpu --proposers forms,search"
	const other = "; physlib bench calibration --tables 1 --seed 2"
	want := "physlib bench calibration --tables 2 --seed 1" + options +
		"; physlib bench calibration --noise-only --tables 1 --seed 2" + options +
		other + options +
		"; physlib bench calibration --known --tables 1 --seed 2" + options +
		other + " --clock cpu --evals 1000 --proposers forms,search" +
		other + " --time 3s --clock cpu --search-seed 5 --proposers forms,search"
	if versions != "abc; def" || commands != want {
		t.Errorf("%s\n%s\nwant %s", versions, commands, want)
	}
}
