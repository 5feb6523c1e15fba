package bench

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/prior"
)

// PriorCmd is the command line of `physlib bench prior`.
type PriorCmd struct {
	Out string `placeholder:"FILE.csv" help:"Write the table there as well."`

	stdout io.Writer // nil: the standard output of the process
}

// Help returns the text that --help shows below the flags.
func (*PriorCmd) Help() string {
	return `Bits that the form of a law of the catalogue costs in a model trained on the other fields.

Each law counts once: its experimental forms share its weight. A fitted constant costs the bits that
announce it in the form, not those of its value. "priced" are the prices of package law without
their 9 bits for a fitted constant. They are not a code, because the probabilities 2^-bits of all
forms add up to more than 1. "code" is the code nearest to them: prices times a factor, and a price
for a fitted constant, both those with the fewest bits over the whole catalogue, plus log2 of the
sum over all forms. "tree" is the context model of package prior, and "prior" that with the forms of
named laws.`
}

// priorRow is a row of the table: bits for one field, or a sum of bits weighted by numbers of laws.
type priorRow struct {
	laws, priced, code, tree, prior float64
}

func (r *priorRow) add(o priorRow) {
	r.laws += o.laws
	r.priced += o.priced
	r.code += o.code
	r.tree += o.tree
	r.prior += o.prior
}

func (r priorRow) mean() priorRow {
	return priorRow{r.laws, r.priced / r.laws, r.code / r.laws, r.tree / r.laws, r.prior / r.laws}
}

// Run prints the table, and writes it to --out.
func (c *PriorCmd) Run() error {
	if err := outfile.Check(c.Out); err != nil {
		return exit{2, fmt.Errorf("--out: %w", err)}
	}
	examples, err := prior.Examples(corpus.Catalogue())
	if err != nil {
		return err
	}
	out := cmp.Or(c.stdout, screen.Out)
	var fields []string
	for _, e := range examples {
		fields = append(fields, e.Field)
	}
	slices.Sort(fields)
	fields = slices.Compact(fields)

	codes := newPriceCode(examples)
	tree := crossValidate(examples, fields, prior.Settings{KnownWeight: -1})
	named, lambda := bestWeight(examples, fields, tree)
	rows := make(map[string]*priorRow)
	var total priorRow
	for i, e := range examples {
		r := rows[e.Field]
		if r == nil {
			r = new(priorRow)
			rows[e.Field] = r
		}
		row := priorRow{e.Weight, e.Weight * pricedForm(e), e.Weight * codes.bits(e),
			e.Weight * tree[i], e.Weight * named[i]}
		r.add(row)
		total.add(row)
	}
	var csv strings.Builder
	csv.WriteString("field,laws,priced,code,tree,prior\n")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "field\tlaws\tpriced\tcode\ttree\tprior\t")
	line := func(name string, r priorRow) {
		m := r.mean()
		fmt.Fprintf(w, "%s\t%.0f\t%.1f\t%.1f\t%.1f\t%.1f\t\n",
			name, m.laws, m.priced, m.code, m.tree, m.prior)
		fmt.Fprintf(&csv, "%s,%.0f,%.2f,%.2f,%.2f,%.2f\n",
			name, m.laws, m.priced, m.code, m.tree, m.prior)
	}
	for _, f := range slices.Sorted(maps.Keys(rows)) {
		line(f, *rows[f])
	}
	line("all", total)
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nbits a law, its field left out. Weight of named forms: %.2f. "+
		"Code of the prices: times %.2f, %.1f bits a fitted constant.\nThe prior takes %.0f %% fewer bits than that code.\n",
		lambda, codes.scale, codes.constant, 100*(1-total.prior/total.code))
	if c.Out == "" {
		return nil
	}
	return outfile.Write(c.Out, []byte(csv.String()))
}

// bestWeight chooses lambda, the weight of known forms, so that the sum of bits is smallest. named
// holds the bits of each example with this weight, and tree the bits with weight 0.
func bestWeight(examples []prior.Example, fields []string, tree []float64) (named []float64, lambda float64) {
	named, least := tree, weightedSum(examples, tree)
	for k := 1; k <= 19; k++ {
		l := 0.05 * float64(k)
		bits := crossValidate(examples, fields, prior.Settings{KnownWeight: l})
		if s := weightedSum(examples, bits); s < least {
			named, lambda, least = bits, l, s
		}
	}
	return named, lambda
}

// crossValidate returns the bits of each example, in a model trained on the examples of all other
// fields.
func crossValidate(examples []prior.Example, fields []string, s prior.Settings) []float64 {
	bits := make([]float64, len(examples))
	for _, field := range fields {
		m := s.Train(slices.DeleteFunc(slices.Clone(examples), func(e prior.Example) bool {
			return e.Field == field
		}))
		for i, e := range examples {
			if e.Field == field {
				bits[i] = m.CanonicalBits(e.Tree, e.Vars)
			}
		}
	}
	return bits
}

func weightedSum(examples []prior.Example, bits []float64) float64 {
	sum := 0.0
	for i, e := range examples {
		sum += e.Weight * bits[i]
	}
	return sum
}
