package survey

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/physlib/lab/physlib/expr"
)

// listFiles contains the forms under the prior of the whole catalogue. They are stored because
// their enumeration takes longer than most searches. UPDATE_FORMS=1 go test ./physlib/survey
// regenerates the files.
//
//go:embed forms-*.txt.gz
var listFiles embed.FS

// Limits of the forms in a survey. An enumeration is limited further by Default.
const (
	mostVars      = 3  // largest number of variables of an enumerated form
	mostKnown     = 5  // largest number of variables of a form of a known law
	mostConstants = 8  // largest number of free constants
	mostNodes     = 80 // largest number of nodes
)

var lists sync.Map // maps a listKey to a func() []Form

type listKey struct {
	prior Prior
	vars  int
}

// enumerated returns the forms that contain exactly vars variables (see list). The forms do not
// depend on the table, and are enumerated once for each prior.
func enumerated(p Prior, vars int) []Form {
	if l, ok := p.(*Laws); ok && l.general != nil {
		p = l.general
	}
	once, _ := lists.LoadOrStore(listKey{p, vars}, sync.OnceValue(func() []Form {
		if p == Prior(Catalogue()) {
			forms, err := readList(vars)
			if err != nil {
				panic(err) // a test makes sure that the files parse
			}
			return forms
		}
		return list(p, vars)
	}))
	return once.(func() []Form)()
}

// list returns the forms that contain exactly vars variables, the most likely first: those of an
// enumeration of the default size and all forms that p knows. Special cases of known forms have no
// place of their own: the ranking derives them from the known forms, and there are too many.
func list(p Prior, vars int) []Form {
	if l, ok := p.(*Laws); ok {
		p = &Laws{Model: l.Plain(), known: l.known}
	}
	e := enumeration{prior: p, vars: vars, seen: map[uint64]struct{}{}}
	e.size = Size{Constants: mostConstants, Nodes: mostNodes}
	if vars <= mostVars {
		e.forms = Enumerate(context.Background(), p, vars, Default(vars))
	}
	for _, f := range e.forms {
		e.seen[f.hash] = struct{}{}
	}
	if s, ok := p.(KnownForms); ok {
		for _, t := range s.KnownForms(vars) {
			e.add(t)
		}
	}
	e.sort()
	return slices.DeleteFunc(e.forms, func(f Form) bool { return len(f.Tree.Vars()) != vars })
}

func listName(vars int) string { return fmt.Sprintf("forms-%d.txt.gz", vars) }

// writeList returns the list of forms as compressed text. Each line has the bits and the formula of
// a form.
func writeList(forms []Form) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // no error: the level is valid
	for _, f := range forms {
		fmt.Fprintf(z, "%v\t%s\n", f.Bits, f.Tree) // no error: it writes to memory
	}
	z.Close()
	return b.Bytes()
}

// readList returns the forms in the file for vars variables.
func readList(vars int) ([]Form, error) {
	f, err := listFiles.Open(listName(vars))
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", listName(vars), err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", listName(vars), err)
	}
	forms := make([]Form, 0, bytes.Count(text, []byte{'\n'}))
	for line := range strings.Lines(string(text)) {
		bits, formula, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		form := Form{}
		if form.Bits, err = strconv.ParseFloat(bits, 64); err == nil {
			form.Tree, err = expr.Parse(formula, nil)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", listName(vars), formula, err)
		}
		forms = append(forms, form)
	}
	return forms, nil
}
