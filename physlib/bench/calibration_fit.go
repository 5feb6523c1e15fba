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
// from the predictors of its record. If the other predictors are fixed, the probability rises with
// the posterior.
type ProbabilityModel struct {
	Intercept float64
	Weights   [len(predictors)]float64 // for predictors that are not standardized; 0: not used
}

// predictors are the names of the predictors that discover.Evidence gives.
var predictors = [...]string{"log-odds of the posterior", "free constants", "free exponents", "columns, up to 3"}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// fittable returns the records that can be fitted: those with a chosen law that was scored in bits.
func fittable(records []CalibrationRecord) (some []CalibrationRecord) {
	for _, r := range records {
		if r.Error == "" && r.Chosen != "" && r.Features != nil && r.Probability != nil {
			some = append(some, r)
		}
	}
	return some
}

// fewestFitted is the least number of laws for the fit of a model.
const fewestFitted = 20

// FitProbability fits a model by maximum likelihood, with the first n predictors. The penalty is
// l2/2 times the sum of the squared weights of standardized predictors. The weight of the posterior
// is not negative, so the probability never falls as the posterior rises.
func FitProbability(records []CalibrationRecord, n int, l2 float64) (m ProbabilityModel, err error) {
	records = fittable(records)
	n = min(n, len(predictors))
	if len(records) < fewestFitted {
		return m, fmt.Errorf("%d laws with a posterior: a fit needs %d", len(records), fewestFitted)
	}
	var columns []int // indices of the predictors that vary
	x := [][]float64{}
	var means, sizes []float64
	for k := range n {
		v := make([]float64, len(records))
		for i, r := range records {
			v[i] = r.Features.Predictors()[k]
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
	y := make([]float64, len(records))
	for i, r := range records {
		y[i] = oneIf(r.Right)
	}
	w, err := logistic(x, y, l2)
	if err != nil {
		return m, err
	}
	// A negative weight of the posterior is not allowed. The best allowed weight is then 0.
	if len(columns) > 0 && columns[0] == 0 && w[1] < 0 {
		x[0] = make([]float64, len(records))
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

// Probability returns the probability that the chosen law of r is right. The record must have
// features.
func (m ProbabilityModel) Probability(r CalibrationRecord) float64 {
	z := m.Intercept
	for i, v := range r.Features.Predictors() {
		z += m.Weights[i] * v
	}
	return 1 / (1 + math.Exp(-z))
}

// CompareProbabilities fits models to the records in train and scores their probabilities on the
// records in judge. For comparison it also scores the posterior and the probability that the
// verdict stated. It returns a table as text.
func CompareProbabilities(train, judge []CalibrationRecord, l2 float64) (string, error) {
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
	for i, r := range judged {
		right[i] = r.Right
	}
	var b strings.Builder
	fmt.Fprintf(&b, "fitted to %d laws, scored on %d others\n%-28s  Brier    log\n", len(fittable(train)), len(judged), "")
	line := func(name string, of func(r CalibrationRecord) float64) {
		p := make([]float64, len(judged))
		for i, r := range judged {
			p[i] = of(r)
		}
		brier, log := scores(p, right)
		fmt.Fprintf(&b, "%-28s %6.4f %6.4f\n", name, brier, log)
	}
	line("share of right laws", func(CalibrationRecord) float64 { return shareOf(right) })
	line("posterior itself", func(r CalibrationRecord) float64 { return r.Features.Posterior })
	line("probability stated", func(r CalibrationRecord) float64 { return *r.Probability })
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
