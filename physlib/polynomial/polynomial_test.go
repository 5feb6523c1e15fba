package polynomial_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/polynomial"
	"github.com/physlib/lab/physlib/unit"
)

// uniform returns columns of random numbers from lo to hi, each with the given number of rows.
func uniform(columns, rows int, lo, hi float64) [][]float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	all := make([][]float64, columns)
	for i := range all {
		for range rows {
			all[i] = append(all[i], lo+(hi-lo)*rng.Float64())
		}
	}
	return all
}

// of returns the values of f in all rows.
func of(x [][]float64, f func(x []float64) float64) (y []float64) {
	row := make([]float64, len(x))
	for r := range x[0] {
		for i := range x {
			row[i] = x[i][r]
		}
		y = append(y, f(row))
	}
	return y
}

// The lens equation, 1/f = 1/g + 1/b, solved for f = g·b/(g + b).
func ExampleMonomials_Find() {
	x := uniform(2, 100, 1, 3)
	f := of(x, func(x []float64) float64 { return x[0] * x[1] / (x[0] + x[1]) })
	for _, t := range polynomial.New(x, nil, polynomial.MostDegree).Find(context.Background(), f, unit.Dim{}, 1) {
		fmt.Printf("%+.0f·g^%d·b^%d·f^%d\n", t.Coef, t.Exponents[0], t.Exponents[1], t.Power)
	}
	// Unordered output:
	// -1·g^1·b^1·f^0
	// +1·g^1·b^0·f^1
	// +1·g^0·b^1·f^1
}

// The root of a quadratic equation, with units.
func TestFindWithUnits(t *testing.T) {
	x := uniform(3, 200, 1, 3)
	// y satisfies y² - 2·x₀·y - 2·x₁·x₂ = 0.
	y := of(x, func(x []float64) float64 { return x[0] + math.Sqrt(x[0]*x[0]+2*x[1]*x[2]) })
	speed, acceleration, length := unit.Dim{}, unit.Dim{}, unit.Dim{}
	length[0], speed[0], acceleration[0] = unit.Rat(1, 1), unit.Rat(1, 1), unit.Rat(1, 1)
	speed[1], acceleration[1] = unit.Rat(-1, 1), unit.Rat(-2, 1)
	m := polynomial.New(x, []unit.Dim{speed, acceleration, length}, polynomial.MostDegree)
	if found := m.Find(context.Background(), y, speed, 1); found != nil {
		t.Errorf("linear in y: %v", found)
	}
	found := m.Find(context.Background(), y, speed, 2)
	if len(found) != 3 {
		t.Fatalf("%d terms: %v", len(found), found)
	}
	for _, f := range found {
		if want := [...]float64{-2, -2, 1}[f.Power]; math.Abs(f.Coef-want) > 1e-9 {
			t.Errorf("%v, want a coefficient of %v", f, want)
		}
	}
}

// Polynomials and their ratios approximate smooth functions, noise and data of few rows. Such an
// approximation is not a relation.
func TestFindRejects(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for name, f := range map[string]func(x []float64) float64{
		"exp":   func(x []float64) float64 { return math.Exp(x[0] / 4) },
		"sin":   func(x []float64) float64 { return math.Sin(x[0]) },
		"log":   func(x []float64) float64 { return math.Log(3 + x[0]) },
		"gamma": func(x []float64) float64 { return math.Gamma(2 + x[0]) },
		"noise": func(x []float64) float64 { return x[0] + x[0]*x[0] + 1e-6*rng.NormFloat64() },
	} {
		x := uniform(1, 300, -1, 1)
		for power := 1; power <= 2; power++ {
			if found := polynomial.New(x, nil, polynomial.MostDegree).Find(context.Background(), of(x, f), unit.Dim{}, power); found != nil {
				t.Errorf("%s: %v", name, found)
			}
		}
	}
	x := uniform(3, 12, 1, 2)
	if found := polynomial.New(x, nil, polynomial.MostDegree).Find(context.Background(), of(x, func(x []float64) float64 { return x[0]*x[1] + x[2] }), unit.Dim{}, 1); found != nil {
		t.Errorf("12 rows: %v", found)
	}
}

// A column of NaN, a constant target and no coordinates give no relation.
func TestFindOfOddColumns(t *testing.T) {
	x := uniform(2, 100, 1, 2)
	nan := of(x, func([]float64) float64 { return math.NaN() })
	zero := make([]float64, 100)
	for name, found := range map[string][]polynomial.Term{
		"no coordinates": polynomial.New(nil, nil, polynomial.MostDegree).Find(context.Background(), zero, unit.Dim{}, 1),
		"NaN coordinate": polynomial.New([][]float64{x[0], nan}, nil, polynomial.MostDegree).Find(context.Background(), x[1], unit.Dim{}, 1),
		"NaN target":     polynomial.New(x, nil, polynomial.MostDegree).Find(context.Background(), nan, unit.Dim{}, 1),
		"zero target":    polynomial.New(x, nil, polynomial.MostDegree).Find(context.Background(), zero, unit.Dim{}, 1),
	} {
		if found != nil {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func TestSum(t *testing.T) {
	x := uniform(3, 200, 1, 3)
	columns := [][]float64{}
	for i := range x {
		for k := -4; k <= 4; k++ {
			columns = append(columns, of(x, func(x []float64) float64 { return math.Pow(x[i], float64(k)) }))
		}
	}
	y := of(x, func(x []float64) float64 { return 3/(x[0]*x[0]) + x[1]*x[1]*x[1] - 2/x[2] })
	kept, coef := polynomial.Sum(context.Background(), y, func(i int) []float64 {
		if i == len(columns) {
			return nil
		}
		return columns[i]
	})
	if fmt.Sprint(kept) != "[2 16 21]" || math.Abs(coef[0]-3)+math.Abs(coef[1]-1)+math.Abs(coef[2]+2) > 1e-6 {
		t.Errorf("columns %v with coefficients %v", kept, coef)
	}
}
