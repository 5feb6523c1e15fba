//go:build goexperiment.simd && amd64

package vec
