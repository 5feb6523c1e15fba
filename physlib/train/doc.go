// Package train fits the weights of a network to an endless stream of examples.
//
// A Task defines what is learned: its loss as a graph, and its batches as a pure function of the
// step. Run does the rest: gradients, AdamW or Muon, learning-rate schedule, averaged weights,
// metrics on disk, and checkpoints. From a checkpoint the same call resumes as if it had not
// stopped.
//
//	result, err := train.Run(ctx, backend, task,
//		train.Settings{Time: time.Hour, EMA: 0.999}, "runs/first", nil)
//
// # The folder of a run
//
//	run.json                   commit, command line, settings, configuration, machine
//	metrics.csv                a row every few steps: loss, learning rate, gradient norm, metrics
//	validation.csv             a row each time the task was validated
//	checkpoints/step-N.ckpt    the state after N steps, the newest few of them
//	checkpoints/best.ckpt      the state with the best validation result
//	checkpoints/stable.ckpt    the state before the learning rate fell: a longer run starts here
//
// # Design
//
// A checkpoint is a safetensors file with a checksum. It is written under another name and renamed,
// so files are complete even if the process is killed at any moment. It contains weights, moments
// and averages, the random state of the graph, and a few numbers (type position). Everything else
// is a function of the step. The graph of a step is always built before a checkpoint is loaded into
// it. So a resumed run executes the same program as the first one, and is equal bit by bit on the
// same machine and backend.
package train
