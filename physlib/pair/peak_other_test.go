//go:build !(amd64 && goexperiment.simd)

package pair

// peakGFLOPs returns 0, since the peak speed is not known in a build without vectors.
func peakGFLOPs(string) float64 { return 0 }
