package backend

// Plan is the memory, in bytes, that a compiled program needs on its device, as the compiler
// planned it.
type Plan struct {
	Code      int64 `json:"code"`
	Arguments int64 `json:"arguments"`
	Results   int64 `json:"results"`
	Aliased   int64 `json:"aliased"`   // size of the results that overwrite arguments
	Temporary int64 `json:"temporary"` // largest size of the intermediate values
}

// Total returns the bytes that the program needs while it runs, including its arguments.
func (p Plan) Total() int64 { return p.Code + p.Arguments + p.Results - p.Aliased + p.Temporary }
