// Package bench is the command `physlib bench`. It measures how many known laws are found again,
// how two such runs differ, how fast laws are evaluated, and more. Package physlib/bench does the
// measurements and describes them.
package bench

// Cmd is the command line of `physlib bench`, with its subcommands.
type Cmd struct {
	Recovery     RecoveryCmd     `cmd:"" help:"Recover known laws from sampled data, and count them."`
	Tables       TablesCmd       `cmd:"" help:"Search small real tables, and count for how many an accepted law is chosen."`
	Calibration  CalibrationCmd  `cmd:"" help:"Search tables of random laws, and compare stated probabilities with the share of right laws."`
	Compare      CompareCmd      `cmd:"" help:"List the laws on which two results files of recovery differ."`
	Tally        TallyCmd        `cmd:"" help:"Count what results files of recovery have found, side by side."`
	Collect      CollectCmd      `cmd:"" help:"Write results files of recovery and candidates as tables, one for each suite."`
	Candidates   CandidatesCmd   `cmd:"" help:"Request candidates for known laws from a neural system, and count how many laws are among the candidates."`
	Evolve       EvolveCmd       `cmd:"" help:"Let a network and genetic operators improve the same archives, and count the laws found."`
	Eval         EvalCmd         `cmd:"" help:"Measure how many nodes of laws are evaluated a second, compared with other engines."`
	Ledger       LedgerCmd       `cmd:"" help:"Measure what each part of the search finds on random laws, and in what time."`
	PDR          PDRCmd          `cmd:"" name:"pdr" help:"Measure the perspective decay recurrence against the length of series."`
	Prior        PriorCmd        `cmd:"" help:"Measure how many bits the forms of known laws cost, without the laws of their field."`
	Recall       RecallCmd       `cmd:"" help:"Train small recurrences to remember, and test them on longer series."`
	SINDy        SINDyCmd        `cmd:"" name:"sindy" help:"Run PySINDy on the trajectories of a suite, and compare with physlib's results."`
	Trajectories TrajectoriesCmd `cmd:"" help:"Train encoders to distinguish laws of motion, and test them on longer trajectories."`
}
