//go:build !cgo || noxla

package backend

import "github.com/gomlx/compute"

// PlanOf knows the plans of XLA's programs only, which this program was built without.
func PlanOf(compute.Executable) (p Plan, ok bool) { return p, false }
