package dataset

import (
	"embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/physlib/lab/physlib/spelling"
)

//go:embed examples/*.csv
var exampleFiles embed.FS

// ExampleInfo describes an embedded table of real measurements.
type ExampleInfo struct {
	Name   string // name to pass to Example
	File   string // file in physlib/dataset/examples
	Title  string
	Source string
	Year   string // when the data were measured: "1662", "1885 to 1930", "modern"
	Target string // name of the column to explain
	Law    string // the accepted law, as an equation
	Fitted string // constants of the law, fitted to this table: "a=1.2, b=3"
	Rights string
	// Weights of the rows in a fit: "equal", or "relative" if errors grow with the target.
	Weights string

	// Exercise reports that a search finds another law than the accepted one, because the other law
	// needs fewer bits. Such a table is meant for fitting the accepted form.
	Exercise bool
}

// exampleNames lists the examples in the order in which Examples returns them, and then the
// exercises.
var exampleNames = []struct{ name, file, title string }{
	{"kepler", "planets.csv", "the eight planets: period against semi-major axis"},
	{"galilean_moons", "galilean_moons.csv", "Jupiter's four large moons: period against distance"},
	{"galileo1608", "galileo1608.csv", "Galileo's ball: reach against height of fall"},
	{"boyle1662", "boyle1662.csv", "Boyle's air: pressure against volume"},
	{"balmer", "balmer.csv", "hydrogen lines: wavelength against number"},
	{"geiger_marsden1913", "geiger_marsden1913.csv", "alpha particles scattered by gold: count against angle"},
	{"hubble1929", "hubble1929.csv", "galaxies: velocity against distance"},
	{"danwood", "nist_danwood_lamp.csv", "carbon lamp: radiated energy against temperature"},
	{"mgh10", "nist_mgh10_thermistor.csv", "thermistor: resistance against temperature"},
	{"forbes1857", "forbes1857.csv", "boiling point of water and air pressure in the Alps"},
	{"ezekiel1930", "ezekiel1930.csv", "cars: stopping distance against speed"},
	{"misra1a", "nist_misra1a_adsorption.csv", "adsorption: volume against pressure"},
	{"eckerle4", "nist_eckerle4_transmittance.csv", "interference filter: transmittance against wavelength"},
	{"chwirut2", "nist_chwirut2_ultrasonic.csv", "ultrasound: response against distance from metal"},
}

// exampleIndex reads index.csv, which describes each file.
var exampleIndex = sync.OnceValues(func() ([]ExampleInfo, error) {
	f, err := exampleFiles.Open("examples/index.csv")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("examples/index.csv: %w", err)
	}
	byFile := make(map[string]map[string]string)
	for _, row := range rows[1:] {
		m := make(map[string]string)
		for i, cell := range row {
			m[rows[0][i]] = cell
		}
		byFile[m["file"]] = m
	}
	infos := make([]ExampleInfo, len(exampleNames))
	for i, e := range exampleNames {
		m, ok := byFile[e.file]
		if !ok {
			return nil, fmt.Errorf("examples/index.csv: no line for %s", e.file)
		}
		infos[i] = ExampleInfo{Name: e.name, File: e.file, Title: e.title, Source: m["source"], Year: m["year"],
			Target: m["output"], Law: m["law"], Fitted: m["fitted"], Rights: m["rights"], Weights: m["fit_weight"], Exercise: m["use"] == "fit"}
	}
	return infos, nil
})

// Examples returns the embedded tables of real measurements whose accepted law a search finds.
func Examples() []ExampleInfo {
	return slices.DeleteFunc(allExamples(), func(e ExampleInfo) bool { return e.Exercise })
}

// allExamples returns Examples and exercises.
func allExamples() []ExampleInfo {
	infos, err := exampleIndex()
	if err != nil {
		panic(err) // cannot happen, since the files are embedded
	}
	return slices.Clone(infos)
}

// Example returns the embedded table with the given name or file name, including the exercises. For
// an unknown name, the error lists Examples.
func Example(name string) (*Table, ExampleInfo, error) {
	var names []string
	for _, info := range allExamples() {
		if info.Name == name || info.File == name {
			f, err := exampleFiles.Open("examples/" + info.File)
			if err != nil {
				return nil, info, err
			}
			defer f.Close()
			t, _, err := Read(f, info.File, Options{Target: info.Target})
			return t, info, err
		}
		if !info.Exercise {
			names = append(names, info.Name)
		}
	}
	try := "there are " + strings.Join(names, ", ")
	if near := spelling.Nearest(name, names); near != "" {
		try = "did you mean " + near + "? " + try
	}
	return nil, ExampleInfo{}, fmt.Errorf("no example %q; %s", name, try)
}
