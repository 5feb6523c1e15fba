package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// rooms are the packages in the order of their imports. A package may import only packages that
// come later in the list. A listed folder includes the packages inside it.
var rooms = []string{
	"physlib/cmd/physlib", "experiments", "physlib/cmd", "physlib/notebook", "physlib/figure", "physlib/bench", "physlib/motion", "physlib/group", "physlib/frame", "physlib/invariant", "physlib/discover", "physlib/train", "physlib/adapt", "physlib/evolve",
	"physlib/system", "physlib/diffusion", "physlib/encoder", "physlib/decoder", "physlib/pdr", "physlib/nn", "physlib/backend", "physlib/genetic", "physlib/search",
	"physlib/wave", "physlib/pair", "physlib/polynomial", "physlib/gaussian",
	"physlib/require", "physlib/knownform", "physlib/survey", "physlib/mdl", "physlib/regression",
	"physlib/fit", "physlib/periodogram", "physlib/each", "physlib/outlier", "physlib/lawfile", "physlib/export", "physlib/law", "physlib/prior", "physlib/corpus", "physlib/token", "physlib/dataset", "physlib/expr", "physlib/vec",
	"physlib/column", "physlib/unit", "physlib/spelling", "physlib/ode", "physlib/clock", "physlib/lock",
}

// tensor are the packages that may import GoMLX.
var tensor = []string{
	"physlib/cmd/physlib", "experiments", "physlib/cmd", "physlib/train", "physlib/adapt", "physlib/evolve", "physlib/system", "physlib/diffusion",
	"physlib/encoder", "physlib/decoder", "physlib/pdr", "physlib/nn", "physlib/backend",
}

const module = "github.com/physlib/lab/"

// floor returns the index of a package in rooms. It is -1 for packages outside this module.
func floor(path string) int {
	path, ours := strings.CutPrefix(path, module)
	if !ours {
		return -1
	}
	return slices.IndexFunc(rooms, func(r string) bool { return path == r || strings.HasPrefix(path, r+"/") })
}

func TestImportsPointDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		names := strings.Fields(line)
		from := floor(names[0])
		if from < 0 {
			t.Errorf("%s is in no room; name its room in this test", names[0])
			continue
		}
		for _, to := range names[1:] {
			if f := floor(to); f >= 0 && f < from || strings.HasPrefix(to, module) && f < 0 {
				t.Errorf("%s imports %s, which stands above it", names[0], to)
			}
			if strings.HasPrefix(to, "github.com/gomlx/") && !slices.Contains(tensor, rooms[from]) {
				t.Errorf("%s imports %s, but belongs to the symbol wing", names[0], to)
			}
		}
	}
}
