package dataset

import (
	"fmt"
	"testing"
)

// The output of programs is read, and so are tables pasted from documents.
func TestProgramOutput(t *testing.T) {
	const xy = "x: 1.5 2 3.5 | y: 2 4 7"
	const nist = "NIST/ITL StRD\nDataset Name:  Misra1a  (Misra1a.dat)\n\nFile Format:   ASCII\n   Starting Values   (lines 41 to 42)\n\n        Start 1  Start 2  Parameter  Standard Deviation\n  b1 =   500         250           2.3894212918E+02  2.7070075241E+00\n  b2 =     0.0001      0.0005      5.5015643181E-04  7.2668688436E-06\n\nNumber of Observations:   3\n\nData:   y               x\n      10.07E0      77.6E0\n      14.73E0     114.9E0\n      17.94E0     141.1E0\n"
	for _, c := range []oddFile{
		{"NIST", nist, Options{}, "x: 77.6 114.9 141.1 | y: 10.07 14.73 17.94", "the response, y, is the target"},
		{"NIST, another target", nist, Options{Target: "x"}, "y: 10.07 14.73 17.94 | x: 77.6 114.9 141.1", "the text above the values is left out"},
		{"NIST, for a given law", nist, Options{Given: true}, "y: 10.07 14.73 17.94 | x: 77.6 114.9 141.1", "the text above the values is left out"},
		{"short names of Origin", "A(X)\tB(Y)\tC(yEr±)\nt\tU\tError\ns\tmV\tmV\n0\t2\t0.1\n1\t4\t0.1\n3\t7\t0.1\n", Options{}, "t [s]: 0 1 3 | U [mV]: 2 4 7", "Error, is read as the standard errors of U"},
		{"short names of Origin alone", "A(X)\tB(Y)\n0\t2\n1\t4\n3\t7\n", Options{}, "A_X: 0 1 3 | B_Y: 2 4 7", "is called A_X"},
		{"R, with its prompt", "> print(df)\n    x y\n1 1.5 2\n2 2.0 4\n3 3.5 7\n> \n", Options{}, xy, "column 1 has no name and is left out"},
		{"a matrix of MATLAB, printed", "\nA =\n\n    1.5000    2.0000\n    2.0000    4.0000\n    3.5000    7.0000\n\n", Options{}, "x1: 1.5 2 3.5 | y: 2 4 7", "no header"},
		{"statistics of pandas", ",x,y\ncount,4,4\nmean,2.5,5.1\nstd,1.29,2.5\nmin,1,2\n25%,1.75,3.5\n50%,2.5,5.2\nmax,4,8.1\n", Options{}, "", `row 2: the rows are statistics of a table, beginning with "count"`},
		{"mean and sd below one another", "what,x,y\nmean,1,4\nsd,0.1,5.1\nmean,3,2.5\nsd,0.1,2\n", Options{}, "", "the rows are statistics of a table"},
		{"a quantity in each row", "run,quantity,value,unit\n1,l,0.1,m\n1,T,0.63,s\n2,l,0.2,m\n2,T,0.9,s\n", Options{}, "run: 1 1 2 2 | value: 0.1 0.63 0.2 0.9", "column unit names units of several quantities, m, s"},
		{"Keithley", "+1.5E-01VDC,+2.0E-06ADC,+00001RDNG#\n+2.0E-01VDC,+4.0E-06ADC,+00002RDNG#\n+3.5E-01VDC,+7.0E-06ADC,+00003RDNG#\n", Options{}, "x1 [V]: 0.15 0.2 0.35 | x2 [A]: 2e-06 4e-06 7e-06", "VDC after its numbers is read as the unit"},
		{"a board that starts", "Booting...\nBMP280 found at 0x76\nT=1.5 C P=2 hPa\nT=2 C P=4 hPa\nT=3.5 C P=7 hPa\n", Options{}, "T [°C]: 1.5 2 3.5 | P [hPa]: 2 4 7", "2 lines above them left out"},
		{"degrees of the Arduino's examples", "T: 1.5 *C\tH: 2 %\nT: 2 *C\tH: 4 %\nT: 3.5 *C\tH: 7 %\n", Options{}, "T [°C]: 1.5 2 3.5 | H [%]: 2 4 7", "°C after its numbers is read as the unit"},
		{"pandas, printed with the name of its index", "       x  y\nt          \n0.5  1.5  2\n1.0  2.0  4\n2.5  3.5  7\n", Options{}, "t: 0.5 1 2.5 | x: 1.5 2 3.5 | y: 2 4 7", `"       x  y", is read as a title`},
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
		{"Graphical Analysis", "Data Set 1:Time(s),Data Set 1:Velocity(m/s)\n1.5,2\n2,4\n3.5,7\n", Options{}, "Data_Set_1_Time [s]: 1.5 2 3.5 | Data_Set_1_Velocity [m/s]: 2 4 7", "(s), (m/s) are read as their units"},
		{"Capstone, typed in", "Time (s) Set,Force (N) Run #1\n1.5,2\n2,4\n3.5,7\n", Options{}, "Time_Set [s]: 1.5 2 3.5 | Force_Run_1 [N]: 2 4 7", "(s), (N) are read as their units"},
		{"the start of an ESP32", "ets Jun  8 2016 00:22:57\n\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\nx,y\n1.5,2\n2,4\n3.5,7\n", Options{}, xy, "row 1, |row 3, "},
		{"errors named by an initial", "T (K),Moment (emu),M. Std. Err. (emu)\n300,1.5,0.1\n310,2,0.1\n330,3.5,0.2\n", Options{}, "T [K]: 300 310 330 | Moment [emu]: 1.5 2 3.5", "M_Std_Err, is read as the standard errors of Moment"},
		{"closing brackets", "((xy/key/label \"wall\")\n1.5\t2\n2\t4\n3.5\t7\n)\n", Options{}, "x1: 1.5 2 3.5 | y: 2 4 7", "no header"},
		{"Infiniium", "Revision:,0\nPoints:,3\nXInc:,1e-6\nCoupling:,DC\nFrame:,MSO9404A\nX Units:,Second\nY Units:,Volt\nXY Data:,\n-1,2\n0,4\n1,7\n", Options{}, "x1 [Second]: -1 0 1 | y [Volt]: 2 4 7", "no header|Second, Volt, are those of the settings above"},
		{"a unit alone", "in s,CH1 in V\n1.5,2\n2,4\n3.5,7\n", Options{}, "time [s]: 1.5 2 3.5 | CH1 [V]: 2 4 7", "s, V are read as their units"},
		{"seconds called Sec", "t\tx\nSec\tmm\n1.5\t2\n2\t4\n3.5\t7\n", Options{}, "t [s]: 1.5 2 3.5 | x [mm]: 2 4 7", "row 2 is read as the columns' units"},
		{"tenths of seconds", "t,y\n10:12:31.1,2\n10:12:31.2,4\n10:12:31.4,7\n", Options{}, "t [s]: 0 0.1 0.3 | y: 2 4 7", "in seconds since the first"},
		{"IPython", "In [3]: df\nOut[3]: \n     x    y\n0  1.5  2.0\n1  2.0  4.0\n2  3.5  7.0\n", Options{}, xy, "column 1 has no name"},
		{"a matrix of Julia", "julia> A\n3×2 Matrix{Float64}:\n 1.5  2.0\n 2.0  4.0\n 3.5  7.0\n", Options{}, "x1: 1.5 2 3.5 | y: 2 4 7", "no header"},
		{"entities of HTML in headings", "&Delta;t (s),&theta; (&deg;)\n1.5,2\n2,4\n3.5,7\n", Options{}, "Δt [s]: 1.5 2 3.5 | θ [°]: 2 4 7", "(s), (°) are read as their units"},
		{"upper and lower errors", "x,y,y_err_up,y_err_down\n1.5,2,0.1,0.2\n2,4,0.1,0.2\n3.5,7,0.1,0.3\n", Options{}, xy, "y_err_up is read as the standard errors of y, the target|y_err_down is read as the standard errors of y and is not a variable"},
		{"errors called + and -", "x,y,+err,-err\n1.5,2,0.1,0.2\n2,4,0.1,0.2\n3.5,7,0.1,0.3\n", Options{}, xy, "err is read as the standard errors of y, the target|err_2 is read as the standard errors of y"},
		{"errors of HEPData", "PT,D(SIG),stat +,stat -,\"sys,lumi +\",\"sys,lumi -\"\n1.5,2,0.1,-0.1,0.2,-0.2\n2,4,0.1,-0.1,0.2,-0.2\n3.5,7,0.2,-0.2,0.3,-0.3\n", Options{}, "PT: 1.5 2 3.5 | D_SIG: 2 4 7", "D_SIG_stat_err_plus is read as the standard errors of D_SIG, the target|column D_SIG_sys_err_minus: its errors are written with a minus, which is left out"},
		{"ions with errors", "K +,Cl -\n1.5,2\n2,4\n3.5,7\n", Options{}, "K: 1.5 2 3.5 | Cl: 2 4 7", `column "K +" is called K`},
		{"a quoted mail", "> x,y\n> 1.5,2\n>\n> 2,4\n> 3.5,7\n", Options{}, xy, "the > in front of each line is left out"},
		{"comments by ;", "; made by me\n; E y\n1.5 2\n2 4\n3.5 7\n", Options{}, "E: 1.5 2 3.5 | y: 2 4 7", `row 1, "; made by me", is read as a title`},
		{"comments by *", "* SPICE 3\n* first run\nx y\n1.5 2\n2 4\n3.5 7\n", Options{}, xy, `row 1, "* SPICE 3", is read as a title|row 2, "* first run", is read as a title`},
		{"rows flagged by *", "* a 1.5 2\n- b 2 4\n* c 3.5 7\n", Options{}, "x3: 1.5 2 3.5 | y: 2 4 7", "no header"},
		{"colours of a terminal", "\x1b[1mx\x1b[0m  \x1b[1my\x1b[0m\n1.5  2\n2  4\n3.5  7\n", Options{}, xy, ""},
		{"Jira", "||x||y||\n|1.5|2|\n|2|4|\n|3.5|7|\n", Options{}, xy, "column 1 has no name"},
		{"units in brackets above names", "(m),(s)\nx,t\n1.5,2\n2,4\n3.5,7\n", Options{}, "x [m]: 1.5 2 3.5 | t [s]: 2 4 7", "row 1 is read as the columns' units"},
		{"quotients from left to right", "U/V\t1,5\t2\t3,5\nI/mA\t2\t4\t7,1\nP/mW\t3\t8\t25\n", Options{}, "U [V]: 1.5 2 3.5 | I [mA]: 2 4 7.1 | P [mW]: 3 8 25", "the table runs from left to right"},
		{"ratios as names of rows", "A/C\t1,5\t2\t3,5\nB/C\t2\t4\t7,1\nD/C\t3\t8\t25\n", Options{}, "x2: 1.5 2 3 | x3: 2 4 8 | y: 3.5 7.1 25", "column x1 holds text"},
		{"titles above units and ±", "Mass,,Length,\n(kg),±,(mm),±\n1.5,0.1,2,0.1\n2,0.1,4,0.2\n3.5,0.1,7,0.2\n", Options{}, "Mass [kg]: 1.5 2 3.5 | Length [mm]: 2 4 7", "Length_err is read as the standard errors of Length, the target|Mass_err is read"},
		{"a per cent sign in LaTeX", "\\begin{tabular}{lll}\n% m & x & y \\\\\nm & x & y \\\\ % header\n\\multirow{2}{*}{5} & $1{,}5$ & 2 \\\\ % first\n & 2 & 4 \\\\\n%9 & 9 & 9 \\\\\n7 & $3{,}5$ & 7\\,\\% \\\\\n\\end{tabular}\n", Options{Target: "x"}, "", `"7 %" is not a number`},
		{"cells over several rows in LaTeX", "\\begin{tabular}{lll}\nm & x & y \\\\ % header\n\\multirow{2}{*}{5} & $1{,}5$ & 2 \\\\ % first\n & 2 & 4 \\\\\n%9 & 9 & 9 \\\\\n\\multirow{2}{*}{7} & $1{,}5$ & 3 \\\\\n& 2 & 6 \\\\\n\\end{tabular}\n", Options{}, "m: 5 5 7 7 | x: 1.5 2 1.5 2 | y: 2 4 3 6", "the file is read as a table of LaTeX"},
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
		{"errors with numbers", "x,y,yerr1,yerr2\n1.5,2,0.1,0.2\n2,4,0.1,0.2\n3.5,7,0.1,0.3\n", Options{}, xy, "yerr1 is read as the standard errors of y, the target"},
		{"errors of VizieR", "x,e_x,y,e_y\n1.5,0.1,2,0.2\n2,0.1,4,0.2\n3.5,0.2,7,0.3\n", Options{}, xy, "e_y is read as the standard errors of y"},
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
		// simulators
		{"vectors of OpenFOAM", "# Region type : all\n# Time\tvolAverage(p)\tvolAverage(U)\n0.1\t1.5\t(1 2 0.5)\n0.2\t1.7\t(1.1 4 0.6)\n0.3\t1.9\t(1.3 6 0.7)\n", Options{}, "Time: 0.1 0.2 0.3 | volAverage_p: 1.5 1.7 1.9 | volAverage_U_x: 1 1.1 1.3 | volAverage_U_y: 2 4 6 | volAverage_U_z: 0.5 0.6 0.7", "such as volAverage_U_x, volAverage_U_y and volAverage_U_z"},
		{"probes of OpenFOAM", "# Probe 0 (0.1 0 0)\n# Probe 1 (0.2 0 0)\n#  Probe  0  1\n#   Time\n 0.1  (1 2 3)  (4 5 6)\n 0.2  (2 3 5)  (4.5 6 7)\n 0.4  (3 4 6)  (4.8 7 9)\n", Options{}, "Time: 0.1 0.2 0.4 | probe_0_x: 1 2 3 | probe_0_y: 2 3 4 | probe_0_z: 3 5 6 | probe_1_x: 4 4.5 4.8 | probe_1_y: 5 6 7 | probe_1_z: 6 7 9", "components of vectors"},
		{"forces of OpenFOAM", "# Time forces(pressure viscous)\n1\t((1 2 3) (4 5 6))\n2\t((2 3 4) (5 6 7))\n4\t((3 4 6) (6 7 9))\n", Options{}, "Time: 1 2 4 | forces_pressure_x: 1 2 3 | forces_pressure_y: 2 3 4 | forces_pressure_z: 3 4 6 | forces_viscous_x: 4 5 6 | forces_viscous_y: 5 6 7 | forces_viscous_z: 6 7 9", "such as forces_pressure_x"},
		{"named components of OpenFOAM", "# Time (total_x total_y)\n1\t(1 2)\n2\t(2 3)\n4\t(3 7)\n", Options{}, "Time: 1 2 4 | total_x: 1 2 3 | total_y: 2 3 7", "components of vectors"},
		{"OpenFOAM after a restart", "# Time p U\n1 2 (1 2 3)\n2 3 (2 3 4)\n# Time p U\n4 4 (3 7 8)\n", Options{}, "Time: 1 2 4 | p: 2 3 4 | U_x: 1 2 3 | U_y: 2 3 7 | U_z: 3 4 8", "components of vectors"},
		{"a file of Gamry", gamryFile(1), Options{Target: "Im"}, "Pt: 0 1 2 | T [s]: 0.1 0.2 0.4 | Vf [V]: -0.001 0.002 0.0031 | Temp [°C]: 22.1 22.2 22.4 | Im [A]: 1.2e-06 2.3e-06 3.4e-06", "the tables of curves in the file of Gamry are read, the rest is left out|row 8 is read as the columns' units|bits is not a known unit|column Over holds text"},
		{"the second curve of Gamry", gamryFile(2), Options{Table: 2, Target: "Im"}, "Pt: 0 1 2 | T [s]: 0.1 0.2 0.4 | Vf [V]: -0.001 0.002 0.0031 | Temp [°C]: 22.1 22.2 22.4 | Im [A]: 1.2e-06 2.3e-06 3.4e-06", "column Over"},
		{"two curves of Gamry", gamryFile(2), Options{}, "", "the file holds 2 tables: 1 from row 7 (Pt, T, Vf, Im, …), 2 from row 13 (Pt, T, Vf, Im, …); choose one with --table"},
		{"steps of LTspice", stepsOfLTspice, Options{}, "time: 0 1 2 0 1 2 | V_out: 0 0.63 0.86 0 0.39 0.63", `lines of text part the rows into 2 runs, first row 2, "Step Information: R=1K  (Run: 1/2)": the column run is made of them; --group run`},
		{"a raw file of SPICE", "Title: * rc\nDate: Thu\nPlotname: Transient Analysis\nFlags: real\nNo. Variables: 3\nNo. Points: 3\nVariables:\n\t0\ttime\ttime\n\t1\tv(out)\tvoltage\n\t2\ti(v1)\tcurrent\nValues:\n 0\t0.0\n\t1.5\n\t0.1\n\n 1\t0.1\n\t1.7\n\t0.2\n\n 2\t0.3\n\t1.8\n\t0.4\n", Options{}, "time [s]: 0 0.1 0.3 | v_out [V]: 1.5 1.7 1.8 | i_v1 [A]: 0.1 0.2 0.4", "read as a raw file of SPICE"},
		{"a binary raw file of SPICE", "Title: * rc\nDate: Thu\nPlotname: Transient Analysis\nFlags: real\nNo. Variables: 1\nVariables:\n\t0\ttime\ttime\nBinary:\n\x00\x01\x02\x00\x00\x01", Options{}, "", "this is a raw file of SPICE with binary or complex values; write real values as text"},
		{"a complex raw file of SPICE", "Title: * rc\nDate: Thu\nPlotname: AC Analysis\nFlags: complex\nVariables:\n\t0\tfrequency\tfrequency\nValues:\n 0\t1.0,0.0\n 1\t2.0,0.0\n", Options{}, "", "this is a raw file of SPICE with binary or complex values"},
		{"a log of LAMMPS", "LAMMPS (2 Aug 2023)\nunits lj\nrun 200\n   Step   Temp   E_pair\n    0   3   -6.7\n  100   1.6   -4.7\nWARNING: slow\n  200   1.7   -4.8\nLoop time of 0.5 on 1 procs\n\nTotal # of neighbors = 12\n   Step   Temp   E_pair\n  200   1.7   -4.8\n  300   1.65   -4.75\nLoop time of 0.5 on 1 procs\n\nSection | min | avg\n---\nPair | 0.4 | 0.4\n", Options{}, "Step: 0 100 200 200 300 | Temp: 3 1.6 1.7 1.7 1.65 | E_pair: -6.7 -4.7 -4.8 -4.8 -4.75", "the tables of Step in the log of LAMMPS are read"},
		{"a dump of LAMMPS", "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS id x\n1 0.5\n", Options{}, "", "this is a dump of LAMMPS"},
		{"blocks of columns of R", "> d\n   a  b\n1  1  2\n2  2  4\n   c\n1  3\n2  5\n", Options{}, "", "this is a table as R or pandas prints it, in blocks of columns"},
		{"blocks of columns of pandas", "     a    b  \\\n0  1.0  2.0   \n1  2.0  4.0   \n\n     c  \n0  3.0  \n1  5.0  \n", Options{}, "", "this is a table as R or pandas prints it, in blocks of columns"},
		// tables that are rejected
		{"hexadecimal numbers", "x,y\n0x10,2\n0x20,4\n0x30,7\n", Options{}, "", `"0x10" is not a number, as most cells of the column; write it as a decimal number`},
		{"YAML", "x: [1, 2, 3]\ny: [2, 4, 7]\n", Options{}, "", "these are lists of a programming language"},
		{"TOML", "[data]\nx = [1, 2, 3]\ny = [2, 4, 7]\n", Options{}, "", "these are lists of a programming language"},
		{"values of resistors", "R,I\n1k,2\n2k2,1\n4k7,0.5\n", Options{}, "", "so that 2.2k is 2.2e3"},
	} {
		t.Run(c.name, c.check)
	}
}

const stepsOfLTspice = "time\tV(out)\nStep Information: R=1K  (Run: 1/2)\n0.0\t0.0\n1.0\t0.63\n2.0\t0.86\nStep Information: R=2K  (Run: 2/2)\n0.0\t0.0\n1.0\t0.39\n2.0\t0.63\n"

// gamryFile returns a file of Gamry's potentiostats with n curves.
func gamryFile(n int) string {
	text := "EXPLAIN\r\nTAG\tCV\r\nTITLE\tLABEL\tCyclic Voltammetry\tTest &Identifier\r\nVINIT\tPOTEN\t0.00000E+000\tT\tInitial &E (V)\r\nNOTES\tNOTES\t1\r\n"
	for k := range n {
		text += fmt.Sprintf("CURVE%d\tTABLE\t3\r\n\tPt\tT\tVf\tIm\tOver\tTemp\r\n\t#\ts\tV vs. Ref.\tA\tbits\tdeg C\r\n", k+1) +
			"\t0\t0.1\t-1E-003\t1.2E-006\t........\t22.1\r\n\t1\t0.2\t2E-003\t2.3E-006\t........\t22.2\r\n\t2\t0.4\t3.1E-003\t3.4E-006\t........\t22.4\r\n"
	}
	return text
}
