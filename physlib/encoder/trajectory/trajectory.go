// Package trajectory tests whether an encoder recognizes a body's law of motion from a long record
// of its position. It is an example of a task for recurrent networks, small enough for two
// processor cores.
//
// A trajectory is a solution of x″ = f(x, x′, t) with random constants. It is sampled at equal time
// steps, and noise is added. All laws except the first are a linear spring, x″ = -x, with a
// deviation. The strength of the deviation is drawn log-uniformly, from weak to strong. So a short
// record does not always distinguish the laws, but a longer one does.
package trajectory

import (
	"math"
	"math/rand/v2"
)

// Law is an equation of motion. Its units are such that the linear spring has period 2π and
// amplitudes are about one.
type Law struct {
	Name, Formula string
	Acceleration  func(x, v, t float64, c constants) float64
}

// constants of a trajectory are the strength of the deviation from the spring, and the angular
// frequency of a drive.
type constants struct{ strong, omega float64 }

// Laws are the classes that an encoder has to distinguish.
var Laws = []Law{
	{"spring", "-x", func(x, v, t float64, c constants) float64 { return -x }},
	{"viscous", "-x - c·v", func(x, v, t float64, c constants) float64 { return -x - c.strong*v/4 }},
	{"drag", "-x - c·|v|·v", func(x, v, t float64, c constants) float64 { return -x - c.strong*math.Abs(v)*v/4 }},
	{"duffing", "-x - c·x³", func(x, v, t float64, c constants) float64 { return -x - 2*c.strong*x*x*x }},
	{"skewed", "-x - c·x²", func(x, v, t float64, c constants) float64 { return -x - 0.7*c.strong*x*x }},
	{"vanderpol", "-x + c·(1 - x²)·v", func(x, v, t float64, c constants) float64 { return -x + c.strong*(1-x*x)*v }},
	{"driven", "-x + c·cos(ωt)", func(x, v, t float64, c constants) float64 { return -x + c.strong*math.Cos(c.omega*t) }},
	{"parametric", "-x·(1 + c·cos(ωt))", func(x, v, t float64, c constants) float64 { return -x * (1 + 0.5*c.strong*math.Cos(c.omega*t)) }},
}

// Draw returns the positions of a random trajectory of law number law, one for each row. noise is
// the standard deviation of the noise.
func Draw(rng *rand.Rand, law, rows int, noise float64) []float64 {
	c := constants{strong: 0.05 * math.Pow(20, rng.Float64()), omega: 0.2 + 0.5*rng.Float64()}
	step := 2 * math.Pi / (16 + 24*rng.Float64()) // 16 to 40 rows per period
	phase, size := 2*math.Pi*rng.Float64(), 0.5+0.5*rng.Float64()
	x, v, t := size*math.Cos(phase), size*math.Sin(phase), 2*math.Pi*rng.Float64()/c.omega
	f := Laws[law].Acceleration
	out := make([]float64, rows)
	for i := range out {
		out[i] = x + noise*rng.NormFloat64()
		const parts = 2
		h := step / parts
		for range parts { // Runge–Kutta method of fourth order
			a1 := f(x, v, t, c)
			v2 := v + h/2*a1
			a2 := f(x+h/2*v, v2, t+h/2, c)
			v3 := v + h/2*a2
			a3 := f(x+h/2*v2, v3, t+h/2, c)
			v4 := v + h*a3
			a4 := f(x+h*v3, v4, t+h, c)
			x, v, t = x+h/6*(v+2*v2+2*v3+v4), v+h/6*(a1+2*a2+2*a3+a4), t+h
			// The motion of an asymmetric spring may diverge.
			x, v = math.Max(-9, math.Min(9, x)), math.Max(-9, math.Min(9, v))
		}
	}
	return out
}

// Width is the length of the vector that represents a row.
const Width = 3

// Rows returns the vectors of a trajectory [rows, Width]. A vector has the time as a fraction of
// the record, the position, and four times its change to the next row. Positions are in units of
// their root mean square.
func Rows(places []float64) []float32 {
	var sum float64
	for _, x := range places {
		sum += x * x
	}
	rms := math.Sqrt(sum/float64(len(places))) + 1e-9
	out := make([]float32, 0, Width*len(places))
	for i, x := range places {
		next := places[min(i+1, len(places)-1)]
		out = append(out, float32(i)/float32(len(places)), float32(x/rms), float32(4*(next-x)/rms))
	}
	return out
}
