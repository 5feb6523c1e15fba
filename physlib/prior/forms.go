package prior

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

// formsFile contains the examples of the catalogue. They are stored because deriving them takes
// longer than training on them. UPDATE_FORMS=1 go test ./physlib/prior regenerates the file.
//
//go:embed forms.txt
var formsFile string

// Families lists groups of forms in the catalogue that are the same function with other constants,
// such as c0*x0/(x0 + c1) and 1/(c0/x0 + c1). Each line is a group. Its forms are separated by
// tabs. UPDATE_FORMS=1 go test ./physlib/prior regenerates the list.
//
//go:embed families.txt
var Families string

// families maps the hash of each form in Families to the hash of the first form of its group.
var families = sync.OnceValue(func() map[uint64]uint64 {
	of := make(map[uint64]uint64)
	for line := range strings.Lines(Families) {
		var first uint64
		for i, text := range strings.Split(strings.TrimSpace(line), "\t") {
			t, err := expr.Parse(text, nil)
			if err != nil {
				// A test makes sure that families.txt can be parsed.
				panic(fmt.Sprintf("families.txt: %v", err))
			}
			h := skeleton.Hash(t)
			if i == 0 {
				first = h
			}
			of[h] = first
		}
	}
	return of
})

// writeExamples writes the examples as text. For each law, it writes a line with the hash of the
// form in which all quantities vary. One line for each form of the law follows. Forms with another
// target follow another such line.
func writeExamples(w io.Writer, examples []Example) error {
	b := bufio.NewWriter(w)
	for i, e := range examples {
		if i == 0 || e.Law != examples[i-1].Law || e.Field != examples[i-1].Field || e.Target != examples[i-1].Target {
			fmt.Fprintf(b, "%s\t%s\t%x\t%s:%s\n", e.Field, e.Law, e.Whole, e.Target.Name, e.Target.Dimension)
		}
		fmt.Fprintf(b, "\t%.4g\t%s", e.Weight, e.Tree)
		for _, k := range e.Kinds {
			fmt.Fprintf(b, "\t%s:%s", k.Name, k.Dimension)
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

// readExamples parses text that writeExamples wrote.
func readExamples(text string) ([]Example, error) {
	examples := make([]Example, 0, strings.Count(text, "\n"))
	var e Example
	line := 0
	for text != "" {
		var row string
		row, text, _ = strings.Cut(text, "\n")
		line++
		cells := strings.Split(row, "\t")
		var err error
		if cells[0] != "" && len(cells) == 4 {
			e.Field, e.Law, e.Target = cells[0], cells[1], readKind(cells[3])
			e.Whole, err = strconv.ParseUint(cells[2], 16, 64)
		} else if len(cells) >= 3 {
			e.Weight, err = strconv.ParseFloat(cells[1], 64)
			if err == nil {
				e.Tree, err = expr.Parse(cells[2], nil)
			}
			e.Kinds = nil
			for _, c := range cells[3:] {
				e.Kinds = append(e.Kinds, readKind(c))
			}
			e.Vars = len(e.Kinds)
			examples = append(examples, e)
		}
		if err != nil {
			return nil, fmt.Errorf("forms.txt:%d: %w", line, err)
		}
	}
	return examples, nil
}

func readKind(cell string) Kind {
	name, dimension, _ := strings.Cut(cell, ":")
	return Kind{name, dimension}
}
