package stream

// An arena allocates slices as parts of one long slice, so that a law needs few allocations. The
// slices are valid until reset.
type arena[T any] struct {
	free []T
	all  []T
}

// take returns n elements. They may contain old values.
func (r *arena[T]) take(n int) []T {
	if n > len(r.free) {
		r.all = make([]T, max(2*len(r.all), n, 256))
		r.free = r.all
	}
	s := r.free[:n:n]
	r.free = r.free[n:]
	return s
}

// copy returns a copy of s with room for more elements.
func (r *arena[T]) copy(s []T, more int) []T {
	t := r.take(len(s) + more)[:len(s)]
	copy(t, s)
	return t
}

func (r *arena[T]) reset() { r.free = r.all }
