package synthetic

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// The form with its starting values is the truth. The truth is within a few standard deviations of
// the target. All columns are valid.
func TestDraw(t *testing.T) {
	fields := map[string]int{}
	for i := range uint64(300) {
		d, err := Draw(7, i)
		if err != nil {
			t.Fatal(err)
		}
		fields[d.Field]++
		data := d.Data
		for _, c := range append(slices.Clone(data.Vars), data.Target) {
			for _, v := range c.Values {
				if math.IsNaN(v) || math.IsInf(v, 0) || len(c.Values) != data.Rows() {
					t.Fatalf("%s: column %s: %v", data.Name, c.Name, c.Values)
				}
			}
		}
		if d.Field == Noise {
			if d.Form != "" || d.Truth != "" {
				t.Errorf("%s: noise with a law %s", data.Name, d.Form)
			}
			continue
		}
		if data.Rows() < fewestRows || data.Rows() > mostRows {
			t.Errorf("%s: %d rows", data.Name, data.Rows())
		}
		var names []string
		var cols [][]float64
		for _, v := range data.Vars {
			names, cols = append(names, v.Name), append(cols, v.Values)
		}
		form, err := expr.Parse(d.Form, names)
		if err != nil || form.NumParams() != len(d.Start) {
			t.Fatalf("%s: form %s of %v: %v", data.Name, d.Form, d.Start, err)
		}
		f := form.Values(data.Rows(), cols, d.Start)
		chi2 := 0.0
		for k, y := range data.Target.Values {
			chi2 += math.Pow((y-f[k])/d.Sigma[k], 2) / float64(len(f))
		}
		if !(chi2 < 6) {
			t.Errorf("%s: %s (%s): chi² %.3g a row of %s with %v", data.Name, d.Truth, d.Errors, chi2, d.Form, d.Start)
		}
	}
	if fields[Random] < 60 || fields[Random] > 120 || fields[Noise] < 15 || fields[Noise] > 50 || len(fields) < 15 {
		t.Errorf("fields %v", fields)
	}
}

func TestDrawIsPure(t *testing.T) {
	for i := range uint64(20) {
		a, err := Draw(3, i)
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := Draw(3, i); !reflect.DeepEqual(a, b) {
			t.Errorf("table %d differs when drawn again", i)
		}
		if b, _ := Draw(4, i); reflect.DeepEqual(a.Data.Target.Values, b.Data.Target.Values) {
			t.Errorf("table %d is the same for another seed", i)
		}
		if !reflect.DeepEqual(NoiseTable(3, i), NoiseTable(3, i)) {
			t.Errorf("noise %d differs when drawn again", i)
		}
	}
}

// Tables of noise of all kinds occur, and the target depends on no column.
func TestNoiseTable(t *testing.T) {
	kinds, columns := map[string]bool{}, map[int]bool{}
	worst := 0
	for i := range uint64(200) {
		n := NoiseTable(1, i)
		kinds[n.Design] = true
		columns[len(n.Data.Vars)+1] = true
		if n.Data.Rows() < 6 || n.Data.Rows() > 60 || distinct(n.Data.Target.Values) < 2 {
			t.Errorf("%s: target %v", n.Data.Name, n.Data.Target.Values)
		}
		if z := math.Abs(correlation(n.Data.Vars[0].Values, n.Data.Target.Values)) * math.Sqrt(float64(n.Data.Rows())); z > 2.5 {
			worst++
		}
	}
	if len(kinds) != len(noises) || len(columns) != 5 {
		t.Errorf("kinds %v, columns %v", kinds, columns)
	}
	if worst > 8 {
		t.Errorf("%d of 200 targets are correlated with the first column", worst)
	}
}

func correlation(a, b []float64) float64 {
	var ma, mb, aa, bb, ab float64
	for i := range a {
		ma, mb = ma+a[i]/float64(len(a)), mb+b[i]/float64(len(a))
	}
	for i := range a {
		aa, bb, ab = aa+(a[i]-ma)*(a[i]-ma), bb+(b[i]-mb)*(b[i]-mb), ab+(a[i]-ma)*(b[i]-mb)
	}
	return ab / math.Sqrt(aa*bb+1e-300)
}
