package token

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestObservations(t *testing.T) {
	for _, test := range []struct {
		o    Observations
		x    float64
		want string
	}{
		{Observations{}, 1.5, "+ 15 00 E0 <OBS>"},
		{Observations{}, -6.67e-11, "- 66 70 E-11 <OBS>"},
		{Observations{}, 99996, "+ 10 00 E5 <OBS>"}, // rounds up
		{Observations{Digits: 1, PerToken: 1}, 0.3, "+ 3 E-1 <OBS>"},
		{Observations{Digits: 6, PerToken: 3}, math.Pi, "+ 314 159 E0 <OBS>"},
		// out of range
		{Observations{}, 0, "+ 00 00 E0 <OBS>"},
		{Observations{}, 1e-50, "+ 00 00 E0 <OBS>"},
		{Observations{}, math.Inf(-1), "- 99 99 E32 <OBS>"},
		{Observations{}, math.NaN(), "<NAN> 00 00 E0 <OBS>"},
	} {
		if err := test.o.Validate(); err != nil {
			t.Error(err)
		}
		got := ""
		ids := test.o.AppendRow(nil, test.x)
		for i, id := range ids {
			if i > 0 {
				got += " "
			}
			got += test.o.Token(id)
		}
		if got != test.want {
			t.Errorf("%v: got %s, want %s", test.x, got, test.want)
		}
		if len(ids) != test.o.PerNumber() {
			t.Errorf("%v: %d tokens, PerNumber is %d", test.x, len(ids), test.o.PerNumber())
		}
	}
	for _, o := range []Observations{{Digits: 5}, {PerToken: 5}, {Digits: 18}, {MaxExponent: 301}, {Digits: -2}} {
		if o.Validate() == nil {
			t.Errorf("%+v is valid", o)
		}
	}
}

func TestObservationsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Observations{PerToken: rapid.IntRange(1, 4).Draw(t, "digits to a token")}
		o.Digits = o.PerToken * rapid.IntRange(1, 4).Draw(t, "tokens")
		row := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
			return rapid.Float64Range(-10, 10).Draw(t, "x") * math.Pow10(rapid.IntRange(-20, 20).Draw(t, "e"))
		}), 1, 5).Draw(t, "row")
		ids := o.AppendRow(nil, row...)
		back, err := o.Row(ids)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range row {
			if y := back[i]; math.Abs(x-y) > 0.5000001*math.Pow10(1-o.Digits)*math.Abs(x) && math.Abs(x) > 1e-32 {
				t.Errorf("%v came back as %v", x, y)
			}
		}
		k := rapid.IntRange(0, len(ids)-1).Draw(t, "place")
		ids[k] = int32(o.Size())
		if _, err := o.Row(ids); err == nil {
			t.Errorf("a row with %s is read", o.Token(ids[k]))
		}
	})
}
