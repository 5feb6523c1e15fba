package system

import (
	"fmt"

	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/decoder"
	"github.com/physlib/lab/physlib/encoder"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/token"
)

// Config is a system, as its preset says.
type Config struct {
	Name  string `yaml:"-" json:"name"`
	Base  string `yaml:"base" json:"-"`      // preset of which this one holds the differences
	About string `yaml:"about" json:"about"` // one line for people

	Tokens  string `yaml:"tokens" json:"tokens"`   // vocabulary, see token.Named
	Seq     int    `yaml:"seq" json:"seq"`         // longest sequence of tokens
	Lengths string `yaml:"lengths" json:"lengths"` // head: exact lengths, predicted; pad: a window of Seq with end and padding tokens
	Dim     int    `yaml:"dim" json:"dim"`
	Heads   int    `yaml:"heads" json:"heads"`

	Encoder EncoderConfig `yaml:"encoder" json:"encoder"`
	Decoder DecoderConfig `yaml:"decoder" json:"decoder"`
	Corpus  CorpusConfig  `yaml:"corpus" json:"corpus"`
	Refine  RefineConfig  `yaml:"refine" json:"refine"`
	Train   TrainConfig   `yaml:"train" json:"train"`
	Adapt   AdaptConfig   `yaml:"adapt" json:"-"` // no part of training: a run goes on whatever it says
	Claim   Claim         `yaml:"claim" json:"-"`
}

// EncoderConfig is the encoder of a system, see encoder.Config.
type EncoderConfig struct {
	Kind     encoder.Kind `yaml:"kind" json:"kind,omitempty"`           // set, deepsets, numbers or pdr; "": set
	Digits   int          `yaml:"digits" json:"digits,omitempty"`       // of numbers: significant digits; 0: 4
	PerToken int          `yaml:"per_token" json:"per_token,omitempty"` // of numbers: digits to a token; 0: 2

	Rank   int `yaml:"rank" json:"rank,omitempty"`     // of pdr: of each head's state; 0: 16
	Every  int `yaml:"every" json:"every,omitempty"`   // of pdr: each which layer is windowed attention; 0: none
	Window int `yaml:"window" json:"window,omitempty"` // of pdr: rows that attention sees; 0: 64

	Cols     int     `yaml:"cols" json:"cols"`     // columns at most
	Points   int     `yaml:"points" json:"points"` // rows that stand for a table
	Raw      bool    `yaml:"raw" json:"raw"`       // values and units only, no statistics
	Layers   int     `yaml:"layers" json:"layers"`
	Inducing int     `yaml:"inducing" json:"inducing"` // inducing points; 0: attention among all rows
	Summary  int     `yaml:"summary" json:"summary"`   // pooled vectors; 0: no pooling
	Hidden   int     `yaml:"hidden" json:"hidden"`     // feed-forward width; 0: 4·dim
	Dropout  float64 `yaml:"dropout" json:"dropout"`
	NoUnits  bool    `yaml:"no_units" json:"no_units"` // hide the units of the columns
}

// DecoderConfig is the decoder of a system, see decoder.Config.
type DecoderConfig struct {
	Layers    int               `yaml:"layers" json:"layers"`
	Hidden    int               `yaml:"hidden" json:"hidden"` // feed-forward width; 0: 4·dim
	Positions decoder.Positions `yaml:"positions" json:"positions"`
	Dropout   float64           `yaml:"dropout" json:"dropout"`

	Kind        decoder.Kind   `yaml:"kind" json:"kind,omitempty"`               // stack or shared; "": stack
	Axes        []decoder.Axis `yaml:"axes" json:"axes,omitempty"`               // of rotary positions; none: no rotary positions
	Oracle      bool           `yaml:"oracle" json:"oracle,omitempty"`           // ablation only: train with the tree positions of the law to be found
	Feed        decoder.Feed   `yaml:"feed" json:"feed,omitempty"`               // gelu, swiglu or conv-swiglu; "": gelu
	Dimensional bool           `yaml:"dimensional" json:"dimensional,omitempty"` // attention is biased by units
	Feedback    float64        `yaml:"feedback" json:"feedback,omitempty"`       // share of the examples that come with an earlier candidate and its R²; 0: no such input
	Verify      float64        `yaml:"verify" json:"verify,omitempty"`           // weight of the loss of the verification head; 0: no such head
	LengthHead  string         `yaml:"length_head" json:"length_head,omitempty"` // softmax or bce; "": softmax

	BlockLayers int              `yaml:"block_layers" json:"block_layers,omitempty"` // of a shared block; 0: 1
	Loops       int              `yaml:"loops" json:"loops,omitempty"`               // K in training, of a shared block; 0: 8
	Blend       float64          `yaml:"blend" json:"blend,omitempty"`               // α at the first loop; 0: 0.3
	NoAlgebra   bool             `yaml:"no_algebra" json:"no_algebra,omitempty"`     // no token algebra (PARR §2.4)
	Backprop    int              `yaml:"backprop" json:"backprop,omitempty"`         // K_bp, loops with gradients; 0: all
	Truncate    decoder.Truncate `yaml:"truncate" json:"truncate,omitempty"`         // last or each; "": last
	Supervision string           `yaml:"supervision" json:"supervision,omitempty"`   // weights of the loops' losses: linear (k/K) or last; "": linear
}

// CorpusConfig says what a system is trained on.
type CorpusConfig struct {
	Rows      int      `yaml:"rows" json:"rows"`                   // rows of a table
	FewRows   float64  `yaml:"few_rows" json:"few_rows"`           // share of the tables of which only some rows, at least 10, are kept
	HideUnits float64  `yaml:"hide_units" json:"hide_units"`       // share of the tables whose units are hidden, besides those that have none
	Noise     float64  `yaml:"noise" json:"noise"`                 // share of the tables with noise
	Extra     float64  `yaml:"extra" json:"extra"`                 // share of the tables with a column that the law does not contain
	Masks     int      `yaml:"masks" json:"masks"`                 // corrupted copies of each expression in a batch
	Buckets   []Bucket `yaml:"buckets" json:"buckets"`             // batches by length
	MaskMin   float64  `yaml:"mask_min" json:"mask_min,omitempty"` // range of the share of hidden tokens
	MaskMax   float64  `yaml:"mask_max" json:"mask_max,omitempty"` // 0: 1
}

// Bucket is a kind of batch: tables whose laws have at most Seq tokens and more than the bucket
// before.
type Bucket struct {
	Seq     int `yaml:"seq" json:"seq"`
	Tables  int `yaml:"tables" json:"tables"`   // tables in a batch
	Batches int `yaml:"batches" json:"batches"` // such batches in a block of the stream
}

// RefineConfig is how a system decodes.
type RefineConfig struct {
	Strategy string  `yaml:"strategy" json:"strategy"`     // small, physdiffuse, physmdt, architects, parr: see package diffusion
	Steps    int     `yaml:"steps" json:"steps"`           // T, over all rounds
	Rounds   int     `yaml:"rounds" json:"rounds"`         // R, cold restarts included
	Samples  int     `yaml:"samples" json:"samples"`       // candidates in parallel
	Beams    int     `yaml:"beams" json:"beams,omitempty"` // beam: beginnings kept, over all lengths; 0: Samples
	Tau0     float64 `yaml:"tau_start" json:"tau_start"`
	Tau1     float64 `yaml:"tau_end" json:"tau_end"`
	Noise    float64 `yaml:"noise" json:"noise"` // of logits: physmdt, and parr where well-formed

	Loops      int  `yaml:"loops" json:"loops,omitempty"`             // K of a shared decoder under a strategy other than parr; 0: as in training
	WellFormed bool `yaml:"well_formed" json:"well_formed,omitempty"` // of the seeds' strategies: propose expressions only

	// For ablations. The zero values are what the strategies do by themselves.
	Feed       string `yaml:"feed" json:"feed,omitempty"`               // what the network sees of hidden tokens in the seeds' soft strategies: soft, argmax or mask; "": soft
	NoMask     bool   `yaml:"no_mask" json:"no_mask,omitempty"`         // the mask's embedding is not added to soft tokens
	NoFeedback bool   `yaml:"no_feedback" json:"no_feedback,omitempty"` // rounds do not hear of the candidates before and their R²
	Filter     bool   `yaml:"filter" json:"filter,omitempty"`           // laws whose units cannot balance are not proposed
	Passes     int    `yaml:"passes" json:"passes,omitempty"`           // times that Propose goes through its samples; 0: 4
}

// TrainConfig are the defaults of training; flags of the command change them.
type TrainConfig struct {
	LR        float64 `yaml:"lr" json:"lr"`
	Warmup    int64   `yaml:"warmup" json:"warmup"`
	Schedule  string  `yaml:"schedule" json:"schedule"`
	Optimizer string  `yaml:"optimizer" json:"optimizer"`
	Beta2     float64 `yaml:"beta2" json:"beta2"`
	Decay     float64 `yaml:"weight_decay" json:"weight_decay"`
	Floor     float64 `yaml:"floor" json:"floor"`
	EMA       float64 `yaml:"ema" json:"ema"`
	DimLoss   float64 `yaml:"dim_loss" json:"dim_loss"` // λ of the dimensional loss (PhysDiffuse §5); 0: none
	Length    float64 `yaml:"length_loss" json:"length_loss"`
}

// Vocabulary returns the one that c names.
func (c *Config) Vocabulary() (*token.Vocabulary, error) {
	v, err := token.Named(c.Tokens)
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

// stream returns the corpus that the system is trained on, or its held-out part.
func (c *Config) stream(heldOut bool) (*stream.Stream, error) {
	return stream.New(stream.Config{Rows: c.Corpus.Rows, MaxVars: c.Encoder.Cols, MaxTokens: c.tokens(), HeldOut: heldOut})
}

// tokens returns the number of tokens that an expression may have.
func (c *Config) tokens() int {
	if c.Lengths == "pad" {
		return c.Seq - 2
	}
	return c.Seq
}
