//go:build unix

// Package home sets HOME if it is unset, as in some services and containers. It does so before
// other packages read it, since otherwise PJRT's Go package would log a line on every start. The
// package imports only the standard library, so that Go initializes it first.
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
	os.Setenv("HOME", cmp.Or(dir, "/nonexistent")) // Debian's value for users without a home
}
