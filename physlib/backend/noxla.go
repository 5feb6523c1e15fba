//go:build !cgo || noxla

package backend

const hasXLA = false
