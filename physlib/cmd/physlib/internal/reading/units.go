package reading

import (
	"slices"
	"strings"
)

// NoUnits reports whether the value of --units means that units are ignored.
func NoUnits(value string) bool {
	return slices.Contains([]string{"none", "off", "false", "no"}, strings.ToLower(value))
}
