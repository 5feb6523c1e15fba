package dataset

import "testing"

func TestErrorsInEverySecondRow(t *testing.T) {
	const say = "row 3: every second row |standard errors of the row above; write them into columns of their own"
	for _, c := range []oddFile{
		{"in parentheses", "x,y\n1.5,2\n(0.1),(0.2)\n2,4\n(0.1),(0.2)\n3.5,7\n(0.1),(0.3)\n", Options{}, "", say},
		{"in brackets, of the target only", "T      p\n300    2.15\n       [0.12]\n310    4.13\n       [0.14]\n", Options{}, "", say},
		{"between names and stars", "      x        y\nNa  1.53   2.15***\n   (0.02)  (0.12)\nMg  2.10   4.13*\n   (0.02)  (0.14)\n", Options{}, "", say},
		{"after ±", "x,y\n1,2.15\n,± 0.12\n2,4.13\n,± 0.14\n", Options{}, "", say},
		{"in rows without a name", "name,x,y\nNa,1.5,2\n,0.1,0.2\nMg,2,4\n,0.1,0.2\n", Options{}, "", say},
		{"in rows called s.e.", "name,x,y\nNa,1.5,2\nStd. Err.,0.1,0.2\nMg,2,4\nStd. Err.,0.1,0.2\n", Options{}, "", say},
		{"in rows called se, below means", "stat,x,y\nmean,1.5,2\nse,0.1,0.2\nmean,2,4\nse,0.1,0.2\n", Options{}, "", "row 2: the rows are statistics of a table"},
		{"in rows like the others", "x,y\n1.5,2\n0.1,0.2\n2,4\n0.1,0.2\n3.5,7\n0.1,0.3\n", Options{}, "x: 1.5 0.1 2 0.1 3.5 0.1 | y: 2 0.2 4 0.2 7 0.3", "row 3 and every second row below hold small numbers only: if they are standard errors"},
		{"on and off", "U,I\n5,2\n0.1,0.2\n5,2.1\n0.1,0.2\n5,1.9\n0.1,0.3\n", Options{}, "U: 5 0.1 5 0.1 5 0.1 | I: 2 0.2 2.1 0.2 1.9 0.3", ""},
	} {
		t.Run(c.name, c.check)
	}
}

func TestPrints(t *testing.T) {
	const stata = ". list mass period\n\n     +---------------+\n     | mass   period |\n     |---------------|\n  1. |  1.5      2.0 |\n  2. |    2      4.1 |\n     |---------------|\n  3. |  3.5      7.2 |\n     +---------------+\n\n. \n"
	const matlab = "A =\n\n  Columns 1 through 3\n\n    1.0    2.0    3.0\n    2.0    4.0    6.5\n\n  Columns 4 through 5\n\n    4.0    5.0\n    8.0   10.0\n"
	for _, c := range []oddFile{
		{"Stata's list", stata, Options{}, "mass: 1.5 2 3.5 | period: 2 4.1 7.2", ""},
		{"Stata's list with names of two words", "  +------------------+\n  | make         mpg |\n  |------------------|\n  1. | AMC Spirit    22 |\n  2. | AMC Pacer     17 |\n  +------------------+\n", Options{}, "", "only one column holds numbers"},
		{"Polars", "shape: (3, 2)\n┌──────┬─────┐\n│ x    ┆ y   │\n│ ---  ┆ --- │\n│ f64  ┆ i64 │\n╞══════╪═════╡\n│ 1.5  ┆ 2   │\n│ 2.0  ┆ 4   │\n│ 3.5  ┆ 7   │\n└──────┴─────┘\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "column 1 has no name"},
		{"Polars, shortened", "shape: (30, 2)\n┌──────┬─────┐\n│ x    ┆ y   │\n╞══════╪═════╡\n│ 1.5  ┆ 2   │\n│ …    ┆ …   │\n│ 3.5  ┆ 7   │\n└──────┴─────┘\n", Options{}, "", "row 6: this is a print that leaves out rows of the table; write all of them"},
		{"data.table of R, shortened", "     x  y\n 1: 1.5 2\n 2: 2.0 4\n---      \n99: 3.5 7\n", Options{}, "", "row 3: this is a print that leaves out rows"},
		{"tibble of R, shortened", "# A tibble: 40 x 2\n      x     y\n  <dbl> <dbl>\n1   1.5     2\n2   2       4\n# ... with 38 more rows\n", Options{}, "", "row 6: this is a print that leaves out rows"},
		{"Vernier", "Vernier Format 2\na.cmbl 5/1/2024 10:00:00 .\nRun 1\nTime\tAngle\nT\tA\ns\trad\n\n0.0\t0.1\n0.1\t0.2\n0.2\t0.15\n", Options{}, "Time [s]: 0 0.1 0.2 | Angle [rad]: 0.1 0.2 0.15", "row 6 is read as the columns' units"},
		{"SPEC", "#S 1 ascan\n#N 3\n#L th  Det  Mon\n0 10 2\n0.1 20 3\n0.2 40 5\n", Options{}, "th: 0 0.1 0.2 | Det: 10 20 40 | Mon: 2 3 5", ""},
		{"siunitx", "\\begin{tabular}{cc}\n$x$ & $\\rho$ / $\\mathrm{g\\,cm^{-3}}$ \\\\\n\\SI{1}{\\metre} & 2 \\\\\n\\SI{2}{\\metre} & 4 \\\\\n\\SI{3}{\\metre} & 7 \\\\\n\\end{tabular}\n", Options{}, "x [m]: 1 2 3 | rho [g cm^-3]: 2 4 7", "m after its numbers is read as the unit"},
		{"blocks of columns of MATLAB", matlab, Options{}, "", "this is a matrix as MATLAB prints it, in blocks of columns below each other; write it by writematrix"},
	} {
		t.Run(c.name, c.check)
	}
}
