//go:build !(amd64 && goexperiment.simd)

package pair

// fastest is what [Default], [Triples] and [Extend] run on.
var fastest = plain
