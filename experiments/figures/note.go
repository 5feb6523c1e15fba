package figures

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/cmd/outfile"
)

// note is the content of NAME.json. It describes the origin of a figure.
type note struct {
	Figure   string            `json:"figure"`
	Caption  string            `json:"caption"`
	Command  string            `json:"command"` // command that draws the figure
	Data     string            `json:"data"`    // command that computes its results
	Inputs   []input           `json:"inputs"`
	Runs     []string          `json:"runs,omitempty"` // commits and runs named in the results
	Versions map[string]string `json:"versions"`       // versions of the software that drew the figure
	SHA256   map[string]string `json:"sha256"`         // checksums of the pictures, by file
}

// input is a results file.
type input struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// describe returns the note of a figure that was drawn from s. files are its pictures.
func describe(d drawing, s *source, files map[string][]byte) note {
	n := note{Figure: d.name, Caption: d.caption, Command: "physlib figures --only " + d.name, Data: d.command,
		Runs: slices.Sorted(maps.Keys(s.runs)), Versions: versions(), SHA256: map[string]string{}}
	for _, name := range s.names() {
		n.Inputs = append(n.Inputs, input{filepath.ToSlash(filepath.Join(s.dir, name)), s.sums[name]})
	}
	for name, b := range files {
		sum := sha256.Sum256(b)
		n.SHA256[name] = hex.EncodeToString(sum[:])
	}
	return n
}

// versions returns the versions of Go and of the drawing libraries.
func versions() map[string]string {
	goVersion, _, _ := strings.Cut(runtime.Version(), "-")
	v := map[string]string{"go": goVersion}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			switch m.Path {
			case "gonum.org/v1/plot", "codeberg.org/go-fonts/liberation":
				v[m.Path] = m.Version
			}
		}
	}
	return v
}

func (n note) bytes() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	e.Encode(n) // cannot fail: there are only strings
	return b.Bytes()
}

func readNote(path string) (note, error) { return outfile.ReadJSON[note](path) }

// differs describes the first difference between kept and n in their data or text. It returns "" if
// there is none. It ignores Versions: an effect of another version would show in the pictures.
func (n note) differs(kept note) string {
	was := map[string]string{}
	for _, i := range kept.Inputs {
		was[i.File] = i.SHA256
	}
	for _, i := range n.Inputs {
		switch sum, ok := was[i.File]; {
		case !ok:
			return i.File + " is new since it was drawn"
		case sum != i.SHA256:
			return i.File + " has changed since it was drawn"
		}
		delete(was, i.File)
	}
	for _, name := range sortedKeys(was) {
		return name + ", from which it was drawn, is not used any more"
	}
	if n.Caption != kept.Caption || n.Data != kept.Data || n.Command != kept.Command || !slices.Equal(n.Runs, kept.Runs) {
		return n.Figure + ".json has another caption, command or run"
	}
	return ""
}
