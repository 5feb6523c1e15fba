//go:build cgo && !noxla

package backend

import (
	"reflect"

	"github.com/gomlx/compute"
	"github.com/gomlx/go-xla/compute/xla"
	"github.com/gomlx/go-xla/pjrt"
)

// PlanOf returns the plan of a program that XLA compiled; ok is false for programs of other
// backends.
func PlanOf(e compute.Executable) (p Plan, ok bool) {
	x, isXLA := e.(*xla.Executable)
	if !isXLA {
		return p, false
	}
	// go-xla gets these numbers from PJRT, but only logs them. They are in an unexported field.
	field := reflect.ValueOf(x).Elem().FieldByName("exec")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*pjrt.LoadedExecutable]() || field.IsNil() {
		return p, false
	}
	loaded := (*pjrt.LoadedExecutable)(field.UnsafePointer())
	m := loaded.OnDeviceMemoryUsageStats
	return Plan{Code: m.GeneratedCode, Arguments: m.Inputs, Results: m.Outputs, Aliased: m.Aliases, Temporary: m.Temporary}, true
}
