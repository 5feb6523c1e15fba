// Package stream makes an endless supply of physics-like problems whose laws are known: tables of numbers for a neural
// proposer to learn from. Problem i of a seed is always the same, so that many goroutines and many machines can share one
// stream, and none of its laws is one of a benchmark.
package stream
