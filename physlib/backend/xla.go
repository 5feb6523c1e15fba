//go:build cgo && !noxla

package backend

import _ "github.com/gomlx/go-xla/compute/xla" // registers the backend xla

// HasXLA reports whether XLA is built in. This needs cgo, and a build without the tag noxla.
const HasXLA = true
