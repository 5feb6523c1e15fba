package dataset

import "testing"

// The output of programs is read, and so are tables pasted from documents.
func TestProgramOutput(t *testing.T) {
	const xy = "x: 1.5 2 3.5 | y: 2 4 7"
	const nist = "NIST/ITL StRD\nDataset Name:  Misra1a  (Misra1a.dat)\n\nFile Format:   ASCII\n   Starting Values   (lines 41 to 42)\n\n        Start 1  Start 2  Parameter  Standard Deviation\n  b1 =   500         250           2.3894212918E+02  2.7070075241E+00\n  b2 =     0.0001      0.0005      5.5015643181E-04  7.2668688436E-06\n\nNumber of Observations:   3\n\nData:   y               x\n      10.07E0      77.6E0\n      14.73E0     114.9E0\n      17.94E0     141.1E0\n"
	for _, c := range []oddFile{
		{"NIST", nist, Options{}, "x: 77.6 114.9 141.1 | y: 10.07 14.73 17.94", "the response, y, is the target"},
		{"NIST, another target", nist, Options{Target: "x"}, "y: 10.07 14.73 17.94 | x: 77.6 114.9 141.1", "the text above the values is left out"},
		{"NIST, for a given law", nist, Options{Given: true}, "y: 10.07 14.73 17.94 | x: 77.6 114.9 141.1", "the text above the values is left out"},
		{"short names of Origin", "A(X)\tB(Y)\tC(yEr±)\nt\tU\tError\ns\tmV\tmV\n0\t2\t0.1\n1\t4\t0.1\n3\t7\t0.1\n", Options{}, "t [s]: 0 1 3 | U [mV]: 2 4 7", "Error, is taken for the standard errors of U"},
		{"short names of Origin alone", "A(X)\tB(Y)\n0\t2\n1\t4\n3\t7\n", Options{}, "A_X: 0 1 3 | B_Y: 2 4 7", "is called A_X"},
		{"R, with its prompt", "> print(df)\n    x y\n1 1.5 2\n2 2.0 4\n3 3.5 7\n> \n", Options{}, xy, "column 1 has no name and is left out"},
		{"a matrix of MATLAB, printed", "\nA =\n\n    1.5000    2.0000\n    2.0000    4.0000\n    3.5000    7.0000\n\n", Options{}, "x1: 1.5 2 3.5 | y: 2 4 7", "no header"},
		{"statistics of pandas", ",x,y\ncount,4,4\nmean,2.5,5.1\nstd,1.29,2.5\nmin,1,2\n25%,1.75,3.5\n50%,2.5,5.2\nmax,4,8.1\n", Options{}, "", `row 2: the rows are statistics of a table, beginning with "count"`},
		{"mean and sd below one another", "what,x,y\nmean,1,4\nsd,0.1,5.1\nmean,3,2.5\nsd,0.1,2\n", Options{}, "", "the rows are statistics of a table"},
		{"a quantity in each row", "run,quantity,value,unit\n1,l,0.1,m\n1,T,0.63,s\n2,l,0.2,m\n2,T,0.9,s\n", Options{}, "run: 1 1 2 2 | value: 0.1 0.63 0.2 0.9", "column unit names units of several quantities, m, s"},
		{"Keithley", "+1.5E-01VDC,+2.0E-06ADC,+00001RDNG#\n+2.0E-01VDC,+4.0E-06ADC,+00002RDNG#\n+3.5E-01VDC,+7.0E-06ADC,+00003RDNG#\n", Options{}, "x1 [V]: 0.15 0.2 0.35 | x2 [A]: 2e-06 4e-06 7e-06", "VDC behind its numbers is read as the unit"},
		{"a board that starts", "Booting...\nBMP280 found at 0x76\nT=1.5 C P=2 hPa\nT=2 C P=4 hPa\nT=3.5 C P=7 hPa\n", Options{}, "T [°C]: 1.5 2 3.5 | P [hPa]: 2 4 7", "2 lines above them left out"},
		{"degrees of the Arduino's examples", "T: 1.5 *C\tH: 2 %\nT: 2 *C\tH: 4 %\nT: 3.5 *C\tH: 7 %\n", Options{}, "T [°C]: 1.5 2 3.5 | H [%]: 2 4 7", "°C behind its numbers is read as the unit"},
		{"pandas, printed with the name of its index", "       x  y\nt          \n0.5  1.5  2\n1.0  2.0  4\n2.5  3.5  7\n", Options{}, "t: 0.5 1 2.5 | x: 1.5 2 3.5 | y: 2 4 7", `"       x  y", is taken for a title`},
		{"the name of pandas' index below the header", "\tx\ty\nt\t\t\n0.5\t1.5\t2\n1\t2\t4\n2.5\t3.5\t7\n", Options{}, "t: 0.5 1 2.5 | x: 1.5 2 3.5 | y: 2 4 7", ""},
		{"durations of pandas", "t,y\n0 days 00:00:01.500000,2\n0 days 01:00:00.000000000,4\n1 days 00:00:00,7\n", Options{}, "t [s]: 1.5 3600 86400 | y: 2 4 7", "times are read as days, hours, minutes and seconds, in seconds"},
		{"negative durations of pandas", "t,y\n-1 days +23:59:59,2\n0 days 00:00:00,4\n0 days 00:00:03,7\n", Options{}, "t [s]: -1 0 3 | y: 2 4 7", "in seconds"},
		{"durations above a day", "t,y\n12:00:00,2\n30:00:00,4\n42:00:00,7\n", Options{}, "t [s]: 43200 108000 151200 | y: 2 4 7", "hours, minutes and seconds, in seconds"},
		{"quantities in rows, without names", "1.5,2,3.5,4,5\n2,4,7,8,9.5\n", Options{}, "x1: 1.5 2 | x2: 2 4 | x3: 3.5 7 | x4: 4 8 | y: 5 9.5", "no header|2 rows and 5 columns without names: if each row holds one quantity, transpose the table"},
		// instruments
		{"Gamry", "EXPLAIN\nTAG\tCV\nCURVE\tTABLE\t3\n\tPt\tT\tVf\tIm\n\t#\ts\tV vs. Ref.\tA\n\t0\t0.1\t1.5\t2\n\t1\t0.3\t2\t4\n\t2\t0.4\t3.5\t7\n", Options{}, "Pt: 0 1 2 | T [s]: 0.1 0.3 0.4 | Vf [V]: 1.5 2 3.5 | Im [A]: 2 4 7", "row 5 is read as the columns' units"},
		{"potentials against an electrode", "E [V vs. SHE],i (mA)\n1.5,2\n2,4\n3.5,7\n", Options{}, "E [V]: 1.5 2 3.5 | i [mA]: 2 4 7", "(mA) is read as its unit"},
		{"Campbell", "\"TOA5\",\"CR1000\",\"1234\",\"Table1\"\n\"TIMESTAMP\",\"RECORD\",\"AirT\",\"RH\"\n\"TS\",\"RN\",\"Deg C\",\"%\"\n\"\",\"\",\"Avg\",\"Smp\"\n\"2025-03-14 10:00:00\",0,1.5,2\n\"2025-03-14 10:10:00\",1,2,4\n\"2025-03-14 10:20:00\",2,3.5,7\n", Options{}, "TIMESTAMP [s]: 0 600 1200 | RECORD: 0 1 2 | AirT [°C]: 1.5 2 3.5 | RH [%]: 2 4 7", "row 3 is read as the columns' units"},
		{"GROMACS", "# by gmx energy\n@    title \"Energies\"\n@    xaxis  label \"Time (ps)\"\n@TYPE xy\n@ s0 legend \"Potential\"\n@ s1 legend \"Pressure\"\n    0.5  1.5  2\n    1.0  2.0  4\n    2.5  3.5  7\n", Options{}, "Time [ps]: 0.5 1 2.5 | Potential: 1.5 2 3.5 | Pressure: 2 4 7", "(ps) is read as its unit"},
		{"ROOT", "*******************************\n*    Row   *         x *     y *\n*******************************\n*        0 *       1.5 *     2 *\n*        1 *         2 *     4 *\n*        2 *       3.5 *     7 *\n*******************************\n", Options{}, "Row: 0 1 2 | x: 1.5 2 3.5 | y: 2 4 7", "column 1 has no name"},
		{"GraphPad Prism", "\tA:Y1\tA:Y2\n0.1\t1.5\t2\n0.3\t2\t4\n0.4\t3.5\t7\n", Options{}, "x1: 0.1 0.3 0.4 | A_Y1: 1.5 2 3.5 | A_Y2: 2 4 7", "column 1 has no name and holds decimal numbers: it is called x1"},
		{"Graphical Analysis", "Data Set 1:Time(s),Data Set 1:Velocity(m/s)\n1.5,2\n2,4\n3.5,7\n", Options{}, "Data_Set_1_Time [s]: 1.5 2 3.5 | Data_Set_1_Velocity [m/s]: 2 4 7", "(s) is read as its unit"},
		{"Capstone, typed in", "Time (s) Set,Force (N) Run #1\n1.5,2\n2,4\n3.5,7\n", Options{}, "Time_Set [s]: 1.5 2 3.5 | Force_Run_1 [N]: 2 4 7", "(s) is read as its unit"},
		{"the start of an ESP32", "ets Jun  8 2016 00:22:57\n\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\nx,y\n1.5,2\n2,4\n3.5,7\n", Options{}, xy, "row 1, |row 3, "},
		{"errors named by an initial", "T (K),Moment (emu),M. Std. Err. (emu)\n300,1.5,0.1\n310,2,0.1\n330,3.5,0.2\n", Options{}, "T [K]: 300 310 330 | Moment [emu]: 1.5 2 3.5", "M_Std_Err, is taken for the standard errors of Moment"},
		{"closing brackets", "((xy/key/label \"wall\")\n1.5\t2\n2\t4\n3.5\t7\n)\n", Options{}, "x1: 1.5 2 3.5 | y: 2 4 7", "no header"},
		{"Infiniium", "Revision:,0\nPoints:,3\nXInc:,1e-6\nCoupling:,DC\nFrame:,MSO9404A\nX Units:,Second\nY Units:,Volt\nXY Data:,\n-1,2\n0,4\n1,7\n", Options{}, "x1 [Second]: -1 0 1 | y [Volt]: 2 4 7", "no header|Second, Volt, are those of the settings above"},
		{"a unit alone", "in s,CH1 in V\n1.5,2\n2,4\n3.5,7\n", Options{}, "time [s]: 1.5 2 3.5 | CH1 [V]: 2 4 7", "s is read as its unit"},
		{"seconds called Sec", "t\tx\nSec\tmm\n1.5\t2\n2\t4\n3.5\t7\n", Options{}, "t [s]: 1.5 2 3.5 | x [mm]: 2 4 7", "row 2 is read as the columns' units"},
		{"tenths of seconds", "t,y\n10:12:31.1,2\n10:12:31.2,4\n10:12:31.4,7\n", Options{}, "t [s]: 0 0.1 0.3 | y: 2 4 7", "in seconds since the first"},
		{"IPython", "In [3]: df\nOut[3]: \n     x    y\n0  1.5  2.0\n1  2.0  4.0\n2  3.5  7.0\n", Options{}, xy, "column 1 has no name"},
		{"a matrix of Julia", "julia> A\n3×2 Matrix{Float64}:\n 1.5  2.0\n 2.0  4.0\n 3.5  7.0\n", Options{}, "x1: 1.5 2 3.5 | y: 2 4 7", "no header"},
		{"entities of HTML in headings", "&Delta;t (s),&theta; (&deg;)\n1.5,2\n2,4\n3.5,7\n", Options{}, "Δt [s]: 1.5 2 3.5 | θ [°]: 2 4 7", "(°) is read as its unit"},
		{"upper and lower errors", "x,y,y_err_up,y_err_down\n1.5,2,0.1,0.2\n2,4,0.1,0.2\n3.5,7,0.1,0.3\n", Options{}, xy, "y_err_up is taken for the standard errors of y, the target|y_err_down is taken for the standard errors of y and is no variable"},
		{"errors called + and -", "x,y,+err,-err\n1.5,2,0.1,0.2\n2,4,0.1,0.2\n3.5,7,0.1,0.3\n", Options{}, xy, "err is taken for the standard errors of y, the target|err_2 is taken for the standard errors of y"},
		{"braces of TeX in names", "$t$,$\\theta_{max}$\n1.5,2\n2,4\n3.5,7\n", Options{}, "t: 1.5 2 3.5 | theta_max: 2 4 7", "is called theta_max"},
		{"ECSV", "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: x, unit: km / s, datatype: float64}\n# - {name: y, datatype: float64}\n# schema: astropy-2.0\nx y\n1.5 2\n2 4\n3.5 7\n", Options{}, "x [km / s]: 1.5 2 3.5 | y: 2 4 7", ""},
		{"ECSV with commas", "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n# - {name: x, unit: m, datatype: float64}\n# - {name: y, unit: s, datatype: float64}\nx,y\n1.5,2\n2,4\n3.5,7\n", Options{}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", ""},
		{"ephemerides of JPL", "$$SOE\n1.5, A.D. 2025-Mar-14, 2,\n2.0, A.D. 2025-Mar-15, 4,\n3.5, A.D. 2025-Mar-16, 7,\n$$EOE\n", Options{}, "x1: 1.5 2 3.5 | y: 2 4 7", "no header"},
		{"code in Markdown", "```csv\nx,y\n1.5,2\n2,4\n3.5,7\n```\n", Options{}, xy, ""},
		{"a table in pgfplots", "\\begin{axis}\n\\addplot table {\nx y\n1.5 2\n2 4\n3.5 7\n};\n\\end{axis}\n", Options{}, xy, ""},
		{"a shell", "$ cat data.csv\nx,y\n1.5,2\n2,4\n3.5,7\n$\n", Options{}, xy, ""},
		{"dates of C", "t,y\nFri Mar 14 10:12:31 2025,2\nFri Mar 14 10:12:41 2025,4\nSat Mar 15 10:12:31 2025,7\n", Options{}, "t [s]: 0 10 86400 | y: 2 4 7", "seconds since 2025-03-14 10:12:31"},
		{"dates of C in UTC", "t,y\nFri Mar 14 10:12:31 UTC 2025,2\nFri Mar 14 10:12:41 UTC 2025,4\nSat Mar 15 10:12:31 UTC 2025,7\n", Options{}, "t [s]: 0 10 86400 | y: 2 4 7", "seconds since 2025-03-14 10:12:31"},
		{"dates with points and blanks", "d;y\n14. 3. 2025;2\n15. 3. 2025;4\n1. 4. 2025;7\n", Options{}, "d [d]: 0 1 18 | y: 2 4 7", "days since 2025-03-14"},
		{"errors with numbers", "x,y,yerr1,yerr2\n1.5,2,0.1,0.2\n2,4,0.1,0.2\n3.5,7,0.1,0.3\n", Options{}, xy, "yerr1 is taken for the standard errors of y, the target"},
		{"errors of VizieR", "x,e_x,y,e_y\n1.5,0.1,2,0.2\n2,0.1,4,0.2\n3.5,0.2,7,0.3\n", Options{}, xy, "e_y is taken for the standard errors of y"},
		{"a merge conflict", "x,y\n1,2\n<<<<<<< HEAD\n2,3.5\n=======\n2,3.6\n>>>>>>> b\n3,6\n", Options{}, "", "row 3: it holds a merge conflict of git"},
		{"hours and minutes by h", "t,y\n1h30,2\n2h45,4\n3h15,7\n", Options{}, "", `"1h30" is not a number; write times as 12:30:05`},
		{"double marks of comments", "## t U\n1.5 2\n2 4\n3.5 7\n", Options{}, "t: 1.5 2 3.5 | U: 2 4 7", ""},
		{"Grace without legends", "@target G0.S0\n@type xy\n1.5 2\n2 4\n3.5 7\n&\n", Options{}, "x1: 1.5 2 3.5 | y: 2 4 7", "no header"},
		{"wide gaps in a comment", "# cut energy  total energy\n1.5 2\n2 4\n3.5 7\n", Options{}, "cut_energy: 1.5 2 3.5 | total_energy: 2 4 7", "is called cut_energy"},
		{"ngspice", "Index   time            v(out)\n--------------------\n0\t1.5\t2\n1\t2.0\t4\n2\t3.5\t7\n", Options{}, "Index: 0 1 2 | time: 1.5 2 3.5 | v_out: 2 4 7", "is called v_out"},
		{"a letter in place of a digit", "t,y\n0.l,2\n0.2,4\n0.3,7\n0.4,9\n", Options{}, "", `row 2, column 1 (t): "0.l" is not a number`},
		// spreadsheets
		{"results beside the table", "x,y,,slope,2.05\n1.5,2,,R2,0.998\n2,4,,,\n3.5,7,,,\n4,8,,,\n", Options{}, "x: 1.5 2 3.5 4 | y: 2 4 7 8", "columns 3 to 5 hold notes next to the table"},
		{"results right beside the table", "x;y;g;9,81\n1,5;2;;\n2;4;;\n3,5;7;;\n", Options{}, xy, "columns 3 to 4 hold notes next to the table"},
		{"results beside a table with units", "x,y,,mass,0.2\nm,s,,,\n1.5,2,,,\n2,4,,,\n3.5,7,,,\n", Options{}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", "columns 3 to 5 hold notes|row 2 is read as the columns' units"},
		{"settings to the left of a table", "mass,0.2,,x,y\nlen,0.5,,1.5,2\n,,,2,4\n,,,3.5,7\n,,,4,8\n", Options{}, "x: 1.5 2 3.5 4 | y: 2 4 7 8", "columns 1 to 3 hold notes next to the table"},
		{"columns that are rarely filled", "x,y,n,m\n1.5,2,a,1\n2,4,,\n3.5,7,,\n4,8,,\n", Options{Target: "y"}, "x: 1.5 2 3.5 4 | y: 2 4 7 8", "column m is empty in 3 of 4 rows"},
		// standard errors
		{"± between blanks", "x    y\n1.5 ± 0.1  2 ± 0.5\n2.0 ± 0.1  4 ± 0.5\n3.5 ± 0.1  7 ± 0.5\n", Options{}, xy, "the standard errors of the target y are those in its cells"},
		{"+/- between blanks", "x y\n1.5 2 +/- 0.5\n2.0 4 +/- 0.5\n3.5 7 +/- .5\n", Options{}, xy, "the standard errors of the target y are those in its cells"},
		{"errors below the header", "x [m],y [s]\n±0.1,±0.2\n1.5,2\n2,4\n3.5,7\n", Options{}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", "row 2 is read as the standard errors of the columns|target y is 0.2 in every row"},
		// tables that run from left to right
		{"units beside the names", "Quantity,Unit,1,2,3\nx,m,1.5,2,3.5\ny,s,2,4,7\n", Options{}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", "the table runs from left to right"},
		{"units beside the names, without a header", "x;[m];1,5;2;3,5\ny;[s];2;4;7\n", Options{}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", "the table runs from left to right"},
		// markup
		{"bold text in Markdown", "| x | `y` |\n|---|---|\n| 1.5 | 2 |\n| 2 | **4** |\n| 3.5 | 7 |\n", Options{}, xy, "column 1 has no name"},
		{"units of siunitx", "\\begin{tabular}{SS}\n{$v$ / \\si{\\milli\\metre\\per\\second}} & {$F$ / \\unit{\\kilo\\gram\\metre\\per\\second\\squared}} \\\\\n1.5 & 2 \\\\\n2 & 4 \\\\\n3.5 & 7 \\\\\n\\end{tabular}\n", Options{}, "v [mm/s]: 1.5 2 3.5 | F [kg m/s^2]: 2 4 7", "is read as v in mm/s"},
		{"rows of LaTeX that begin with a macro", "\\begin{tabular}{lcc}\n\\hline\nS & $x$ & $y$ \\\\\n\\hline\n\\multirow{2}{*}{A} & 1.5 & 2 \\\\\n & 2 & 4 \\\\\n\\cline{1-3}\n\\multirow{1}{*}{B} & 3.5 & 7 \\\\\n\\hline\n\\end{tabular}\n", Options{}, xy, "read as a table of LaTeX|column S holds text"},
		// tables that are rejected
		{"hexadecimal numbers", "x,y\n0x10,2\n0x20,4\n0x30,7\n", Options{}, "", `"0x10" is not a number, as most cells of the column; write it as a decimal number`},
		{"YAML", "x: [1, 2, 3]\ny: [2, 4, 7]\n", Options{}, "", "these are lists of a programming language"},
		{"TOML", "[data]\nx = [1, 2, 3]\ny = [2, 4, 7]\n", Options{}, "", "these are lists of a programming language"},
		{"values of resistors", "R,I\n1k,2\n2k2,1\n4k7,0.5\n", Options{}, "", "so that 2.2k is 2.2e3"},
	} {
		t.Run(c.name, c.check)
	}
}
