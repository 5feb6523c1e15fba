//go:build !cgo || noxla

package backend

import "github.com/gomlx/compute"

// PlanOf returns false, since only XLA's programs have plans, and this build has no XLA.
func PlanOf(compute.Executable) (p Plan, ok bool) { return p, false }
