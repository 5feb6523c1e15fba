package system

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/physlib/lab/physlib/decoder"
	"github.com/physlib/lab/physlib/spelling"
)

// presets holds the embedded presets.
//
//go:embed presets/*.yaml
var presets embed.FS

// Presets returns the names of the embedded presets.
func Presets() []string {
	files, err := fs.Glob(presets, "presets/*.yaml")
	if err != nil {
		panic(err) // cannot happen: the pattern is valid
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(path.Base(f), ".yaml")
	}
	return files
}

// Preset reads an embedded preset by name, or a YAML file by a path that ends in .yaml. The file's
// key base names the preset that it modifies. An unknown key, name or value is an error that names
// the nearest valid one.
func Preset(name string) (*Config, error) { return preset(name, nil) }

func preset(name string, above []string) (*Config, error) {
	if slices.Contains(above, name) {
		return nil, fmt.Errorf("preset %s: its bases form a cycle", name)
	}
	text, err := readPreset(name)
	if err != nil {
		return nil, err
	}
	return parse(name, text, above)
}

// Parse parses the text of a preset, as Preset does. name is the name of the preset, also in
// errors.
func Parse(name string, text []byte) (*Config, error) { return parse(name, text, nil) }

func parse(name string, text []byte, above []string) (*Config, error) {
	var head struct {
		Base string `yaml:"base"`
	}
	if err := yaml.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("preset %s: %s", name, firstLine(err))
	}
	c := &Config{}
	if head.Base != "" {
		var err error
		if c, err = preset(head.Base, append(above, name)); err != nil {
			return nil, fmt.Errorf("preset %s: base: %w", name, err)
		}
		c.Claim = Claim{} // the base's claim does not apply
	}
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(c); err != nil {
		return nil, fmt.Errorf("preset %s: %s%s", name, firstLine(err), nearestKey(err))
	}
	c.Name = strings.TrimSuffix(path.Base(name), ".yaml")
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("preset %s: %w", name, err)
	}
	return c, nil
}

func readPreset(name string) ([]byte, error) {
	if strings.HasSuffix(name, ".yaml") {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("preset: %w", err)
		}
		return text, nil
	}
	text, err := presets.ReadFile("presets/" + name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("no preset %q; did you mean %s? There are %s, or a path that ends in .yaml", name,
			spelling.Closest(name, Presets()), strings.Join(Presets(), ", "))
	}
	return text, nil
}

// firstLine returns the message of a YAML error without the excerpt of the file below it.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// nearestKey returns a hint with the valid key that is nearest to the unknown key in err, or "".
func nearestKey(err error) string {
	_, rest, ok := strings.Cut(firstLine(err), "unknown field \"")
	if !ok {
		return ""
	}
	key, _, _ := strings.Cut(rest, "\"")
	return fmt.Sprintf("; did you mean %s?", spelling.Closest(key, keys()))
}

// check returns an error if c is not possible.
func (c *Config) check() error {
	var errs []error
	positive := func(key string, v int) {
		if v <= 0 {
			errs = append(errs, fmt.Errorf("%s: is %d, must be positive", key, v))
		}
	}
	positive("seq", c.Seq)
	positive("dim", c.Dim)
	positive("heads", c.Heads)
	positive("encoder.cols", c.Encoder.Cols)
	positive("encoder.points", c.Encoder.Points)
	if c.Decoder.Kind != decoder.Shared {
		positive("decoder.layers", c.Decoder.Layers)
	}
	positive("corpus.masks", c.Corpus.Masks)
	errs = append(errs, c.checkParts()...)
	if c.Heads > 0 && c.Dim%c.Heads != 0 {
		errs = append(errs, fmt.Errorf("dim: %d is not a multiple of heads, %d", c.Dim, c.Heads))
	}
	if c.Lengths != "head" && c.Lengths != "pad" {
		errs = append(errs, fmt.Errorf("lengths: no %q; there are head, pad", c.Lengths))
	}
	if len(c.Corpus.Buckets) == 0 || c.Corpus.Buckets[len(c.Corpus.Buckets)-1].Seq != c.Seq {
		errs = append(errs, fmt.Errorf("corpus.buckets: the last must have seq %d", c.Seq))
	}
	v, err := c.Vocabulary()
	if err != nil {
		errs = append(errs, err)
	} else if c.Encoder.Cols > v.Vars() {
		errs = append(errs, fmt.Errorf("encoder.cols: %d, but the vocabulary %s has %d variables", c.Encoder.Cols, c.Tokens, v.Vars()))
	}
	return errors.Join(append(errs, c.Adapt.Check())...)
}
