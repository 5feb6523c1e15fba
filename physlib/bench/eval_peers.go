package bench

import (
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed peers/evalbench.py
var evalScript string

// peers is a Python process that runs other engines on the same trees and data, one pass per
// request.
type peers struct {
	python
	folder string
	most   int
}

// startPeers starts the process of the other engines, with trees and data.
func startPeers(ctx context.Context, o EvalOptions, trees []byte, cols [][]float32, core int) (_ *peers, err error) {
	for _, a := range o.Against {
		if !slices.Contains(knownPeers, a) {
			return nil, unknownPeer(a)
		}
	}
	p := &peers{most: len(cols[0])}
	if p.folder, err = os.MkdirTemp("", "physlib-eval-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(p.folder)
		}
	}()
	var data []byte
	for _, c := range cols {
		for _, x := range c {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	for name, content := range map[string][]byte{"trees.jsonl": trees, "data.f32": data} {
		if err := os.WriteFile(filepath.Join(p.folder, name), content, 0o600); err != nil {
			return nil, err
		}
	}
	err = p.start(ctx, o.Python, evalScript, filepath.Join(p.folder, "trees.jsonl"),
		filepath.Join(p.folder, "data.f32"), strconv.Itoa(p.most), strconv.Itoa(core))
	if err != nil {
		return nil, fmt.Errorf("--against %s needs Python: %w; name one by --python", strings.Join(o.Against, ","), err)
	}
	return p, nil
}

func (p *peers) close() {
	p.python.close()
	os.RemoveAll(p.folder)
}

// pass returns the CPU time in seconds of one pass of an engine.
func (p *peers) pass(engine, set string, rows int) (seconds float64, err error) {
	answer, err := p.query(fmt.Sprintf("%s %s %d", engine, set, rows))
	if err != nil {
		return 0, fmt.Errorf("--against %s: %w; for instance python3 -m venv v && v/bin/pip install pyoperon==0.6.2, and --python v/bin/python", engine, err)
	}
	return answer.Seconds, nil
}

type peerAnswer struct {
	Seconds float64 `json:"s"`
	Error   string  `json:"error"`
}

func (p *peers) query(question string) (a peerAnswer, err error) {
	if err := p.exchange(question, &a); err != nil {
		return a, err
	}
	if a.Error != "" {
		return a, errors.New(a.Error)
	}
	return a, nil
}

// check compares the values of the first 200 trees with those of NumPy in float64 on the same data,
// and writes how many differ. A tree differs if its error exceeds 1e-3 of the value in more than
// half of the rows where both values are finite.
func (p *peers) check(w io.Writer, s *evalSet, rows int, values []float32) error {
	trees := min(200, len(s.trees))
	file := filepath.Join(p.folder, "values.f64")
	if _, err := p.query(fmt.Sprintf("values %s %s %d %d", file, s.name, rows, trees)); err != nil {
		return err
	}
	want, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	differ := 0
	for k := range trees {
		off, finite := 0, 0
		for i := range rows {
			at := k*rows + i
			got, want := float64(values[at]), math.Float64frombits(binary.LittleEndian.Uint64(want[8*at:]))
			if math.IsNaN(got-got) || math.IsNaN(want-want) {
				continue
			}
			finite++
			if math.Abs(got-want) > 1e-3*(1e-6+math.Abs(want)) {
				off++
			}
		}
		if finite > 0 && 2*off > finite {
			differ++
		}
	}
	_, err = fmt.Fprintf(w, "check %s rows=%d %d of %d trees differ from NumPy in float64\n", s.name, rows, differ, trees)
	return err
}
