//go:build !cgo || noxla

package backend

// HasXLA tells whether XLA was built in: with cgo, and without the tag noxla.
const HasXLA = false
