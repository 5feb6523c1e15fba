package dataset

import "math"

// Kth returns the value that would be at position k, counted from 0, if v were sorted. It reorders
// v and takes linear time (C. A. R. Hoare, Algorithm 65: Find, Comm. ACM 4 (1961) 321). NaN counts
// as smaller than all other values.
func Kth(v []float64, k int) float64 {
	nans := 0
	for i, x := range v {
		if math.IsNaN(x) {
			v[i], v[nans] = v[nans], x
			nans++
		}
	}
	if k < nans {
		return math.NaN()
	}
	lo, hi := nans, len(v)-1
	for lo < hi {
		mid := lo + (hi-lo)/2
		if v[mid] < v[lo] {
			v[mid], v[lo] = v[lo], v[mid]
		}
		if v[hi] < v[lo] {
			v[hi], v[lo] = v[lo], v[hi]
		}
		if v[hi] < v[mid] {
			v[hi], v[mid] = v[mid], v[hi]
		}
		pivot := v[mid]
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for pivot < v[j] {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return v[k]
		}
	}
	return v[k]
}
