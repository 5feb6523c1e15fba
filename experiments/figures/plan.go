package figures

import (
	"path/filepath"
	"slices"
	"strings"
)

// plan returns all figures: a fixed list, and one for each results file of candidates, of a
// training run or of a film.
func plan(results string) ([]drawing, error) {
	all := []drawing{recoveryNoise, recoverySuites, recoveryProposer, timeToLaw, searchParts, calibration}
	s := &source{dir: results}
	family := func(pattern string, of func(file string) drawing) error {
		files, err := s.find(pattern)
		if _, none := err.(missing); none {
			return nil
		} else if err != nil {
			return err
		}
		for _, f := range files {
			if !strings.Contains(f, "-validation.") {
				all = append(all, of(f))
			}
		}
		return nil
	}
	if err := family("candidates-*.csv", candidates); err != nil {
		return nil, err
	}
	all = append(all, learning)
	if err := family("train-*.csv", func(file string) drawing { return learningOf(results, file) }); err != nil {
		return nil, err
	}
	all = append(all, systems, refinementSteps, ablations, parameters, adaptation)
	films, err := filepath.Glob(filepath.Join(results, "film-*.json"))
	if err != nil {
		return nil, err
	}
	if len(films) == 0 {
		all = append(all, filmOf("film-II.13.23.json"))
	}
	if err := family("film-*.json", filmOf); err != nil {
		return nil, err
	}
	all = append(all, throughput, pdrScaling, pdrGamma, pdrRecall, pdrRenorm)
	for i, d := range all { // names must be unique, since they are file names
		if slices.ContainsFunc(all[:i], func(other drawing) bool { return other.name == d.name }) {
			return nil, errTwice(d.name)
		}
	}
	return all, nil
}
