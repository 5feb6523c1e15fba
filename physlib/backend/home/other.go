//go:build !unix

// Package home sets HOME on Unix if it is unset. On other systems it does nothing.
package home
