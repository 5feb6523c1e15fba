package backend

// Plan is the memory that a compiled program takes on its device, as the compiler planned it, in
// bytes.
type Plan struct {
	Code      int64 `json:"code"`
	Arguments int64 `json:"arguments"`
	Results   int64 `json:"results"`
	Aliased   int64 `json:"aliased"`   // of the results that take the place of arguments
	Temporary int64 `json:"temporary"` // everything in between, at its largest
}

// Total returns what the program needs while it runs, its arguments included.
func (p Plan) Total() int64 { return p.Code + p.Arguments + p.Results - p.Aliased + p.Temporary }
