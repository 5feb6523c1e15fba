//go:build !(amd64 && goexperiment.simd)

package pair

// peakGFLOPs is not known in a build without vectors.
func peakGFLOPs(string) float64 { return 0 }
