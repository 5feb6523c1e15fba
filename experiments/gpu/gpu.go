// Package gpu is the command `physlib gpu`. It measures the systems at full size on an NVIDIA GPU
// that is lent for minutes, from one folder with one script to start.
//
//	physlib gpu bundle --out bundle      here: the program, its presets, and run.sh without Go
//	sh bundle/run.sh OUT                 there: everything below, stage by stage
//	physlib gpu collect OUT              here: experiments/results/gpu.csv
//
// # Design
//
// A stage is one measurement. Each runs in a process of its own, so its memory is freed and a
// failure of the device does not end the others. It writes one JSON file when it is done, whole or
// not at all. A second run makes what is missing or failed. The order of the stages is that of
// their worth per minute; training comes last and takes the minutes that are left.
//
// With --tiny networks and series are so small that a processor runs all stages in minutes. A stage
// that works there and fails on a GPU fails because of the GPU. Tiny results say so, and collect
// omits them.
package gpu

// Cmd is the command with its subcommands.
type Cmd struct {
	Bundle  BundleCmd  `cmd:"" help:"Put the program, its presets and a start script into a folder for a machine with a GPU and no Go."`
	Run     RunCmd     `cmd:"" help:"Measure and train on this machine's GPU, stage by stage; a second run goes on."`
	Collect CollectCmd `cmd:"" help:"Make a table of what stages found on a GPU."`
	Stage   StageCmd   `cmd:"" hidden:"" help:"One stage of a run, in this process."`
}

// exit is an error with an exit code of its own.
type exit struct {
	code int
	error
}

func (e exit) ExitCode() int { return e.code }
