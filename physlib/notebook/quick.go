package notebook

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"time"
)

// Quick reports whether PHYSLIB_QUICK is set to something other than 0: notebooks then do less of
// everything, for tests.
func Quick() bool {
	v := os.Getenv("PHYSLIB_QUICK")
	return v != "" && v != "0"
}

// Or returns usual, or quick where [Quick] says so.
func Or[T any](usual, quick T) T {
	if Quick() {
		return quick
	}
	return usual
}

// Int returns the whole number in the environment variable name, or usual where it is not set.
// `%env NAME 5` in a cell sets it for the rest of the session. What is no number ends the cell.
func Int(name string, usual int) int {
	return env(name, usual, strconv.Atoi, "a whole number, such as 5")
}

// Duration returns the time in the environment variable name, such as 90s or 5m; usual where it is
// not set.
func Duration(name string, usual time.Duration) time.Duration {
	return env(name, usual, time.ParseDuration, "a time, such as 90s or 5m")
}

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

// Backend returns the backend of networks: $PHYSLIB_BACKEND, or the pure Go backend. XLA would
// compile its graphs anew in each cell, since each is a program of its own.
func Backend() string { return cmp.Or(os.Getenv("PHYSLIB_BACKEND"), "go") }
