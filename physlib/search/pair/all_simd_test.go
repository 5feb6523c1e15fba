//go:build amd64 && goexperiment.simd

package pair

func all() []loops { return []loops{plain} }
