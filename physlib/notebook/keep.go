package notebook

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
)

// Keep stores x under a name for later cells of the same kernel. It replaces an earlier value of
// that name. x is a *discover.Result, a law.Law, or a value that JSON can represent.
func Keep(name string, x any) {
	switch v := x.(type) {
	case *discover.Result:
		x = packed(v)
	case law.Law:
		x = law.Saved(v)
	}
	text, err := json.Marshal(x)
	if err != nil {
		Check(fmt.Errorf("%q is not kept: %w", name, err))
	}
	path := kept(name)
	Check(os.MkdirAll(filepath.Dir(path), 0o755))
	Check(os.WriteFile(path+".new", text, 0o644))
	Check(os.Rename(path+".new", path))
}

// Kept returns the value that [Keep] stored under the name. If no cell has stored it since the
// kernel started, the cell ends with a message.
func Kept[T any](name string) (x T) {
	text, err := os.ReadFile(kept(name))
	if err != nil {
		Check(fmt.Errorf("nothing is kept under %q: run the cell that keeps it first, or all cells from the top", name))
	}
	switch v := any(&x).(type) {
	case **discover.Result:
		var p packedResult
		err = json.Unmarshal(text, &p)
		*v = p.result()
	case *law.Law:
		var s law.Saved
		err = json.Unmarshal(text, &s)
		*v = law.Law(s)
	default:
		err = json.Unmarshal(text, &x)
	}
	if err != nil {
		Check(fmt.Errorf("what is kept under %q is not of type %T: %w", name, x, err))
	}
	return x
}

// kept returns the path of the file that holds the value of a name. It is among the kernel's own
// files, which are deleted when the kernel ends.
func kept(name string) string {
	dir := os.Getenv(protocol.GONB_TMP_DIR_ENV)
	if dir == "" {
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("physlib_notebook_%d", os.Getpid()))
	}
	return filepath.Join(dir, "kept", name+".json")
}

// packedResult is the JSON form of a result, which restores its laws exactly.
type packedResult struct {
	Result *discover.Result
	Best   *law.Saved // nil: none
	Front  []law.Saved
}

func packed(r *discover.Result) packedResult {
	shell := *r
	shell.Best, shell.Front = law.Law{}, nil
	p := packedResult{Result: &shell}
	if len(r.Best.Tree.Nodes()) > 0 {
		best := law.Saved(r.Best)
		p.Best = &best
	}
	for _, l := range r.Front {
		p.Front = append(p.Front, law.Saved(l))
	}
	return p
}

func (p packedResult) result() *discover.Result {
	r := p.Result
	if r == nil {
		r = &discover.Result{}
	}
	if p.Best != nil {
		r.Best = law.Law(*p.Best)
	}
	for _, l := range p.Front {
		r.Front = append(r.Front, law.Law(l))
	}
	return r
}
