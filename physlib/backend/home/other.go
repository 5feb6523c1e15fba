//go:build !unix

// Package home sets HOME on Unix where it is unset; elsewhere it does nothing.
package home
