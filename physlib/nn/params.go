package nn

import (
	"strings"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Parameters of a scope. They hold for the scope on which they are set and all below it, so that
// store.Scope("/decoder").SetParam(nn.ParamLoRARank, 16) adapts the decoder alone.
const (
	ParamSeed         = "seed"          // int64: seed of the initial weights; 0 is a seed as any other
	ParamCompute      = "compute_dtype" // string: type in which to compute, such as bfloat16; "" means the type of the input
	ParamResidualGain = "residual_gain" // float64: factor on the initial weights of layers that add to a residual stream; 1
	ParamLoRARank     = "lora_rank"     // int: rank r of the adapters; 0 means none
	ParamLoRAAlpha    = "lora_alpha"    // float64: the adapters' scale is α/r; 0 means α = r
	ParamLoRATargets  = "lora_targets"  // string: names of the layers to adapt, comma-separated; "" means every Linear
)

// compute returns x in the type in which the scope computes.
func compute(s *model.Scope, x *Node) *Node {
	return ConvertDType(x, computeType(s, x.DType()))
}

// computeType returns ParamCompute, or else.
func computeType(s *model.Scope, otherwise dtypes.DType) dtypes.DType {
	name := model.GetParamOr(s, ParamCompute, "")
	if name == "" {
		return otherwise
	}
	dt, err := dtypes.DTypeString(name)
	if err != nil || !dt.IsFloat() {
		exceptions.Panicf("%s %q is no type of floating-point numbers: use float32, bfloat16 or float16", ParamCompute, name)
	}
	return dt
}

// master returns the type in which variables are kept that work on numbers of type dt.
func master(dt dtypes.DType) dtypes.DType {
	if dt == dtypes.Float64 {
		return dt
	}
	return dtypes.Float32
}

// exact returns x in at least float32, for means, variances and exponentials.
func exact(x *Node) *Node { return ConvertDType(x, master(x.DType())) }

// adapted reports whether ParamLoRATargets names the layer in this scope: by the last elements of
// its path.
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

// residualGain returns ParamResidualGain.
func residualGain(s *model.Scope) float64 { return model.GetParamOr(s, ParamResidualGain, 1.0) }
