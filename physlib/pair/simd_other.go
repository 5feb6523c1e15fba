//go:build !(amd64 && goexperiment.simd)

package pair

// fastest has the loops for [Default].
var fastest = plain

// simdLoops returns the loops that this build can run, the fastest first.
func simdLoops() []loops { return []loops{plain} }
