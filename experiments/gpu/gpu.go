// Package gpu is the command `physlib gpu`. It measures the systems at full size on an NVIDIA GPU
// that is available for minutes only, from one folder with one start script.
//
//	physlib gpu bundle --out bundle      here: pack the program, its presets and run.sh
//	sh bundle/run.sh OUT                 there, without Go: run all stages, one after the other
//	physlib gpu collect OUT              here: write experiments/results/gpu.csv
//
// # Design
//
// A stage is one measurement. Each runs in a separate process, so its memory is freed and a failure
// of the device does not end the others. It writes one JSON file atomically when it is done. A
// second run executes the stages that are missing or failed. Stages whose results are worth most
// per minute of GPU time come first. Training comes last and uses the remaining time.
//
// With --tiny networks and series are so small that a processor runs all stages in minutes. A stage
// that works on a processor but fails on a GPU fails because of the GPU. Results of --tiny are
// marked as such, and collect skips them.
package gpu

// Cmd is the command line of `physlib gpu`, with its subcommands.
type Cmd struct {
	Bundle  BundleCmd  `cmd:"" help:"Put the program, its presets and a start script into a folder for a machine with a GPU and no Go."`
	Run     RunCmd     `cmd:"" help:"Measure and train on this machine's GPU, stage by stage; a second run continues."`
	Collect CollectCmd `cmd:"" help:"Make a table of the results of stages on a GPU."`
	Stage   StageCmd   `cmd:"" hidden:"" help:"One stage of a run, in this process."`
}

// exit is an error with an exit code for the process.
type exit struct {
	code int
	error
}

// ExitCode returns the exit code of the process.
func (e exit) ExitCode() int { return e.code }
