package train

import (
	"fmt"
	"strings"
	"time"
)

// Progress describes the current state of a run.
type Progress struct {
	Step, Steps    int64 // steps made, and their total (0 if unknown)
	Loss, GradNorm float64
	LR             float64
	Names          []string // names of Metrics
	Metrics        []float64
	StepsPerSecond float64
	TokensPerSec   float64 // 0: the task does not count tokens
	// Waiting is the share of time since the last row of metrics in which the device waited for a
	// batch.
	Waiting       float64
	Elapsed, Left time.Duration
	Phase         string             // compile, warm-up, train, decay, validate, validated or saved
	Validation    map[string]float64 // results of the last validation; nil: none yet
	Warning       string             // "": none
}

// String returns the progress in one line.
func (p Progress) String() string {
	if p.Warning != "" {
		return "warning: " + p.Warning
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-8s step %d", p.Phase, p.Step)
	if p.Steps > 0 {
		fmt.Fprintf(&b, "/%d", p.Steps)
	}
	if len(p.Metrics) == len(p.Names) && p.GradNorm > 0 { // true from the first row of metrics on
		fmt.Fprintf(&b, "  loss %.4f  norm %.2f", p.Loss, p.GradNorm)
		for i, name := range p.Names {
			fmt.Fprintf(&b, "  %s %.4g", name, p.Metrics[i])
		}
	}
	fmt.Fprintf(&b, "  lr %.2e", p.LR)
	if p.StepsPerSecond > 0 {
		fmt.Fprintf(&b, "  %.2f steps/s", p.StepsPerSecond)
	}
	if p.TokensPerSec > 0 {
		fmt.Fprintf(&b, "  %.0f tokens/s", p.TokensPerSec)
	}
	if p.StepsPerSecond > 0 {
		fmt.Fprintf(&b, "  waits %.0f %%", 100*p.Waiting)
	}
	fmt.Fprintf(&b, "  %s", p.Elapsed.Round(time.Second))
	if p.Left > 0 {
		fmt.Fprintf(&b, ", %s left", p.Left.Round(time.Second))
	}
	return b.String()
}
