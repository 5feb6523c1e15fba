//go:build !(amd64 && goexperiment.simd)

package pair

// fastest is what [Default], [Triples] and [Extend] run on.
var fastest = plain

// simdLoops are the loops that this build can run, the fastest first.
func simdLoops() []loops { return []loops{plain} }
