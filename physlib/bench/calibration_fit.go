package bench

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// ProbabilityModel is a logistic regression. It gives the probability that the chosen law is right,
// from its predictors. If the other predictors are fixed, the probability rises with
// the posterior.
type ProbabilityModel struct {
	Intercept float64
	Weights   [len(predictors)]float64 // for predictors that are not standardized; 0: not used
}

// Outcome reports whether the law chosen for a table is right, and the evidence for the law.
// Results of random tables and of real tables can be read as outcomes.
type Outcome struct {
	Features *Features `json:"features"` // nil if no law was scored in bits
	Stated   *float64  `json:"probability"`
	Right    bool      `json:"right"` // random tables
	Judged   struct {
		Chosen bool `json:"chosen"`
	} `json:"judged"` // real tables
	Error string `json:"error"`
}

// ReadOutcomes reads a results file of Calibration or of Tables.
func ReadOutcomes(name string) ([]Outcome, error) {
	return readResults[Outcome](name, "calibration or tables")
}

// right reports whether the law is the true or an accepted one.
func (o Outcome) right() bool { return o.Right || o.Judged.Chosen }

// predictors are the names of the predictors that discover.Evidence gives.
var predictors = [...]string{"log-odds of the posterior", "free constants", "free exponents", "columns, up to 3"}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// fittable returns the outcomes of laws that were scored in bits, without failed ones.
func fittable(outcomes []Outcome) (some []Outcome) {
	for _, o := range outcomes {
		if o.Error == "" && o.Features != nil && o.Stated != nil {
			some = append(some, o)
		}
	}
	return some
}

// fewestFitted is the least number of laws for the fit of a model.
const fewestFitted = 20

// FitProbability fits a model by maximum likelihood, with the first n predictors. The penalty is
// l2/2 times the sum of the squared weights of standardized predictors. The weight of the posterior
// is not negative, so the probability never falls as the posterior rises.
func FitProbability(outcomes []Outcome, n int, l2 float64) (m ProbabilityModel, err error) {
	outcomes = fittable(outcomes)
	n = min(n, len(predictors))
	if len(outcomes) < fewestFitted {
		return m, fmt.Errorf("%d laws with a posterior: a fit needs %d", len(outcomes), fewestFitted)
	}
	var columns []int // indices of the predictors that vary
	x := [][]float64{}
	var means, sizes []float64
	for k := range n {
		v := make([]float64, len(outcomes))
		for i, o := range outcomes {
			v[i] = o.Features.Predictors()[k]
		}
		mean, size := stat.PopMeanStdDev(v, nil)
		if !(size > 1e-9) {
			continue
		}
		for i := range v {
			v[i] = (v[i] - mean) / size
		}
		columns, x, means, sizes = append(columns, k), append(x, v), append(means, mean), append(sizes, size)
	}
	y := make([]float64, len(outcomes))
	for i, o := range outcomes {
		y[i] = oneIf(o.right())
	}
	w, err := logistic(x, y, l2)
	if err != nil {
		return m, err
	}
	// A negative weight of the posterior is not allowed. The best allowed weight is then 0.
	if len(columns) > 0 && columns[0] == 0 && w[1] < 0 {
		x[0] = make([]float64, len(outcomes))
		if w, err = logistic(x, y, l2); err != nil {
			return m, err
		}
	}
	m.Intercept = w[0]
	for i, k := range columns {
		m.Weights[k] = w[i+1] / sizes[i]
		m.Intercept -= w[i+1] * means[i] / sizes[i]
	}
	return m, nil
}

// regression is a penalized logistic regression of y on columns x; weight 0 is the intercept.
type regression struct {
	x  [][]float64
	y  []float64
	l2 float64
}

// at returns regressor i in a row.
func (r regression) at(i, row int) float64 {
	if i == 0 {
		return 1
	}
	return r.x[i-1][row]
}

// odds returns the log-odds for a row.
func (r regression) odds(w []float64, row int) (z float64) {
	for i := range w {
		z += w[i] * r.at(i, row)
	}
	return z
}

// penalty returns the coefficient of the square of weight i in the penalty. The intercept has a
// tiny coefficient, which keeps the intercept finite even if all laws are right.
func (r regression) penalty(i int) float64 {
	if i == 0 {
		return 1e-6
	}
	return r.l2
}

// loss returns the negative log-likelihood plus the penalty.
func (r regression) loss(w []float64) (sum float64) {
	for row, y := range r.y {
		z := r.odds(w, row)
		sum += math.Log1p(math.Exp(-math.Abs(z))) + max(z, 0) - y*z
	}
	for i, v := range w {
		sum += r.penalty(i) / 2 * v * v
	}
	return sum
}

// step returns Newton's step, to be subtracted from w. ok is false if the Hessian is singular.
func (r regression) step(w []float64) (step mat.VecDense, ok bool) {
	k := len(w)
	gradient, hessian := mat.NewVecDense(k, nil), mat.NewSymDense(k, nil)
	add := func(i, j int, v float64) { hessian.SetSym(i, j, hessian.At(i, j)+v) }
	for row, y := range r.y {
		p := 1 / (1 + math.Exp(-r.odds(w, row)))
		for i := range k {
			gradient.SetVec(i, gradient.AtVec(i)+(p-y)*r.at(i, row))
			for j := range i + 1 {
				add(i, j, p*(1-p)*r.at(i, row)*r.at(j, row))
			}
		}
	}
	for i := range k {
		gradient.SetVec(i, gradient.AtVec(i)+r.penalty(i)*w[i])
		add(i, i, r.penalty(i))
	}
	var c mat.Cholesky
	ok = c.Factorize(hessian) && c.SolveVecTo(&step, gradient) == nil
	return step, ok
}

// logistic returns the intercept and the weights of columns x that maximize the penalized
// likelihood of y. It uses Newton's method and halves steps that do not lower the loss.
func logistic(x [][]float64, y []float64, l2 float64) ([]float64, error) {
	r := regression{x, y, l2}
	w := make([]float64, len(x)+1)
	next := make([]float64, len(w))
	last := r.loss(w)
	for range 100 {
		step, ok := r.step(w)
		if !ok {
			return nil, errors.New("the features are combinations of one another: give a larger --l2")
		}
		now, size := math.Inf(1), 1.0
		for ; now > last && size > 1e-9; size /= 2 {
			for i := range w {
				next[i] = w[i] - size*step.AtVec(i)
			}
			now = r.loss(next)
		}
		if !(now <= last) {
			break
		}
		copy(w, next)
		if last-now < 1e-10 {
			break
		}
		last = now
	}
	return w, nil
}

// Probability returns the probability that the chosen law of o is right. The outcome must have
// features.
func (m ProbabilityModel) Probability(o Outcome) float64 {
	z := m.Intercept
	for i, v := range o.Features.Predictors() {
		z += m.Weights[i] * v
	}
	return 1 / (1 + math.Exp(-z))
}

// CompareProbabilities fits models to the outcomes in train and scores their probabilities on those
// in judge. For comparison it also scores the posterior and the probability that the verdict
// stated. It returns a table as text.
func CompareProbabilities(train, judge []Outcome, l2 float64) (string, error) {
	judged := fittable(judge)
	if len(judged) == 0 {
		return "", errors.New("no law of the results to judge on has a posterior")
	}
	one, err := FitProbability(train, 1, l2)
	if err != nil {
		return "", err
	}
	all, err := FitProbability(train, len(predictors), l2)
	if err != nil {
		return "", err
	}
	right := make([]bool, len(judged))
	for i, o := range judged {
		right[i] = o.right()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "fitted to %d laws, scored on %d others\n%-28s  Brier    log\n", len(fittable(train)), len(judged), "")
	line := func(name string, of func(o Outcome) float64) {
		p := make([]float64, len(judged))
		for i, o := range judged {
			p[i] = of(o)
		}
		brier, log := scores(p, right)
		fmt.Fprintf(&b, "%-28s %6.4f %6.4f\n", name, brier, log)
	}
	line("share of right laws", func(Outcome) float64 { return shareOf(right) })
	line("posterior itself", func(o Outcome) float64 { return o.Features.Posterior })
	line("probability stated", func(o Outcome) float64 { return *o.Stated })
	line("map of the posterior", one.Probability)
	line("map with all predictors", all.Probability)
	fmt.Fprintf(&b, "\nmap of the posterior\n%v\nmap with all predictors\n%v", one, all)
	return b.String(), nil
}

// String returns the log-odds of the model as a sum, with one term on each line.
func (m ProbabilityModel) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%10.4f\n", m.Intercept)
	for i, name := range predictors {
		if m.Weights[i] != 0 {
			fmt.Fprintf(&b, "%+10.4f × %s\n", m.Weights[i], name)
		}
	}
	return b.String()
}
