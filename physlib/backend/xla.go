//go:build cgo && !noxla

package backend

import _ "github.com/gomlx/go-xla/compute/xla" // registers the backend xla

// HasXLA reports whether XLA was built in: with cgo, and without the tag noxla.
const HasXLA = true
