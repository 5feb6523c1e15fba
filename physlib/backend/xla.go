//go:build cgo && !noxla

package backend

import _ "github.com/gomlx/go-xla/compute/xla" // registers the backend xla

const hasXLA = true
