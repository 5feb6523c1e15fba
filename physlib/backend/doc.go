// Package backend opens the backend on which tensors are computed. The pure Go backend of GoMLX is
// always available. XLA on a processor or an NVIDIA GPU needs a PJRT plugin, a shared library that
// is loaded at run time.
//
//	auto         a GPU if there is one, else XLA on the CPU if its plugin loads, else go
//	go           pure Go; built with GOEXPERIMENT=simd it is about nine times as fast as without
//	xla:cpu      XLA on the CPU, plugin found as Candidates says
//	xla:cuda     XLA on NVIDIA GPUs, plugin found as Candidates says
//	xla:/a/b.so  XLA with the plugin in this file
//
// Options of GoMLX follow a comma (xla:cuda,memory_fraction=0.5) or, for go, the colon
// (go:ops_sequential).
//
// # Design
//
// A plugin file is checked before it is loaded, by its ELF header and symbols, since dlopen's
// message for an incomplete download helps nobody. The package downloads no plugin: an error names
// the command that gets one. XLA needs cgo. With CGO_ENABLED=0 or the build tag noxla, the program
// works with go alone, and reports an error if XLA is requested.
package backend
