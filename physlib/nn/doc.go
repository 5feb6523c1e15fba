// Package nn holds the layers of physlib's networks: linear maps with low-rank adaptation inside,
// normalisation, feed-forward blocks and set attention. It also has attention with masks, rotary
// positions and windows, and embeddings of tokens and positions.
//
// A layer is a function of a scope and of nodes:
//
//	h := nn.Linear(s.In("embed"), x, dim)  // [batch, points, cols] to [batch, points, dim]
//	h = nn.Attention{Heads: 8}.Apply(s.In("attention"), h, h, nil)
//
// The scope determines the variables' names, which are also those in the checkpoint. The same scope
// means the same weights. The axes are called batch, points, cols, slots, seq, dim, heads, headDim,
// vocab throughout. A layer panics with an error if shapes do not fit; the executor returns it.
//
// # Numbers
//
// A layer computes in the type of its input and returns that type. So only the layers at which a
// network begins read the scope's parameter ParamCompute ("bfloat16" on a GPU): Linear, Embedding
// and the learned vectors. They return that type. Variables are float32 (float64 if the input is,
// for tests), and converted when they are used. Means, variances and softmax are computed in
// float32.
//
// # Initial weights
//
// The weights of a new model depend only on the seed (ParamSeed) and on the path of each variable.
// They are equal bit by bit on every backend; see Noise. The standard deviation of a matrix is
// 1/√in.
//
// # Adaptation
//
// Every Linear supports low-rank adaptation (Hu et al., LoRA, 2021). If the scope's ParamLoRARank
// is positive and ParamLoRATargets names the layer, it adds (α/r)·x·A·B, where B is initially zero.
//
// # Papers
//
// PhysDiffuse, PhysMDT, ARChitects, PARR and PDR are the papers whose networks are the presets of
// package system. A citation such as PARR §2.3 names a section of one.
package nn
