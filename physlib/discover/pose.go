package discover

import (
	"context"

	"github.com/physlib/lab/physlib/dataset"
)

// Pose returns t as Proposers are asked about it: with units in SI, then in base units in which the
// numbers are near one; without units in the columns' own, columns far from one scaled by powers of
// ten. Of s it uses Ops, Seed, NoUnits and Noise.
func Pose(t *dataset.Table, s Settings) *dataset.Problem { return prepare(context.Background(), t, s) }
