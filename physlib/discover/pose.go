package discover

import (
	"context"

	"github.com/physlib/lab/physlib/dataset"
)

// Pose returns t as the problem that Proposers get. With units, values are in SI and then in base
// units in which the numbers are near one. Without units, they are in the columns' own units, and
// columns far from one are scaled by powers of ten. Of s it uses Ops, Seed, NoUnits and Noise.
func Pose(t *dataset.Table, s Settings) *dataset.Problem { return prepare(context.Background(), t, s) }
