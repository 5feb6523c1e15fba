//go:build unix

// Package home sets HOME where it is unset, as in some services and containers, before other
// packages read it. PJRT's Go package would print a line of its log on every start. It imports only
// the standard library, so that Go initialises it first.
package home

import (
	"cmp"
	"os"
	"os/user"
)

func init() {
	if os.Getenv("HOME") != "" {
		return
	}
	dir := ""
	if u, err := user.Current(); err == nil {
		dir = u.HomeDir
	}
	os.Setenv("HOME", cmp.Or(dir, "/nonexistent")) // the home of Debian's users without one
}
