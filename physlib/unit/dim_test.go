package unit

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func genRatio(t *rapid.T) Ratio {
	return Rat(rapid.IntRange(-12, 12).Draw(t, "num"), rapid.IntRange(1, 6).Draw(t, "den"))
}

func genDim(t *rapid.T) (d Dim) {
	for i := range d {
		if rapid.Bool().Draw(t, "set") {
			d[i] = genRatio(t)
		}
	}
	return d
}

func TestRatioAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := genRatio(t), genRatio(t)
		x, y := big.NewRat(int64(a.Num()), int64(a.Den())), big.NewRat(int64(b.Num()), int64(b.Den()))
		for _, c := range []struct {
			name string
			got  Ratio
			want *big.Rat
		}{
			{"+", a.Add(b), new(big.Rat).Add(x, y)}, {"-", a.Sub(b), new(big.Rat).Sub(x, y)}, {"*", a.Mul(b), new(big.Rat).Mul(x, y)},
			{"neg", a.Neg(), new(big.Rat).Neg(x)},
		} {
			if c.got.String() != c.want.RatString() {
				t.Errorf("%v %s %v = %v, want %s", a, c.name, b, c.got, c.want.RatString())
			}
		}
		if f, _ := x.Float64(); f != a.Float64() {
			t.Errorf("%v.Float64() = %g", a, a.Float64())
		}
	})
}

func TestRatio(t *testing.T) {
	if (Ratio{}) != Rat(0, 7) || Rat(2, 4) != Rat(-1, -2) || Rat(3, -6) != Rat(-1, 2) || !Rat(4, 2).IsInt() {
		t.Error("equal fractions are not equal")
	}
	// numbers out of range are clipped or rounded, but do not wrap around
	for _, c := range []struct {
		got  Ratio
		want float64
	}{
		{Rat(math.MaxInt, 1), 32767}, {Rat(math.MinInt, 1), -32767}, {Rat(math.MinInt, math.MinInt), 1}, {Rat(1, math.MinInt), 0},
		{Rat(1000003, 1000000), 1}, {Rat(32767, 1).Add(Rat(32767, 1)), 32767}, {Rat(-32767, 1).Mul(Rat(32767, 1)), -32767},
		{Rat(1, 32767).Mul(Rat(1, 32767)), 0}, {Rat(65536, 3), 65536. / 3},
	} {
		if math.Abs(c.got.Float64()-c.want) > 1e-4*max(1, math.Abs(c.want)) {
			t.Errorf("got %v, want %g", c.got, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("Rat(1, 0) does not panic")
		}
	}()
	Rat(1, 0)
}

func TestDimAlgebra(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c, r := genDim(t), genDim(t), genDim(t), genRatio(t)
		one := Dim{}
		if a.Mul(b) != b.Mul(a) || a.Mul(b).Mul(c) != a.Mul(b.Mul(c)) || a.Mul(one) != a || a.Div(a) != one || a.Mul(b).Div(b) != a {
			t.Errorf("products of %v, %v, %v do not obey algebra", a, b, c)
		}
		if a.Mul(b).Pow(r) != a.Pow(r).Mul(b.Pow(r)) || a.Pow(Rat(1, 2)).Pow(Rat(2, 1)) != a || a.Pow(Ratio{}) != one {
			t.Errorf("powers of %v, %v do not obey algebra", a, b)
		}
		if (a.Distance(b) == 0) != (a == b) || a.Distance(b) != b.Distance(a) || math.Abs(a.Distance(b)-a.Mul(c).Distance(b.Mul(c))) > 1e-9 {
			t.Errorf("distance of %v and %v is none", a, b)
		}
	})
}

func TestDimPrintsAndReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := genDim(t)
		if u, err := Parse(d.String()); err != nil || u.Dim != d || u.Scale != 1 || u.Offset != 0 {
			t.Errorf("%q reads back as %v, %v", d, u, err)
		}
	})
}

func TestSymbol(t *testing.T) {
	for in, want := range map[string]string{"kg m s^-2": "N", "V/A": "ohm", "s": "s", "kg": "kg", "1/s": "", "1": "", "m^(1/2)": "", "W s": "J", "C/V": "F", "mol/s": "kat"} {
		u, _ := Parse(in)
		if s, ok := u.Dim.Symbol(); s != want || ok != (want != "") {
			t.Errorf("symbol of %s is %q, want %q", in, s, want)
		}
		if want == "" {
			want = u.Dim.String()
		}
		if s := u.Dim.Name(); s != want {
			t.Errorf("name of %s is %q, want %q", in, s, want)
		}
		if s, ok := u.Dim.Symbol(); ok {
			if back, err := Parse(s); err != nil || back.Dim != u.Dim || back.Scale != 1 {
				t.Errorf("%s reads as %v, %v", s, back, err)
			}
		}
	}
}

func TestUnitZeroAndString(t *testing.T) {
	var one Unit
	if one.ToSI(3) != 3 || one.FromSI(3) != 3 || one.String() != "1" {
		t.Errorf("the zero Unit is %v and reads 3 as %g", one, one.ToSI(3))
	}
	if s := (Unit{Dim: Powers(0, 1), Scale: 1000}).String(); s != "1000 m" {
		t.Errorf("a kilometre without name prints as %q", s)
	}
	if s := SI(Powers(0, 1, -1)).String(); s != "m s^-1" {
		t.Errorf("SI unit prints as %q", s)
	}
	if _, err := SI(Powers(1)).Convert(1, SI(Powers(0, 1))); err == nil {
		t.Error("kg converts to m")
	}
}

func TestScore(t *testing.T) {
	if Score(0, 3) != 1 || math.Abs(Score(2, 0.5)-math.Exp(-1)) > 1e-15 {
		t.Error("Score is not exp(-alpha*violation)")
	}
}

func BenchmarkDimMul(b *testing.B) {
	d := Powers(1, 2, -2)
	for b.Loop() {
		d = d.Mul(Powers(0, 1)).Div(Powers(0, 1))
	}
}

func TestPower(t *testing.T) {
	for r, want := range map[Ratio]string{
		Rat(1, 1): "m", Rat(2, 1): "m^2", Rat(-1, 1): "m^-1", Rat(1, 2): "m^(1/2)", Rat(-2, 3): "m^(-2/3)", Rat(3, 7): "m^(3/7)",
		Rat(-103, 50): "m^-2.06", Rat(1, 125): "m^0.008", Rat(4, 11): "m^(4/11)",
	} {
		name := "m" + r.Power()
		if name != want {
			t.Errorf("%v: got %s, want %s", r, name, want)
		}
		if u, err := Parse(name); err != nil || u.Dim != Powers(0, 1).Pow(r) {
			t.Errorf("%s is read as %v, %v", name, u, err)
		}
	}
}
func TestUsual(t *testing.T) {
	for d, name := range usual {
		if u, err := Parse(name); err != nil || u.Dim != d || u.Factor() != 1 {
			t.Errorf("%s is read as %v, %v, want %v", name, u, err, d)
		}
	}
}

func TestFactors(t *testing.T) {
	for name, want := range map[string]string{
		"m/s^2": "m s^-2", "rad/(s^2 V)": "rad s^-2 V^-1", "kg m² s⁻²": "kg m^2 s^-2", "sqrt(Hz)": "Hz^(1/2)", "1/s": "s^-1", "m m": "m^2", "1": "",
		"100 m": "no", "m + 2": "no", "m/k": "no", "mL/min": "mL min^-1",
	} {
		got := "no"
		if factors, ok := Factors(name); ok {
			var parts []string
			for _, f := range factors {
				parts = append(parts, f.Name+f.Power.Power())
			}
			got = strings.Join(parts, " ")
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
