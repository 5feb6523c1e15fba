package nn

import (
	"strings"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Parameters of a scope. A parameter applies to the scope on which it is set and to all scopes
// below it. So store.Scope("/decoder").SetParam(nn.ParamLoRARank, 16) adapts only the decoder.
const (
	ParamSeed         = "seed"          // int64: seed of the initial weights; 0 is an ordinary seed
	ParamCompute      = "compute_dtype" // string: float type for computation; "": that of the input
	ParamResidualGain = "residual_gain" // float64, see residualGain
	ParamLoRARank     = "lora_rank"     // int: rank r of the adapters; 0: none
	ParamLoRAAlpha    = "lora_alpha"    // float64: the adapters' scale is α/r; 0: α = r
	// string: layers to adapt, comma-separated; "": every Linear
	ParamLoRATargets = "lora_targets"
)

// compute converts x to the type in which the scope computes.
func compute(s *model.Scope, x *Node) *Node {
	return ConvertDType(x, computeType(s, x.DType()))
}

// computeType returns the type that ParamCompute names. If it is not set, it returns otherwise.
func computeType(s *model.Scope, otherwise dtypes.DType) dtypes.DType {
	name := model.GetParamOr(s, ParamCompute, "")
	if name == "" {
		return otherwise
	}
	dt, err := dtypes.DTypeString(name)
	if err != nil || !dt.IsFloat() {
		exceptions.Panicf("%s %q is not a type of floating-point numbers: use float32, bfloat16 or float16", ParamCompute, name)
	}
	return dt
}

// master returns the type of variables that are used in computations of type dt.
func master(dt dtypes.DType) dtypes.DType {
	if dt == dtypes.Float64 {
		return dt
	}
	return dtypes.Float32
}

// exact converts x to at least float32, for means, variances and exponentials.
func exact(x *Node) *Node { return ConvertDType(x, master(x.DType())) }

// adapted reports whether ParamLoRATargets names the layer of this scope. A target matches if the
// scope's path ends with it. Without targets, every layer is adapted.
func adapted(s *model.Scope) bool {
	targets := model.GetParamOr(s, ParamLoRATargets, "")
	if targets == "" {
		return true
	}
	for t := range strings.SplitSeq(targets, ",") {
		if strings.HasSuffix(s.Scope(), "/"+strings.TrimSpace(t)) {
			return true
		}
	}
	return false
}

// residualGain returns ParamResidualGain, which is 1 by default. It is the factor on the initial
// weights of layers that add to a residual stream.
func residualGain(s *model.Scope) float64 { return model.GetParamOr(s, ParamResidualGain, 1.0) }
