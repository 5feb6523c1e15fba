package system

import (
	"cmp"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/decoder"
	"github.com/physlib/lab/physlib/diffusion"
	"github.com/physlib/lab/physlib/encoder"
	"github.com/physlib/lab/physlib/token"
)

// network builds the graphs of a system.
type network struct {
	Config
	vocab      *token.Vocabulary
	dims       *diffusion.Dimensions // effects of tokens on dimensions, for the dimensional loss
	corruption diffusion.Corruption  // how tokens of a batch are masked
	// Share of the examples of a batch that have an earlier candidate.
	feedback float64
}

func newNetwork(c *Config) (*network, error) {
	v, err := c.Vocabulary()
	if err != nil {
		return nil, err
	}
	n := &network{Config: *c, vocab: v, dims: diffusion.NewDimensions(v), feedback: c.Decoder.Feedback}
	if c.Corpus.MaskMin > 0 || c.Corpus.MaskMax > 0 {
		n.corruption = diffusion.Corruption{Min: c.Corpus.MaskMin, Max: cmp.Or(c.Corpus.MaskMax, 1)}
	}
	return n, nil
}

// tree reports whether the decoder needs the tokens' positions in the tree.
func (n *network) tree() bool { return decoder.Tree(n.Decoder.Axes) }

// reader returns the nodes of a batch in turn, see network.batch.
type reader struct{ left []*Node }

func (r *reader) next() *Node {
	x := r.left[0]
	r.left = r.left[1:]
	return x
}

// tables reads the inputs of the encoder, in the order of inputs.tensors.
func (n *network) tables(r *reader) encoder.Inputs {
	in := encoder.Inputs{Rows: r.next(), RowMask: r.next(), Cols: r.next(), ColMask: r.next()}
	if n.Encoder.Kind == encoder.Digits {
		in.Numbers, in.Values = r.next(), r.next()
	}
	return in
}

// memory encodes tables, see encoder.Config.Encode.
func (n *network) memory(s *model.Scope, in encoder.Inputs) (memory, present *Node) {
	return n.encoder().Encode(s.In("encoder"), in)
}

// units returns the units for dimensional attention, [batch, cols+1+slots, decoder.NumUnits]. They
// are the units of the columns, of the target, and of the slots of the memory. The result is nil if
// the network has no dimensional attention. If all exponents of a table are zero, its units count
// as unknown, since they contain no information then.
func (n *network) units(in encoder.Inputs, memory *Node) *Node {
	if !n.Decoder.Dimensional {
		return nil
	}
	const size = decoder.NumUnits - 1
	at := 1 // index at which the units start in the vector of a column
	if !n.Encoder.Raw {
		at = n.Encoder.Cols + 1
	}
	powers := Slice(in.Cols, AxisRange(), AxisRange(), AxisRange(at, at+size))
	some := GreaterThan(ReduceAndKeep(Abs(powers), ReduceSum, 1, 2), ScalarZero(powers.Graph(), powers.DType()))
	known := LogicalAnd(InsertAxes(in.ColMask, -1), BroadcastToDims(some, in.ColMask.Shape().Dim(0), in.ColMask.Shape().Dim(1), 1))
	columns := Concatenate([]*Node{powers, ConvertDType(known, powers.DType())}, -1)
	slots := decoder.UnitsOf(n.encoder().Columns(in, memory.Shape().Dim(1)), columns, n.Encoder.Cols+1)
	return Concatenate([]*Node{columns, slots}, 1)
}

// lengthLogits returns logits [batch, seq] of an expression's length, 1 … seq. They are computed
// from the slot of the target's column or from the vector of a DeepSet. With an encoder of numbers,
// they are computed from the mean of its tokens.
func (n *network) lengthLogits(s *model.Scope, memory, present *Node) *Node {
	slot := 0
	if !n.Encoder.Raw && n.Encoder.Summary == 0 && n.Encoder.Kind != encoder.DeepSets {
		slot = n.Encoder.Cols
	}
	var at *Node
	if n.Encoder.Kind == encoder.Digits {
		there := InsertAxes(ConvertDType(present, memory.DType()), -1)
		at = Div(ReduceSum(Mul(memory, there), 1), MaxScalar(ReduceSum(there, 1), 1.0))
	} else {
		at = Squeeze(Slice(memory, AxisRange(), AxisElem(slot), AxisRange()), 1)
	}
	return n.decoder(n.vocab).Lengths(s.In("length"), at)
}

// shown reads those inputs of the decoder that follow the memory, see network.decoderInputs. ids
// are the visible tokens.
func (n *network) shown(ids *Node, r *reader) decoder.Shown {
	in := decoder.Shown{IDs: ids, Lengths: r.next()}
	if n.tree() {
		in.Places = r.next()
	}
	if n.Decoder.Feedback > 0 {
		in.Prior = &decoder.Prior{IDs: r.next(), R2: r.next()}
	}
	return in
}

// encode builds the graph that encodes a table. It returns memory and present. With lengths: head
// it also returns the logits of the lengths, and with dimensional attention the units.
func (n *network) encode(s *model.Scope, in []*Node) []*Node {
	tables := n.tables(&reader{in})
	memory, present := n.memory(s, tables)
	out := []*Node{memory, present}
	if n.Lengths == "head" {
		out = append(out, n.lengthLogits(s, memory, present))
	}
	if n.Decoder.Dimensional {
		out = append(out, n.units(tables, memory))
	}
	return out
}

// denoise builds the graph of a stack's logits for tokens, which are ids [samples, seq] or weights
// [samples, seq, vocab]. in holds the tokens, the visible ids and the results of
// network.decoderInputs. Memory, present and, with dimensional attention, the units follow.
func (n *network) denoise(s *model.Scope, in []*Node) *Node {
	r := &reader{in}
	d, s, tokens := n.decoder(n.vocab), s.In("decoder"), r.next()
	shown := n.seen(r)
	return d.Denoise(s, n.embed(s, tokens), shown)
}

// embed returns the embeddings of tokens, given as ids or weights.
func (n *network) embed(s *model.Scope, tokens *Node) *Node {
	d := n.decoder(n.vocab)
	if tokens.Rank() == 3 {
		return d.Soft(s, tokens)
	}
	return d.Tokens(s, tokens)
}

// seen reads from r, in this order: the visible ids, the decoder's other inputs (see shown),
// memory, present and, with dimensional attention, the units.
func (n *network) seen(r *reader) decoder.Shown {
	shown := n.shown(r.next(), r)
	memory, present := r.next(), r.next()
	var units *Node
	if n.Decoder.Dimensional {
		units = r.next()
	}
	shown.Memory, shown.Present, shown.Units = memory, present, units
	return shown
}

// loop builds the graph of one loop of a shared block. It returns the next embeddings and logits.
// in holds the embeddings before the loop, progress, α, and the inputs of seen. Before the first
// loop the embeddings are those of embed.
func (n *network) loop(s *model.Scope, in []*Node) []*Node {
	r := &reader{in}
	d, s := n.decoder(n.vocab), s.In("decoder")
	hidden, progress, alpha := r.next(), r.next(), r.next()
	shown := n.seen(r)
	next, logits := d.Loop(s, d.Tokens(s, shown.IDs), hidden, progress, alpha, shown)
	return []*Node{next, logits}
}

// variables creates all variables. To do so, it builds the graphs that encode and decode. in are
// the inputs of encode.
func (n *network) variables(s *model.Scope, in []*Node) {
	g, seq := in[0].Graph(), n.Seq
	encoded := n.encode(s, in)
	all := []*Node{Const(g, [][]int32{make([]int32, seq)}), Const(g, []int32{1})}
	if n.tree() {
		all = append(all, Zeros(g, shapes.Make(dtypes.Int32, 1, seq, decoder.NumPlaces)))
	}
	if n.Decoder.Feedback > 0 {
		all = append(all, Zeros(g, shapes.Make(dtypes.Int32, 1, seq)), Zeros(g, shapes.Make(dtypes.Float32, 1)))
	}
	all = append(all, encoded[:2]...)
	if n.Decoder.Dimensional {
		all = append(all, encoded[len(encoded)-1])
	}
	if n.Decoder.Kind == decoder.Shared {
		one := Scalar(g, dtypes.Float32, 1)
		n.loop(s, append([]*Node{Zeros(g, shapes.Make(dtypes.Float32, 1, seq, n.Dim)), one, one}, all...))
		return
	}
	n.denoise(s, append(all[:1:1], all...))
}

// metrics returns the names of the metrics of loss.
func (n *network) metrics() []string {
	names := []string{"tokens_loss"}
	if n.Decoder.Kind == decoder.Shared {
		names = append(names, "loops_loss")
	}
	if n.Lengths == "head" {
		names = append(names, "length_loss")
	}
	if n.Decoder.Verify > 0 {
		names = append(names, "verify_loss")
	}
	if n.Train.DimLoss > 0 {
		names = append(names, "dim_loss")
	}
	return names
}

// loss returns the loss of a batch of Task.Batch, and its parts in the order of metrics.
func (n *network) loss(s *model.Scope, batch []*Node) (*Node, []*Node) {
	l, parts, _ := n.lossOf(s, batch)
	return l, parts
}

// lossOf returns the results of loss, and the logits [sequences, seq, vocab] from which the loss is
// computed. For a shared block these are the logits of the last loop.
func (n *network) lossOf(s *model.Scope, batch []*Node) (l *Node, parts []*Node, logits *Node) {
	r := &reader{batch}
	in := n.tables(r)
	hidden, ids, weights := r.next(), r.next(), r.next()
	shown := n.shown(hidden, r)
	memory, present := n.memory(s, in)
	shown.Memory, shown.Present, shown.Units = memory, present, n.units(in, memory)
	masks := hidden.Shape().Dim(0) / memory.Shape().Dim(0)

	d, ds := n.decoder(n.vocab), s.In("decoder")
	x := d.Tokens(ds, hidden)
	if d.Kind == decoder.Shared {
		all := d.Refine(ds, x, shown)
		logits = all[len(all)-1]
		learned, reported := n.loopsLoss(d, all, ids, weights)
		l, parts = learned, []*Node{diffusion.Loss(logits, ids, weights), reported}
	} else {
		logits = d.Denoise(ds, x, shown)
		l = diffusion.Loss(logits, ids, weights)
		parts = []*Node{l}
	}
	if n.Lengths == "head" {
		all := Reshape(shown.Lengths, -1, masks)
		length := AddScalar(Squeeze(Slice(all, AxisRange(), AxisElem(0)), 1), -1)
		predicted := n.lengthLogits(s, memory, present)
		longer := ReduceAllMean(diffusion.CrossEntropy(predicted, length))
		if n.Decoder.LengthHead == "bce" {
			longer = ReduceAllMean(binary(predicted, length))
		}
		parts = append(parts, longer)
		l = Add(l, MulScalar(longer, n.Train.Length))
	}
	if n.Decoder.Verify > 0 {
		z, r := d.Verify(s.In("verify"), *shown.Prior, shown), shown.Prior.R2
		some := ConvertDType(GreaterOrEqual(r, ZerosLike(r)), dtypes.Float32)
		verify := Div(ReduceAllSum(Mul(logistic(z, MaxScalar(r, 0)), some)), MaxScalar(ReduceAllSum(some), 1.0))
		parts = append(parts, verify)
		l = Add(l, MulScalar(verify, n.Decoder.Verify))
	}
	if n.Train.DimLoss > 0 { // PhysDiffuse §5
		d := n.dims.Loss(logits, ids, weights, r.next(), r.next(), r.next(), r.next())
		parts = append(parts, d)
		l = Add(l, MulScalar(d, n.Train.DimLoss))
	}
	return ConvertDType(l, dtypes.Float32), parts, logits
}

// loopsLoss is the deep supervision of PARR §6: the mean of the losses of loops k = 1 … K, with
// weights w_k = k/K. The result learned is the mean over the loops through which gradients pass.
// reported is the mean over all loops.
func (n *network) loopsLoss(d decoder.Config, logits []*Node, ids, weights *Node) (learned, reported *Node) {
	g := ids.Graph()
	learned, reported = ScalarZero(g, dtypes.Float32), ScalarZero(g, dtypes.Float32)
	var sum, all float64
	for k, l := range logits {
		w := float64(k+1) / float64(len(logits))
		if n.Decoder.Supervision == "last" && k < len(logits)-1 {
			continue
		}
		loss := MulScalar(diffusion.Loss(l, ids, weights), w)
		reported, all = Add(reported, loss), all+w
		if d.Learned(k) {
			learned, sum = Add(learned, loss), sum+w
		}
	}
	return DivScalar(learned, sum), DivScalar(reported, all)
}

// binary returns the binary cross-entropy of PARR's length head (§6), summed over lengths, [batch].
// logits are [batch, seq], truth [batch] has the index of the true length. Each length has a
// separate probability, which should be 1 for the true length and 0 for the others.
func binary(logits, truth *Node) *Node {
	return ReduceSum(logistic(logits, OneHot(truth, logits.Shape().Dim(1), dtypes.Float32)), -1)
}

// logistic returns log(1 + e^z) - z·p. This is the cross-entropy of the predicted probability σ(z)
// if the true probability is p. z and p have equal shapes.
func logistic(z, p *Node) *Node {
	z = ConvertDType(z, dtypes.Float32)
	return Sub(Add(MaxScalar(z, 0), Log1P(Exp(Neg(Abs(z))))), Mul(z, p))
}
