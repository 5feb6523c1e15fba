// Package system is where the wings meet: a preset names the parts of a neural system, Open makes it a Proposer, and a Task
// trains it.
//
// # Design
//
// A system is a row of a table: which tokens, which encoder, which decoder, which steps of refinement. A preset is a strict
// YAML file in presets/ that holds only what differs from its base.
//
// An expression is decoded either at its exact length, which a head of its own predicts from the memory (lengths: head),
// or inside a fixed window with start, end and padding tokens (lengths: pad), as the seeds write it. The first spends no
// work on padding and no capacity on predicting it; short and long expressions go in batches of their own.
package system
