package pdr

import (
	"bytes"
	"embed"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// presetFiles holds the embedded presets.
//
//go:embed presets/*.yaml
var presetFiles embed.FS

// Presets returns the names of the presets.
func Presets() []string {
	files, err := presetFiles.ReadDir("presets")
	if err != nil {
		panic(err) // cannot happen: the files are embedded
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	return names
}

// Preset returns the network of a preset: pdr, of the size in the paper, or pdr-small.
func Preset(name string) (Config, error) {
	text, err := presetFiles.ReadFile("presets/" + name + ".yaml")
	if err != nil {
		return Config{}, fmt.Errorf("no preset %q of the recurrence: use %s", name, strings.Join(Presets(), " or "))
	}
	c, err := Read(text)
	if err != nil {
		return Config{}, fmt.Errorf("preset %s: %w", name, err)
	}
	return c, nil
}

// Read parses a network's description in YAML. An unknown key is an error.
func Read(text []byte) (Config, error) {
	var c Config
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&c); err != nil {
		return Config{}, err
	}
	return c, c.Validate()
}
