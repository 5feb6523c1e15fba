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
}

// CorpusConfig says what a system is trained on.
type CorpusConfig struct {
	Rows      int      `yaml:"rows" json:"rows"`             // rows of a table
	FewRows   float64  `yaml:"few_rows" json:"few_rows"`     // share of the tables of which only some rows, at least 10, are kept
	HideUnits float64  `yaml:"hide_units" json:"hide_units"` // share of the tables whose units are hidden, beside those that have none
	Noise     float64  `yaml:"noise" json:"noise"`           // share of the tables with noise
	Extra     float64  `yaml:"extra" json:"extra"`           // share of the tables with a column that the law does not contain
	Masks     int      `yaml:"masks" json:"masks"`           // corrupted copies of each expression in a batch
	Buckets   []Bucket `yaml:"buckets" json:"buckets"`       // batches by length
}

// Bucket is a kind of batch: tables whose laws have at most Seq tokens and more than the bucket before.
type Bucket struct {
	Seq     int `yaml:"seq" json:"seq"`
	Tables  int `yaml:"tables" json:"tables"`   // tables in a batch
	Batches int `yaml:"batches" json:"batches"` // such batches in a block of the stream
}

// RefineConfig is how a system decodes.
type RefineConfig struct {
	Strategy string  `yaml:"strategy" json:"strategy"` // small, physdiffuse, physmdt, architects, parr: see package diffusion
	Steps    int     `yaml:"steps" json:"steps"`       // T, over all rounds
	Rounds   int     `yaml:"rounds" json:"rounds"`     // R, cold restarts included
	Samples  int     `yaml:"samples" json:"samples"`   // candidates in parallel
	Tau0     float64 `yaml:"tau_start" json:"tau_start"`
	Tau1     float64 `yaml:"tau_end" json:"tau_end"`
	Noise    float64 `yaml:"noise" json:"noise"` // of confidences
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

// Vocabulary is the one that c names.
func (c *Config) Vocabulary() (*token.Vocabulary, error) {
	v, err := token.Named(c.Tokens)
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	return v, nil
}

// shape is that of the encoder's input.
func (c *Config) shape() features.Shape {
	return features.Shape{Cols: c.Encoder.Cols, Points: c.Encoder.Points, Raw: c.Encoder.Raw}
}

func (c *Config) encoder() encoder.Config {
	return encoder.Config{Shape: c.shape(), Dim: c.Dim, Heads: c.Heads, Hidden: c.Encoder.Hidden, Layers: c.Encoder.Layers,
		Inducing: c.Encoder.Inducing, Summary: c.Encoder.Summary, Dropout: c.Encoder.Dropout}
}

func (c *Config) decoder(vocab int) decoder.Config {
	return decoder.Config{Vocab: vocab, Seq: c.Seq, Dim: c.Dim, Heads: c.Heads, Hidden: c.Decoder.Hidden, Layers: c.Decoder.Layers,
		Positions: c.Decoder.Positions, Dropout: c.Decoder.Dropout}
}

// stream is the corpus that the system is trained on, or its held-out part.
func (c *Config) stream(heldOut bool) (*stream.Stream, error) {
	return stream.New(stream.Config{Rows: c.Corpus.Rows, MaxVars: c.Encoder.Cols, MaxTokens: c.tokens(), HeldOut: heldOut})
}

// tokens is the number of tokens that an expression may have.
func (c *Config) tokens() int {
	if c.Lengths == "pad" {
		return c.Seq - 2
	}
	return c.Seq
}
