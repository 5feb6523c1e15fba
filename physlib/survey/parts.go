package survey

import (
	"sync"

	"github.com/physlib/lab/physlib/expr"
)

// partForms are common forms of one variable inside laws. There are one or two for each function,
// with at most three constants.
var partForms = []string{
	"c0*x0", "c0*x0 + c1", "c0*x0**2", "c0*x0**2 + c1", "c0*x0**2 + c1*x0", "c0*sqrt(x0)", "c0*sqrt(x0 + c1)", "c0*sqrt(x0**2 + c1)",
	"c0/x0", "c0/x0 + c1", "c0/x0**2", "c0*x0**c1", "c0*x0**c1 + c2",
	"c0/(x0 + c1)", "c0*x0/(x0 + c1)", "c0/(x0**2 + c1)", "c0/(x0 + c1)**2", "c0/sqrt(c1 - x0**2)",
	"c0*exp(c1*x0)", "c0*exp(c1*x0) + c2", "c0*exp(c1/x0)", "c0*exp(c1*x0**2)", "c0*x0*exp(c1*x0)", "c0/(exp(c1*x0) + c2)",
	"c0*log(x0) + c1", "c0*log(c1*x0 + 1)",
	"c0*sin(x0)", "c0*cos(x0)", "c0*sin(x0) + c1", "c0*cos(x0) + c1", "c0*sin(x0)**2", "c0*cos(x0)**2", "c0*tan(x0)",
	"c0*sin(c1*x0)", "c0*cos(c1*x0)", "c0*tanh(c1*x0)", "c0*cosh(c1*x0)",
}

// Parts returns common forms of one variable that may be subexpressions of laws. The variable is
// column 0.
var Parts = sync.OnceValue(func() []expr.Tree {
	trees := make([]expr.Tree, len(partForms))
	for i, text := range partForms {
		t, err := expr.Parse(text, nil)
		if err != nil {
			panic(err) // a test makes sure that all forms parse
		}
		trees[i] = t
	}
	return trees
})
