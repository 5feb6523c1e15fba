// Package nn holds the layers of physlib's networks: linear maps with low-rank adaptation inside,
// normalisation, feed-forward blocks and set attention. It also has attention with masks, rotary
// positions and windows, and embeddings of tokens and positions.
//
// A layer is a function of a scope and of nodes:
//
//	h := nn.Linear(s.In("embed"), x, dim)  // [batch, points, cols] to [batch, points, dim]
//	h = nn.Attention{Heads: 8}.Apply(s.In("attention"), h, h, nil)
//
// The scope names the variables, and the names are those in the checkpoint; the same scope again
// means the same weights. The axes are called batch, points, cols, slots, seq, dim, heads, headDim,
// vocab throughout. A layer panics with an error where shapes do not fit; the executor returns it.
//
// # Numbers
//
// Activations carry their type: a layer computes in the type of its input and returns that type. A
// network begins with Linear, Embedding and the learned vectors. So they alone read the scope's
// parameter ParamCompute ("bfloat16" on a GPU) and return that type. Variables are float32 (float64
// where the input is, for tests), cast as they are used; mean, variance and softmax are in float32.
//
// # Initial weights
//
// The weights of a new model are a function of the seed (ParamSeed) and of the variable's path
// alone. They are equal bit by bit on every backend; see Noise. The standard deviation of a matrix
// is 1/√in.
//
// # Adaptation
//
// Every Linear has low-rank adaptation inside (Hu et al., LoRA, 2021). Where the scope's
// ParamLoRARank is positive and ParamLoRATargets names the layer, it adds (α/r)·x·A·B with B
// starting at zero.
package nn
