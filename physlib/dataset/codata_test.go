package dataset

import (
	"math"
	"strings"
	"testing"
)

// Constants that can be calculated from other constants agree with the calculated values, to the
// digits given. The unit of each constant can be parsed.
func TestNatural(t *testing.T) {
	at := map[string]Constant{}
	for _, k := range codata {
		c, err := Natural(k.name)
		if err != nil {
			t.Fatal(err)
		}
		at[k.name] = c
	}
	v := func(name string) float64 { return at[name].Value }
	for _, c := range []struct {
		name string
		want float64
		tol  float64
	}{
		{"hbar", v("h") / (2 * math.Pi), 1e-15}, {"R", v("N_A") * v("k_B"), 1e-14}, {"F", v("N_A") * v("e"), 1e-14},
		{"sigma_SB", 2 * math.Pow(math.Pi, 5) * math.Pow(v("k_B"), 4) / (15 * math.Pow(v("h"), 3) * v("c") * v("c")), 1e-13},
		{"b_W", v("h") * v("c") / v("k_B") / 4.965114231744276, 1e-13},
		{"eps_0", 1 / (v("mu_0") * v("c") * v("c")), 1e-9},
		{"alpha", v("e") * v("e") / (4 * math.Pi * v("eps_0") * v("hbar") * v("c")), 1e-9},
		{"a_0", v("hbar") / (v("m_e") * v("c") * v("alpha")), 1e-9},
		{"R_inf", v("alpha") * v("alpha") * v("m_e") * v("c") / (2 * v("h")), 1e-9},
		{"mu_B", v("e") * v("hbar") / (2 * v("m_e")), 1e-9},
	} {
		if got := v(c.name); math.Abs(got/c.want-1) > c.tol {
			t.Errorf("%s = %v, from others %v", c.name, got, c.want)
		}
	}
	if d := at["mu_B"].Unit.Dim.String(); !strings.Contains(d, "A") {
		t.Errorf("dimension of mu_B: %s", d)
	}
	if _, err := Natural("kB"); err == nil || !strings.Contains(err.Error(), "did you mean k_B?") {
		t.Errorf("kB: %v", err)
	}
}
