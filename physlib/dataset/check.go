package dataset

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
)

// enough checks the number of rows. gaps names the first cells that are missing.
func (t *reader) enough(rows int, gaps string) error {
	try := "complete the table, or leave columns out with --ignore"
	if gaps != "" {
		try += ": missing are " + gaps
	}
	switch {
	case rows == 0 && t.dropped > 0:
		return t.fail(0, "", fmt.Sprintf("no row is left: %s with missing or infinite values", count(t.dropped, "row")), try)
	case rows == 0:
		return t.fail(0, "", "the file has a header and no rows", "give at least two rows of numbers")
	case rows == 1 && t.dropped > 0:
		return t.fail(0, "", fmt.Sprintf("only one row is left, %d left out", t.dropped), try)
	case rows == 1 && len(t.columns) > 2:
		return t.fail(0, "", "the table has one row only", "give at least two; if its names stand below one another, transpose it")
	case rows == 1:
		return t.fail(0, "", "the table has one row only", "give at least two; a law needs more rows than constants")
	}
	return nil
}

// standardErrors takes the sigma column, converted to the target's unit.
func (t *reader) standardErrors(table *Table) error {
	sigma, target := t.columns[t.sigma], table.Target
	for k, v := range sigma.Values {
		if v <= 0 {
			return t.fail(t.rows[k], place(t.sigma, sigma.Name), fmt.Sprintf("the standard error %g is not positive", v), "give positive ones, choose another sigma column, or leave out such rows with --drop")
		}
	}
	if sigma.HasUnit && target.HasUnit {
		if sigma.Unit.Dim != target.Unit.Dim {
			return t.fail(t.headerRow, place(t.sigma, sigma.Name), fmt.Sprintf("the standard errors are in %s, the target in %s", sigma.Unit, target.Unit), "give both the same unit")
		}
		if factor := sigma.Unit.Factor() / target.Unit.Factor(); factor != 1 {
			for i := range sigma.Values {
				sigma.Values[i] *= factor
			}
		}
	}
	table.Sigma = sigma.Values
	return nil
}

// redundant warns of constant columns and removes those that equal an earlier one in values and
// unit.
func (t *reader) redundant(table *Table) {
	seed := maphash.MakeSeed()
	seen := map[uint64][]Column{hash(seed, table.Target.Values): {table.Target}}
	kept := table.Vars[:0:0]
	for _, c := range table.Vars {
		h := hash(seed, c.Values)
		twin := slices.IndexFunc(seen[h], func(o Column) bool {
			return slices.Equal(o.Values, c.Values) && o.HasUnit == c.HasUnit && o.Unit.Dim == c.Unit.Dim &&
				o.Unit.Factor() == c.Unit.Factor() && o.Unit.Offset == c.Unit.Offset
		})
		switch {
		case constant(c.Values):
			t.warn("column %s is %g in every row: it can only act as a constant", c.Name, c.Values[0])
		case twin >= 0 && seen[h][twin].Name == table.Target.Name:
			t.warn("column %s equals the target %s in every row", c.Name, table.Target.Name)
		case twin >= 0:
			t.warn("column %s equals column %s in every row and is left out", c.Name, seen[h][twin].Name)
			continue
		}
		seen[h] = append(seen[h], c)
		kept = append(kept, c)
	}
	table.Vars = kept
}

// repeated warns where half of the rows repeat others to the last digit, as copies do.
func (t *reader) repeated(table *Table) {
	n := table.Rows()
	if n < 6 || n > 100_000 {
		return
	}
	seen := map[string]bool{}
	var key []byte
	for i := range n {
		key = key[:0]
		for _, c := range append(table.Vars[:len(table.Vars):len(table.Vars)], table.Target) {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(c.Values[i]))
		}
		seen[string(key)] = true
	}
	if again := n - len(seen); 2*again >= n {
		t.warn("%d of %d rows repeat others exactly, and each counts as a measurement of its own; remove them if they are copies", again, n)
	}
}

func hash(seed maphash.Seed, v []float64) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	var b [8]byte
	for _, x := range v {
		bits := math.Float64bits(x + 0) // -0 equals 0
		for k := range b {
			b[k] = byte(bits >> (8 * k))
		}
		h.Write(b[:])
	}
	return h.Sum64()
}

func constant(v []float64) bool {
	for _, x := range v {
		if x != v[0] {
			return false
		}
	}
	return true
}
