package prior

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// formsFile holds the examples of the catalogue, since it takes longer to derive them than to train
// on them. UPDATE_FORMS=1 go test ./physlib/prior writes it again.
//
//go:embed forms.txt
var formsFile string

// writeExamples writes a line for each law, with the hash of its whole, and one for each of its
// forms below it.
func writeExamples(w io.Writer, examples []Example) error {
	b := bufio.NewWriter(w)
	for i, e := range examples {
		if i == 0 || e.Law != examples[i-1].Law || e.Field != examples[i-1].Field {
			fmt.Fprintf(b, "%s\t%s\t%x\n", e.Field, e.Law, e.Whole)
		}
		fmt.Fprintf(b, "\t%d\t%.4g\t%s\n", e.Vars, e.Weight, e.Tree)
	}
	return b.Flush()
}

// readExamples reads what writeExamples wrote.
func readExamples(text string) ([]Example, error) {
	examples := make([]Example, 0, strings.Count(text, "\n"))
	var e Example
	line := 0
	for text != "" {
		var row string
		row, text, _ = strings.Cut(text, "\n")
		line++
		cells := strings.SplitN(row, "\t", 4)
		var err error
		if len(cells) == 3 {
			e.Field, e.Law = cells[0], cells[1]
			e.Whole, err = strconv.ParseUint(cells[2], 16, 64)
		} else if len(cells) == 4 {
			if e.Vars, err = strconv.Atoi(cells[1]); err == nil {
				e.Weight, err = strconv.ParseFloat(cells[2], 64)
			}
			if err == nil {
				e.Tree, err = expr.Parse(cells[3], nil)
			}
			examples = append(examples, e)
		}
		if err != nil {
			return nil, fmt.Errorf("forms.txt:%d: %w", line, err)
		}
	}
	return examples, nil
}
