package motion

import (
	"bytes"
	"embed"

	"github.com/physlib/lab/physlib/dataset"
)

//go:embed examples/*.csv
var exampleFiles embed.FS

// ExampleInfo describes an embedded trajectory.
type ExampleInfo struct{ Name, Year, Title, Source string }

// Examples returns the list of embedded trajectories.
func Examples() []ExampleInfo {
	return []ExampleInfo{{"lynx_hare", "1900 to 1920", "pelts of lynx and hare, predator and prey, year by year", "Elton and Nicholson 1942, as in Howard 2009"}}
}

// Example returns the embedded trajectory of the given name. ok reports whether there is one.
func Example(name string) (t *dataset.Table, ok bool) {
	data, err := exampleFiles.ReadFile("examples/" + name + ".csv")
	if err != nil {
		return nil, false
	}
	t, _, err = dataset.Read(bytes.NewReader(data), name+".csv", dataset.Options{})
	return t, err == nil
}
