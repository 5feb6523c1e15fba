package dataset

import "testing"

func TestArrangements(t *testing.T) {
	const runs = "Run 1: Time (s),Run 1: Position (m),Run 2: Time (s),Run 2: Position (m)\n1,1.5,1,2\n2,2,2,4\n3,3.5,3,7\n"
	const blocks = "# x y\n1 1.5\n2 2\n3 3.5\n\n\n# second\n1 2\n2 4\n3 7\n"
	const stacked = "x: 1 2 3 1 2 3 | y: 1.5 2 3.5 2 4 7"
	checkAll(t, []oddFile{
		{"series stacked", "sample,x,y\nA,1,1.5\nA,2,2\nA,3,3.5\nB,1,2\nB,2,4\nB,3,7\n", Options{}, stacked, "column sample distinguishes 2 groups of rows: --group sample finds one law for all of them"},
		{"truth values", "on,x,y\nTRUE,1,1.5\nTRUE,2,2\nTRUE,3,3.5\nFALSE,1,2\nFALSE,2,4\nFALSE,3,7\n", Options{}, stacked, "--group on finds one law"},
		{"two columns of groups", "on,place,x,y\nTRUE,a,1,1.5\nTRUE,a,2,2\nTRUE,a,3,3.5\nFALSE,b,1,2\nFALSE,b,2,4\nFALSE,b,3,7\n", Options{}, stacked, "columns on and place distinguish groups of rows: --group on, or another one, finds one law for all of its groups"},
		{"names of single things", "name,x,y\na,1,1.5\nb,2,2\nc,3,3.5\na,1,2\nb,2,4\nc,3,7\n", Options{}, stacked, "column name holds text and is set aside as categories"},
		{"repeats", "t [s],run 1 [V],run 2 [V],run 3 [V]\n1,1.5,1.51,1.49\n2,2.1,2,2.05\n3,3.5,3.55,3.48\n4,6.3,6.1,6.2\n", Options{}, "t [s]: 1 2 3 4 | run_1 [V]: 1.5 2.1 3.5 6.3 | run_2 [V]: 1.51 2 3.55 6.1 | run_3 [V]: 1.49 2.05 3.48 6.2", "columns run_1, run_2 and run_3 are nearly equal in every row: if they repeat one measurement"},
		{"names of values with units", "l [m],300 K,400 K\n1,1.5,2\n2,2,4\n3,3.5,7\n", Options{}, "l [m]: 1 2 3 | x300_K: 1.5 2 3.5 | x400_K: 2 4 7", "columns 300 K and 400 K are named by values: if these are values of a variable, write one row for each of them"},
		{"names of values after =", "l,T = 300,T = 400\n1,1.5,2\n2,2,4\n3,3.5,7\n", Options{}, "l: 1 2 3 | T_300: 1.5 2 3.5 | T_400: 2 4 7", "columns T = 300 and T = 400 are named by values"},
		{"names of values alone", "x,2010,2011\n1,1.5,2\n2,2,4\n3,3.5,7\n", Options{}, "x: 1 2 3 | x2010: 1.5 2 3.5 | x2011: 2 4 7", "row 1: if its numbers are values of a variable, write one row for each value below it"},
		{"runs of Logger Pro", runs, Options{}, "", "the file holds 2 tables side by side: 1 in columns 1 to 2 (Time (s), Position (m)), 2 in columns 3 to 4 (Time (s), Position (m)); choose one run with --table"},
		{"a run of Logger Pro", runs, Options{Table: 2}, "Time [s]: 1 2 3 | Position [m]: 2 4 7", "(s), (m) are read as their units"},
		{"a third run of two", runs, Options{Table: 3}, "", "table 3 is requested, but the number of tables in the file is 2"},
		{"runs of Logger Pro below a given law", runs, Options{Given: true}, "Run_1_Time [s]: 1 2 3 | Run_1_Position [m]: 1.5 2 3.5 | Run_2_Position [m]: 2 4 7", "is called Run_1_Position"},
		{"runs of Capstone", "Time (s) Run #1,Force (N) Run #1,Time (s) Run #2,Force (N) Run #2\n1,1.5,1,2\n2,2,2,4\n3,3.5,3,7\n", Options{Table: 1}, "Time [s]: 1 2 3 | Force [N]: 1.5 2 3.5", "(s), (N) are read as their units"},
		{"data sets of gnuplot", blocks, Options{}, "", "two empty lines part the file into 2 tables: 1 from row 1 (x, y), 2 from row 8; choose one with --table 1, 2, …, or remove the empty lines"},
		{"a data set of gnuplot", blocks, Options{Table: 2}, "x: 1 2 3 | y: 2 4 7", ""},
		{"a third data set of two", blocks, Options{Table: 3}, "", "table 3 is requested, but the number of tables in the file is 2"},
		{"data sets below a given law", blocks, Options{Given: true}, stacked, "all 2 blocks are read as one table; --table 1, 2, … reads one of them"},
		{"data sets without names", "1 1.5\n2 2\n3 3.5\n\n\n1 2\n2 4\n3 7\n", Options{}, "", "into 2 tables: 1 (x1, y), 2 from row 6"},
		{"two empty lines in one series", "# x y\n1 1.5\n2 2\n3 3.5\n\n\n4 2\n5 4\n6 7\n", Options{}, "x: 1 2 3 4 5 6 | y: 1.5 2 3.5 2 4 7", "all 2 blocks are read as one table"},
	})
}
