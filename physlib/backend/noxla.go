//go:build !cgo || noxla

package backend

// HasXLA reports whether XLA is built in. This needs cgo, and a build without the tag noxla.
const HasXLA = false
