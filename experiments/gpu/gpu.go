// Package gpu is the command `physlib gpu`: the systems at the sizes of their seeds on an NVIDIA
// GPU that is lent for minutes, in one folder to carry there and one script to start.
//
//	physlib gpu bundle --out bundle      here: the program, its presets and run.sh, which needs no Go
//	sh bundle/run.sh OUT                 there: everything below, stage by stage
//	physlib gpu collect OUT              here: experiments/results/gpu.csv
//
// # Design
//
// A stage is one measurement. Each runs in a process of its own, which gives its memory back and
// cannot take the others along when the device fails it, and writes one JSON file when it is done,
// whole or not at all. A second run makes what is missing or failed. The order of the stages is
// that of their worth per minute; training comes last and takes the minutes that are left.
//
// With --tiny every stage runs with networks and series so small that a processor does them all in
// minutes: what works there and not on a GPU is the GPU's fault. Tiny results say so, and collect
// leaves them out.
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
