package survey

import (
	"github.com/physlib/lab/physlib/mdl"
)

func devPrior() mdl.Prior { return Catalogue() }
