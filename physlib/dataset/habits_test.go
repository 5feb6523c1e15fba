package dataset

import "testing"

// inUTF16 returns text in UTF-16, with the low byte first and without a byte-order mark.
func inUTF16(text string) string {
	var b []byte
	for _, r := range text {
		b = append(b, byte(r), byte(r>>8))
	}
	return string(b)
}

// Tables in styles that people, programs and instruments use are read.
func TestHabits(t *testing.T) {
	const xy = "x: 1.5 2 3.5 | y: 2 4 7"
	const rows = "1.5,2\n2,4\n3.5,7\n"
	for _, c := range []oddFile{
		// summaries
		{"a summary below row names", ",F,E\n,(kN),(GPa)\n1,1.5,2\n2,2,4\n3,3.5,7\nMean,2.3,4.3\nS.D.,1,2.5\nMaximum,3.5,7\n", Options{}, "F [kN]: 1.5 2 3.5 | E [GPa]: 2 4 7", `row 6, "Mean" in a column without a name|row 7, "S.D."|row 8, "Maximum"`},
		{"a maximum is a name", "mode,x,y\nmin,1.5,2\nmid,2,4\nmax,3.5,7\n", Options{}, xy, "column mode holds text"},
		{"a sum without a word", "x,y,z\n1,2,3\n2,4,5\n3,7,9\n6,13,17\n", Options{}, "x: 1 2 3 6 | y: 2 4 7 13 | z: 3 5 9 17", "row 5 is the sum of the rows above"},
		{"a sentence below", "x,y\n" + rows + "3 rows in set (0.00 sec)\n", Options{}, xy, "below the table is read as a footer"},
		// standard errors
		{"concentrations, and a target without its unit", "S_mM,I_uM,rate\n1.5,2,3\n2,4,4\n3.5,7,6\n", Options{Target: "S"}, "I_uM [uM]: 2 4 7 | rate: 3 4 6 | S_mM [mM]: 1.5 2 3.5", "mM in the name is read as its unit"},
		{"a quotient, and a unit in parentheses", "T/K,c_p (mJ/g/K)\n1.5,2\n2,4\n3.5,7\n", Options{}, "T [K]: 1.5 2 3.5 | c_p [mJ/g/K]: 2 4 7", "column \"T/K\" is read as T in K"},
		{"a heading in brackets, and a target as written", "t [min],[OH-] [mol/L]\n1.5,2\n2,4\n3.5,7\n", Options{Target: "[OH-]"}, "t [min]: 1.5 2 3.5 | OH [mol/L]: 2 4 7", "is called OH in laws"},
		{"a target without the text in brackets", "x,eaten (prey/day)\n1.5,2\n2,4\n3.5,7\n", Options{Target: "eaten"}, "x: 1.5 2 3.5 | eaten_prey_day: 2 4 7", "is called eaten_prey_day in laws"},
		{"± in the header", "x,y,±\n1.5,2,0.1\n2,4,0.2\n3.5,7,0.1\n", Options{}, xy, "column 3, ±, is called y_err|read as the standard errors of y"},
		{"SD", "x,y,SD\n1.5,2,0.1\n2,4,0.2\n3.5,7,0.1\n", Options{}, xy, "SD, is read as the standard errors of y"},
		{"SEM of y", "x,y,y_SEM\n1.5,2,0.1\n2,4,0.2\n3.5,7,0.1\n", Options{}, xy, "y_SEM, is read as the standard errors of y"},
		{"± in per cent in the heading", "x,y ± 5 %\n" + rows, Options{}, xy, "the standard error of the target y is 5 % of its value"},
		{"± in per cent of x", "x (±2%),y\n" + rows, Options{}, xy, "the error in the heading of x, 2%, is not used; --sigma y=…,x=2% makes use of it"},
		{"± of per cent", "x,RH (%) ± 5 %\n" + rows, Options{}, "x: 1.5 2 3.5 | RH_5: 2 4 7", "is called"},
		// LaTeX in the header
		{"macros", "$x_0$ [$\\mathrm{m}$],$\\sigma_{\\mathrm{max}}$ [\\si{\\mega\\pascal}]\n" + rows, Options{}, "x_0 [m]: 1.5 2 3.5 | sigma_max [MPa]: 2 4 7", "is called sigma_max"},
		// cells that are not numbers
		{"comments behind //", "x,y\n1.5,2\n2,4 // ok\n3.5,7\n", Options{}, "", "remove the marks and comments after numbers"},
		{"ratios", "x,y\n1:1,2\n1:2,4\n1:3,7\n", Options{}, "", "write a ratio as one number, so that 1:8 is 0.125"},
		{"powers of ten alone", "x,y\n1.5,10^0.2\n2,10^0.4\n3.5,10^0.7\n", Options{}, "", "or their exponents alone"},
		{"brackets", "x,y\n1.5,2\n2,[4]\n3.5,7\n", Options{}, "", "remove the brackets around numbers"},
		{"both decimal signs", "x;y\n1,5;1.625\n2;3,500\n3,5;6.625\n", Options{}, "", "no cell shows which sign is decimal"},
		{"thousands and decimals", "x;y\n1,5;1.625\n2;3,50\n3,5;6.625\n", Options{}, "x: 1.5 2 3.5 | y: 1625 3.5 6625", "separators of thousands are left out"},
		// units
		{"in", "time in s,speed in m/s\n" + rows, Options{}, "time [s]: 1.5 2 3.5 | speed [m/s]: 2 4 7", "s, m/s are read as their units; write time [s]"},
		{"in, without a unit", "step in,drop in A\n" + rows, Options{}, "step_in: 1.5 2 3.5 | drop_in_A: 2 4 7", "is called drop_in_A"},
		{"angles and braces", "t <s>,v {m/s}\n" + rows, Options{}, "t [s]: 1.5 2 3.5 | v [m/s]: 2 4 7", "<s>, {m/s} are read as their units|write t [s] to be sure"},
		{"in names", "time_s,length_mm\n" + rows, Options{}, "time_s [s]: 1.5 2 3.5 | length_mm [mm]: 2 4 7", "s in the name is read as its unit|mm in the name"},
		{"in names, with spaces", "arm length mm,T °C\n" + rows, Options{}, "arm_length_mm [mm]: 1.5 2 3.5 | T_C [°C]: 2 4 7", "°C in the name is read as its unit"},
		{"letters in several names", "t_s,U_V\n" + rows, Options{}, "t_s [s]: 1.5 2 3.5 | U_V [V]: 2 4 7", "V in the name is read as its unit"},
		{"temperature", "T_C,rate\n" + rows, Options{}, "T_C [°C]: 1.5 2 3.5 | rate: 2 4 7", "[C] is read as °C"},
		{"no units in names", "x_m,speed_max\n" + rows, Options{}, "x_m: 1.5 2 3.5 | speed_max: 2 4 7", ""},
		{"no units of other quantities in names", "k_s,length_s\n" + rows, Options{}, "k_s: 1.5 2 3.5 | length_s: 2 4 7", ""},
		{"numbers in names", "count_1,x\n" + rows, Options{}, "count_1: 1.5 2 3.5 | x: 2 4 7", ""},
		{"a letter behind a comma", "E, V;I, mA\n1,5;2\n2;4\n3,5;7\n", Options{}, "E [V]: 1.5 2 3.5 | I [mA]: 2 4 7", "V, mA are read as their units"},
		{"a letter behind a comma, alone", "Site, A;x\n1,5;2\n2;4\n3,5;7\n", Options{}, "Site_A: 1.5 2 3.5 | x: 2 4 7", "Site_A"},
		{"powers of ten", "t (s),c (×10⁻³ M)\n" + rows, Options{}, "t [s]: 1.5 2 3.5 | c [10⁻³ M]: 2 4 7", "(s), (×10⁻³ M) are read as their units"},
		{"absorbance in AU", "t [s],Absorbance [AU]\n" + rows, Options{}, "t [s]: 1.5 2 3.5 | Absorbance: 2 4 7", "column Absorbance: [AU] is not a unit"},
		{"orbits in AU", "T [d],a [AU]\n" + rows, Options{}, "T [d]: 1.5 2 3.5 | a [AU]: 2 4 7", ""},
		{"arbitrary units in parentheses", "t (s),I (arb. units)\n" + rows, Options{}, "t [s]: 1.5 2 3.5 | I: 2 4 7", "(arb. units) is not a known unit"},
		{"quantities by units, but one", "T/°C,p/kPa,n\n1.5,2,1\n2,4,5\n3.5,7,2\n", Options{}, "T [°C]: 1.5 2 3.5 | p [kPa]: 2 4 7 | n: 1 5 2", "is read as p in kPa"},
		{"ratios", "L/D,h/D,n\n1.5,2,1\n2,4,5\n3.5,7,2\n", Options{}, "L_D: 1.5 2 3.5 | h_D: 2 4 7 | n: 1 5 2", "is called L_D"},
		{"means of a potentiostat", "mode\ttime/s\t<I>/mA\n1\t1.5\t2\n2\t2\t4\n2\t3.5\t7\n", Options{}, "mode: 1 2 2 | time [s]: 1.5 2 3.5 | I [mA]: 2 4 7", "is read as I in mA"},
		{"differences of temperatures", "ΔT (°C),T [°C]\n" + rows, Options{}, "ΔT [K]: 1.5 2 3.5 | T [°C]: 2 4 7", "column ΔT: differences in °C are read as such in K"},
		{"degrees without a ring", "Temp (C),T_out [F],q [C]\n1,2,3\n2,4,5\n4,7,6\n", Options{}, "Temp [°C]: 1 2 4 | T_out [°F]: 2 4 7 | q [C]: 3 5 6", "column Temp: [C] is read as °C|column T_out: [F] is read as °F"},
		{"another ring", "T [ºC],U [mV]\n0,1\n10,2\n", Options{}, "T [ºC]: 0 10 | U [mV]: 1 2", ""},
		{"pH", "V [mL],pH [pH]\n" + rows, Options{}, "V [mL]: 1.5 2 3.5 | pH: 2 4 7", "[pH] is not a unit"},
		{"amounts of an element", "t [d],N [mg N/L]\n" + rows, Options{}, "t [d]: 1.5 2 3.5 | N [mg N/L]: 2 4 7", "the N in mg N/L is read as newton; for an amount of the element write mg/L"},
		// dates
		{"mornings of unknown months", "at,y\n3/4/2025 10:00 AM,2\n3/4/2025 10:01 AM,4\n3/4/2025 10:03 AM,7\n", Options{}, "at [s]: 0 60 180 | y: 2 4 7", "month/day/year (a guess"},
		{"dates and hours without separators", "time,y\n2025013110,2\n2025013111,4\n2025020110,7\n", Options{}, "time: 2.02501311e+09 2.025013111e+09 2.02502011e+09 | y: 2 4 7", "2025013110 is read as a number, not as a date"},
		{"months without separators", "yyyymm,y\n202501,2\n202502,4\n202512,7\n", Options{}, "yyyymm: 202501 202502 202512 | y: 2 4 7", "not as a date"},
		// matrices
		{"a plate", ",1,2,3\nA,1.5,2,4\nB,2,4,5\nC,3.5,7,6\n", Options{}, "x1: 1.5 2 3.5 | x2: 2 4 7 | x3: 4 5 6", "row 1: if its numbers are values of a variable, write one row for each value"},
		{"the first value is missing", ",2\n2,4\n3.5,7\n", Options{}, "x1: 2 3.5 | y: 4 7", "1 row of 3 set aside"},
		// marks of comments
		{"Touchstone", "! made by an analyser\n! x y\n1.5 2\n2 4\n3.5 7\n", Options{}, xy, ""},
		{"drawn with lines", "┌─────┬───┐\n│ x   ┆ y │\n│ --- ┆ --- │\n│ f64 ┆ i64 │\n╞═════╪═══╡\n│ 1.5 ┆ 2 │\n│ 2   ┆ 4 │\n│ 3.5 ┆ 7 │\n└─────┴───┘\n", Options{}, xy, "column 1 has no name"},
		{"drawn by Julia", "3×2 DataFrame\n Row │ x      y     \n     │ Float64  Int64 \n─────┼──────────────\n   1 │   1.5      2\n   2 │     2      4\n   3 │   3.5      7\n", Options{}, "Row: 1 2 3 | x: 1.5 2 3.5 | y: 2 4 7", "is read as a title"},
		{"zeros at the end", "x,y\n" + rows + "\x00\x00\x00\x00", Options{}, xy, ""},
		// encodings
		{"UTF-16 without a mark", inUTF16("x [m],λ\r\n1.5,2\r\n2,4\r\n3.5,7\r\n"), Options{}, "x [m]: 1.5 2 3.5 | λ: 2 4 7", "read as UTF-16"},
		{"a damaged byte", "x,T [°C],note\n1.5,2,a\n2,4,\xff\n3.5,7,c\n", Options{}, "x: 1.5 2 3.5 | T [°C]: 2 4 7", "column note holds text"},
		// LaTeX
		{"LaTeX", "\\begin{tabular}{cc}\n\\toprule\n$x$ (m) & $y$ ($\\mathrm{s}$) \\\\\n\\midrule\n1.5 & 2 \\\\\n\\num{2} & $4$ \\\\[2pt]\n3.5 & 7 \\\\ \\bottomrule\n\\end{tabular}\n", Options{}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", "read as a table of LaTeX"},
		{"LaTeX, rows alone", "$x$ & $\\lambda$\\\\\\hline\n1.5 & 2 $\\pm$ 0.1\\\\\n2 & 4 $\\pm$ 0.1\\\\\n3.5 & 7 $\\pm$ 0.1\\\\\n", Options{}, "x: 1.5 2 3.5 | lambda: 2 4 7", "read as a table of LaTeX|in its cells"},
		{"LaTeX, cells alone", "x & y\n1.5 & 2\n2 & 4\n3.5 & 7\n", Options{}, xy, "read as a table of LaTeX"},
		// tables that are rejected
		{"fractions", "x,y\n1 1/2,2\n2,4\n3,7\n4,8\n", Options{}, "", `row 2, column 1 (x): "1 1/2" is not a number; write fractions as decimal numbers`},
		{"marks behind powers", "x,y\n1,1.2e3*\n2,4\n3,7\n4,8\n", Options{}, "", "remove the marks and comments"},
		{"an exponent behind a blank", "x,y\n1,2.5 e3\n2,4\n3,7\n4,8\n", Options{}, "", "write exponents without blanks"},
		{"an unseen character", "x,y\n1,2\u200b\n2,4\n3,7\n4,8\n", Options{}, "", "remove the character U+200B"},
		{"HTML in a page", "<div><table><tr><td>1</td></tr></table></div>", Options{}, "", "this is a web page or XML"},
		{"Mathematica", "{{1, 2}, {2, 4}}\n", Options{}, "", "these are lists of a programming language"},
		{"numpy", "array([[1., 2.],\n       [2., 4.]])\n", Options{}, "", "these are lists"},
	} {
		t.Run(c.name, c.check)
	}
}
