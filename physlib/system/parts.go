package system

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/decoder"
	"github.com/physlib/lab/physlib/encoder"
	"github.com/physlib/lab/physlib/spelling"
)

// strategies are the allowed values of RefineConfig.Strategy.
var strategies = []string{"small", "beam", "physdiffuse", "physmdt", "architects", "parr"}

// checkParts returns errors for unknown names of parts in c, and for parts that do not fit
// together.
func (c *Config) checkParts() (errs []error) {
	fail := func(key, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: "+format, append([]any{key}, args...)...))
	}
	c.checkNames(fail)
	c.checkDecoder(fail)
	c.checkEncoder(fail)
	if low, high := c.Corpus.MaskMin, cmp.Or(c.Corpus.MaskMax, 1); !(low >= 0 && low <= high && high <= 1) {
		fail("corpus.mask_min", "%v to %v is not a range within 0 to 1", low, high)
	}
	return errs
}

// complain reports an error in the value of a key.
type complain = func(key, format string, args ...any)

// checkNames checks that each name is allowed for its key.
func (c *Config) checkNames(fail complain) {
	d := c.Decoder
	name := func(key, value string, names []string) {
		if value != "" && !slices.Contains(names, value) {
			fail(key, "no %q; did you mean %s? There are %s", value, spelling.Closest(value, names), strings.Join(names, ", "))
		}
	}
	name("encoder.kind", string(c.Encoder.Kind), texts(encoder.Kinds))
	name("decoder.kind", string(d.Kind), texts([]decoder.Kind{decoder.Stacked, decoder.Shared}))
	name("decoder.positions", string(d.Positions), texts([]decoder.Positions{decoder.Sinusoidal, decoder.BothEnds, decoder.None}))
	name("decoder.feed", string(d.Feed), texts(decoder.Feeds))
	name("decoder.truncate", string(d.Truncate), texts([]decoder.Truncate{decoder.Last, decoder.Each}))
	name("decoder.supervision", d.Supervision, []string{"linear", "last"})
	name("decoder.length_head", d.LengthHead, []string{"softmax", "bce"})
	name("refine.strategy", c.Refine.Strategy, strategies)
	name("refine.feed", c.Refine.Feed, []string{"soft", "argmax", "mask"})
	for _, a := range d.Axes {
		name("decoder.axes", string(a), texts(decoder.AxisNames))
	}
}

// checkDecoder checks the decoder and how it refines.
func (c *Config) checkDecoder(fail complain) {
	d := c.Decoder
	if c.Refine.Feed == "mask" && c.Refine.Strategy == "physmdt" {
		fail("refine.feed", "mask: physmdt shows no token but softly, so that the network would never see one; take soft or argmax")
	}
	if c.Refine.Passes < 0 {
		fail("refine.passes", "is %d, may not be negative", c.Refine.Passes)
	}
	if len(d.Axes) > 1 && slices.Contains(d.Axes, decoder.AxisSequence) {
		fail("decoder.axes", "sequence stands alone; leave the others out")
	}
	if n := len(d.Axes); n > 0 && c.Heads > 0 && c.Dim/c.Heads%(2*n) != 0 {
		fail("decoder.axes", "%d axes do not share heads of %d dimensions; dim/heads must be a multiple of %d", n, c.Dim/c.Heads, 2*n)
	}
	if d.Oracle && !decoder.Tree(d.Axes) {
		fail("decoder.oracle", "needs axes of the tree")
	}
	if d.Loops < 0 || d.Loops > 32 || c.Refine.Loops < 0 {
		fail("decoder.loops", "is %d, must be 1 to 32", d.Loops)
	}
	if d.Backprop < 0 || d.Backprop > cmp.Or(d.Loops, 8) {
		fail("decoder.backprop", "is %d, must be 0 to decoder.loops", d.Backprop)
	}
	if d.Feedback < 0 || d.Feedback > 1 || d.Verify < 0 || d.Verify > 0 && d.Feedback == 0 {
		fail("decoder.feedback", "is %v with decoder.verify %v; it must be 0 to 1, and verification learns from its candidates", d.Feedback, d.Verify)
	}
	if d.Blend < 0 || d.Blend > 1 {
		fail("decoder.blend", "is %v, must be 0 to 1", d.Blend)
	}
	if v, err := c.Vocabulary(); c.Refine.Strategy == "beam" && (err == nil && v.Postfix() || c.Lengths == "pad") {
		fail("refine.strategy", "beam writes expressions of known length from the front; take small, or a prefix code and lengths: head")
	}
}

// checkEncoder checks the encoder.
func (c *Config) checkEncoder(fail complain) {
	e := c.Encoder
	if e.Kind == encoder.Digits {
		if err := c.encoder().Numbers.Code.Validate(); err != nil {
			fail("encoder.digits", "%v", err)
		}
		if c.Heads > 0 && c.Dim/c.Heads%4 != 0 {
			fail("encoder.kind", "numbers needs dim/heads, %d, to be a multiple of 4", c.Dim/c.Heads)
		}
	}
	if e.Kind == encoder.PDR && c.Dim > 0 && e.Layers > 0 {
		if err := c.encoder().Stack().Validate(); err != nil {
			fail("encoder.kind", "pdr: %v", err)
		}
	}
	if e.Kind == encoder.DeepSets && e.Summary > 1 {
		fail("encoder.summary", "is %d; deepsets has one vector", e.Summary)
	}
}

func texts[T ~string](names []T) (all []string) {
	for _, n := range names {
		all = append(all, string(n))
	}
	return all
}
