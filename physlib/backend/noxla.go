//go:build !cgo || noxla

package backend

// HasXLA reports whether XLA was built in: with cgo, and without the tag noxla.
const HasXLA = false
