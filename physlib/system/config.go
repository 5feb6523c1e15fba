package system

import (
	"fmt"

	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/decoder"
	"github.com/physlib/lab/physlib/encoder"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/token"
)

// Config is the description of a system in its preset.
type Config struct {
	Name  string `yaml:"-" json:"name"`
	Base  string `yaml:"base" json:"-"`      // preset that this one modifies
	About string `yaml:"about" json:"about"` // one line for people

	Tokens string `yaml:"tokens" json:"tokens"` // vocabulary, see token.ByName
	Seq    int    `yaml:"seq" json:"seq"`       // longest sequence of tokens
	// Lengths is head, for exact lengths that are predicted, or pad, for a window of Seq with end
	// and padding tokens.
	Lengths string `yaml:"lengths" json:"lengths"`
	Dim     int    `yaml:"dim" json:"dim"`
	Heads   int    `yaml:"heads" json:"heads"`

	Encoder EncoderConfig `yaml:"encoder" json:"encoder"`
	Decoder DecoderConfig `yaml:"decoder" json:"decoder"`
	Corpus  CorpusConfig  `yaml:"corpus" json:"corpus"`
	Refine  RefineConfig  `yaml:"refine" json:"refine"`
	Train   TrainConfig   `yaml:"train" json:"train"`
	// Adapt is not part of training, so a run may be resumed with another value.
	Adapt AdaptConfig `yaml:"adapt" json:"-"`
	Claim Claim       `yaml:"claim" json:"-"`
}

// EncoderConfig describes the encoder of a system, see encoder.Config. The presets take their
// values from PhysDiffuse §3, PhysMDT §2, PARR §2.1 and PDR §2.
type EncoderConfig struct {
	// Set, deepsets, numbers or pdr; "": set.
	Kind encoder.Kind `yaml:"kind" json:"kind,omitempty"`
	// Digits is used by the encoder of numbers: significant digits. 0 means 4.
	Digits int `yaml:"digits" json:"digits,omitempty"`
	// PerToken is used by the encoder of numbers: the digits per token. 0 means 2.
	PerToken int `yaml:"per_token" json:"per_token,omitempty"`

	// For the encoder pdr: rank of the state of a head; 0: 16.
	Rank int `yaml:"rank" json:"rank,omitempty"`
	// Every is used by pdr: each Every-th layer is windowed attention. 0 means none.
	Every int `yaml:"every" json:"every,omitempty"`
	// Window is used by pdr: the number of rows that attention sees. 0 means 64.
	Window int `yaml:"window" json:"window,omitempty"`

	Cols   int `yaml:"cols" json:"cols"`     // largest number of columns
	Points int `yaml:"points" json:"points"` // number of rows that represent a table
	// Whether columns have values and units only, no statistics.
	Raw    bool `yaml:"raw" json:"raw"`
	Layers int  `yaml:"layers" json:"layers"`
	// Number of inducing points; 0: attention among all rows.
	Inducing int     `yaml:"inducing" json:"inducing"`
	Summary  int     `yaml:"summary" json:"summary"` // number of pooled vectors; 0: no pooling
	Hidden   int     `yaml:"hidden" json:"hidden"`   // feed-forward width; 0: 4·dim
	Dropout  float64 `yaml:"dropout" json:"dropout"`
	NoUnits  bool    `yaml:"no_units" json:"no_units"` // hide the units of the columns
}

// DecoderConfig describes the decoder of a system, see decoder.Config. The presets take their
// values from PhysDiffuse §4, PhysMDT §2, PARR §2.2 and ARChitects §3.
type DecoderConfig struct {
	Layers    int               `yaml:"layers" json:"layers"`
	Hidden    int               `yaml:"hidden" json:"hidden"` // feed-forward width; 0: 4·dim
	Positions decoder.Positions `yaml:"positions" json:"positions"`
	Dropout   float64           `yaml:"dropout" json:"dropout"`

	Kind decoder.Kind `yaml:"kind" json:"kind,omitempty"` // stack or shared; "": stack
	// Axes are the axes of rotary positions. If empty, there are no rotary positions.
	Axes []decoder.Axis `yaml:"axes" json:"axes,omitempty"`
	// Oracle is used by ablations: it trains with the tree positions of the true law.
	Oracle bool `yaml:"oracle" json:"oracle,omitempty"`
	// Feed is gelu, swiglu or conv-swiglu. "" means gelu.
	Feed decoder.Feed `yaml:"feed" json:"feed,omitempty"`
	// Dimensional adds a bias to attention that depends on units.
	Dimensional bool `yaml:"dimensional" json:"dimensional,omitempty"`
	// Feedback is the share of the training examples that have an earlier candidate and its R² as
	// input. 0 means that there is no such input.
	Feedback float64 `yaml:"feedback" json:"feedback,omitempty"`
	// Weight of the verification loss; 0: no such head.
	Verify float64 `yaml:"verify" json:"verify,omitempty"`
	// Loss of the length head: softmax or bce; "": softmax.
	LengthHead string `yaml:"length_head" json:"length_head,omitempty"`

	// Layers of a shared block; 0: 1.
	BlockLayers int `yaml:"block_layers" json:"block_layers,omitempty"`
	// Loops is the number K of times that a shared block is applied in training. 0 means 8.
	Loops int `yaml:"loops" json:"loops,omitempty"`
	// Blending weight α in the first loop; 0: 0.3.
	Blend float64 `yaml:"blend" json:"blend,omitempty"`
	// NoAlgebra omits the token algebra (PARR §2.4).
	NoAlgebra bool `yaml:"no_algebra" json:"no_algebra,omitempty"`
	// Backprop is K_bp, the number of loops through which gradients pass. 0 means all.
	Backprop int              `yaml:"backprop" json:"backprop,omitempty"`
	Truncate decoder.Truncate `yaml:"truncate" json:"truncate,omitempty"` // last or each; "": last
	// Supervision says how the losses of the loops are weighted: linear (k/K) or last. "" means
	// linear.
	Supervision string `yaml:"supervision" json:"supervision,omitempty"`
}

// CorpusConfig describes the laws and tables on which a system is trained. They are of this
// project, not in the papers.
type CorpusConfig struct {
	Rows int `yaml:"rows" json:"rows"` // rows of a table
	// FewRows is the share of the tables that keep only some of their rows, at least 10.
	FewRows float64 `yaml:"few_rows" json:"few_rows"`
	// HideUnits is the share of the tables whose units are hidden. Other tables may lack units
	// anyway.
	HideUnits float64 `yaml:"hide_units" json:"hide_units"`
	Noise     float64 `yaml:"noise" json:"noise"` // share of the tables with noise
	// Extra is the share of the tables with a column that is not in the law.
	Extra float64 `yaml:"extra" json:"extra"`
	// Masks is the number of corrupted copies of each expression in a batch.
	Masks   int      `yaml:"masks" json:"masks"`
	Buckets []Bucket `yaml:"buckets" json:"buckets"` // kinds of batches, by length of the laws
	// MaskMin is the smallest share of masked tokens.
	MaskMin float64 `yaml:"mask_min" json:"mask_min,omitempty"`
	// MaskMax is the largest share of masked tokens. 0 means 1.
	MaskMax float64 `yaml:"mask_max" json:"mask_max,omitempty"`
}

// Bucket is a kind of batch. The laws of its tables have at most Seq tokens, and more tokens than
// the Seq of the previous bucket.
type Bucket struct {
	Seq     int `yaml:"seq" json:"seq"`
	Tables  int `yaml:"tables" json:"tables"`   // number of tables in a batch
	Batches int `yaml:"batches" json:"batches"` // number of such batches in a block of the stream
}

// RefineConfig describes how a system decodes: by the loop of PhysDiffuse §2, PhysMDT §5, PARR §2.2
// or ARChitects §2. The strategies small and beam are of this project, not in the papers.
type RefineConfig struct {
	// Strategy is small, physdiffuse, physmdt, architects, parr or beam, see package diffusion.
	Strategy string `yaml:"strategy" json:"strategy"`
	Steps    int    `yaml:"steps" json:"steps"`     // T, number of steps over all rounds
	Rounds   int    `yaml:"rounds" json:"rounds"`   // R, number of rounds, each from masked tokens
	Samples  int    `yaml:"samples" json:"samples"` // number of candidates in parallel
	// Beams is used by the strategy beam: the number of prefixes kept over all lengths. 0 means
	// Samples.
	Beams int     `yaml:"beams" json:"beams,omitempty"`
	Tau0  float64 `yaml:"tau_start" json:"tau_start"`
	Tau1  float64 `yaml:"tau_end" json:"tau_end"`
	// Noise is the scale of the noise on logits, for physmdt, and for parr with WellFormed.
	Noise float64 `yaml:"noise" json:"noise"`

	// Loops is the number K of times that a shared block is applied in decoding. The strategy parr
	// does not use it. 0 means the number in training.
	Loops int `yaml:"loops" json:"loops,omitempty"`
	// WellFormed limits proposals to well-formed expressions. It also applies to the papers'
	// strategies.
	WellFormed bool `yaml:"well_formed" json:"well_formed,omitempty"`

	// The following fields are used by ablations. Their zero values do not change the strategies.

	// Feed selects what soft strategies feed back for masked tokens: soft, argmax or mask. "" means
	// soft.
	Feed string `yaml:"feed" json:"feed,omitempty"`
	// NoMask omits the mask embedding from soft tokens.
	NoMask bool `yaml:"no_mask" json:"no_mask,omitempty"`
	// NoFeedback hides the earlier candidates and their R² from later rounds.
	NoFeedback bool `yaml:"no_feedback" json:"no_feedback,omitempty"`
	// Filter drops laws whose units cannot balance.
	Filter bool `yaml:"filter" json:"filter,omitempty"`
	Passes int  `yaml:"passes" json:"passes,omitempty"` // number of passes of Propose; 0: 4
}

// TrainConfig holds the defaults of training, which flags of the command override. Presets take
// them from PhysMDT §7 and PARR §6 where these state them.
type TrainConfig struct {
	LR        float64 `yaml:"lr" json:"lr"`
	Warmup    int64   `yaml:"warmup" json:"warmup"`
	Schedule  string  `yaml:"schedule" json:"schedule"`
	Optimizer string  `yaml:"optimizer" json:"optimizer"`
	Beta2     float64 `yaml:"beta2" json:"beta2"`
	Decay     float64 `yaml:"weight_decay" json:"weight_decay"`
	Floor     float64 `yaml:"floor" json:"floor"`
	EMA       float64 `yaml:"ema" json:"ema"`
	// λ, the weight of the dimensional loss (PhysDiffuse §5); 0: none
	DimLoss float64 `yaml:"dim_loss" json:"dim_loss"`
	Length  float64 `yaml:"length_loss" json:"length_loss"`
}

// Vocabulary returns the vocabulary that c.Tokens names.
func (c *Config) Vocabulary() (*token.Vocabulary, error) {
	v, err := token.ByName(c.Tokens)
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	return v, nil
}

// shape returns the shape of the encoder's input.
func (c *Config) shape() features.Shape {
	return features.Shape{Cols: c.Encoder.Cols, Points: c.Encoder.Points, Raw: c.Encoder.Raw, Series: c.Encoder.Kind == encoder.PDR}
}

func (c *Config) encoder() encoder.Config {
	e := c.Encoder
	return encoder.Config{Kind: e.Kind, Shape: c.shape(), Dim: c.Dim, Heads: c.Heads, Hidden: e.Hidden, Layers: e.Layers,
		Inducing: e.Inducing, Summary: e.Summary, Dropout: e.Dropout,
		Series:  encoder.Series{Rank: e.Rank, Every: e.Every, Window: e.Window},
		Numbers: encoder.Numbers{Code: token.Observations{Digits: e.Digits, PerToken: e.PerToken}, Cols: e.Cols, Points: e.Points}}
}

func (c *Config) decoder(v *token.Vocabulary) decoder.Config {
	d := c.Decoder
	return decoder.Config{Kind: d.Kind, Vocab: v.Size(), Seq: c.Seq, Dim: c.Dim, Heads: c.Heads, Hidden: d.Hidden, Layers: d.Layers,
		Positions: d.Positions, Axes: d.Axes, Feed: d.Feed, Dropout: d.Dropout,
		Mask: v.Mask(), FirstVar: v.Var(0), Dimensional: d.Dimensional,
		BlockLayers: d.BlockLayers, Loops: d.Loops, Blend: d.Blend, NoAlgebra: d.NoAlgebra, Backprop: d.Backprop, Truncate: d.Truncate}
}

// stream returns the corpus on which the system is trained, or its held-out part.
func (c *Config) stream(heldOut bool) (*stream.Stream, error) {
	return stream.New(stream.Config{Rows: c.Corpus.Rows, MaxVars: c.Encoder.Cols, MaxTokens: c.tokens(), HeldOut: heldOut})
}

// tokens returns the largest number of tokens of an expression.
func (c *Config) tokens() int {
	if c.Lengths == "pad" {
		return c.Seq - 2
	}
	return c.Seq
}
