package notebook

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"time"
)

// Quick reports whether PHYSLIB_QUICK is set to a value other than 0. Notebooks then do less of
// everything, as in tests.
func Quick() bool {
	v := os.Getenv("PHYSLIB_QUICK")
	return v != "" && v != "0"
}

// Or returns quick if [Quick] is true, else usual.
func Or[T any](usual, quick T) T {
	if Quick() {
		return quick
	}
	return usual
}

// Int returns the integer in the environment variable name, or usual if it is not set. The line
// `%env NAME 5` in a cell sets it for the rest of the session. A value that is not an integer ends
// the cell.
func Int(name string, usual int) int {
	return env(name, usual, strconv.Atoi, "a whole number, such as 5")
}

// Duration returns the duration in the environment variable name, such as 90s or 5m, or usual if it
// is not set.
func Duration(name string, usual time.Duration) time.Duration {
	return env(name, usual, time.ParseDuration, "a time, such as 90s or 5m")
}

// env returns the parsed environment variable name, or usual if it is not set. want describes valid
// values.
func env[T any](name string, usual T, parse func(string) (T, error), want string) T {
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	v, err := parse(text)
	if err != nil {
		Check(fmt.Errorf("$%s is %q; give %s", name, text, want))
	}
	return v
}

// Backend returns the backend for networks: $PHYSLIB_BACKEND, or the pure Go backend. XLA would
// compile its graphs again in each cell, since each cell is a separate program.
func Backend() string { return cmp.Or(os.Getenv("PHYSLIB_BACKEND"), "go") }
