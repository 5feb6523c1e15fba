package dataset

import "testing"

// Unusual files that are easily misread without a warning, or rejected needlessly.
func TestNewcomers(t *testing.T) {
	const xy = "x: 1.5 2 3.5 | y: 2 4 7"
	for _, c := range []oddFile{
		// separators at the end of the rows but not of the header, which are no sign of row names
		{"counted rows that end in a separator", "x,y,z\n1,2,5,\n2,4,6,\n3,7,9,\n", Options{}, "x: 1 2 3 | y: 2 4 7 | z: 5 6 9", ""},
		{"two columns that end in one", "x,y\n1,2,\n2,4,\n3,7,\n", Options{}, "x: 1 2 3 | y: 2 4 7", ""},
		// titles over several columns
		{"names that are units as well, below titles", ",Run 1,,Run 2,\nl,t1,T1,t2,T2\n1,20,2,21,2.1\n3,28,2.8,29,2.9\n4,35,3.5,34,3.4\n", Options{}, "l: 1 3 4 | t1: 20 28 35 | T1: 2 2.8 3.5 | t2: 21 29 34 | T2: 2.1 2.9 3.4", `row 1, ",Run 1,,Run 2", is taken for a title`},
		// values in several units, such as hours and minutes
		{"durations", "x,y\n1,1h23m\n2,1 h 24 min\n3,2h7m3s\n4,50 min 1.5 s\n", Options{}, "x: 1 2 3 4 | y [s]: 4980 5040 7623 3001.5", "column y: hours, minutes and seconds are read as seconds"},
		{"durations in the header's unit", "x,y [min]\n1,1 min 30 s\n2,2 min 0 s\n3,2 min 15 s\n", Options{}, "x: 1 2 3 | y [min]: 1.5 2 2.25", "converted to min"},
		{"degrees and minutes", "a;n\n12°30′;1,5\n13°15'36″;1,6\n-0°30′;1,7\n", Options{}, "a [°]: 12.5 13.26 -0.5 | n: 1.5 1.6 1.7", "degrees, minutes and seconds are read as degrees"},
		{"minutes beyond 60", "a,n\n12°30',1.5\n12°75',1.6\n13°30',1.7\n14°30',1.8\n", Options{}, "", `row 3, column 1 (a): "12°75'" is not a number; write angles in degrees`},
		{"minutes without a unit", "x,y\n1,1'20\"\n2,2'41\"\n3,4'02\"\n", Options{}, "", "is not a number"},
		// errors in headings
		{"± in a heading", "x,y ± 0.1\n1.5,2\n2,4\n3.5,7\n", Options{}, xy, "the standard error of the target y is 0.1 in every row, as its heading says; --noise says otherwise"},
		{"± in all headings", "x / cm ± 0.1,y (±0.05 s)\n1.5,2\n2,4\n3.5,7\n", Options{}, "x [cm]: 1.5 2 3.5 | y [s]: 2 4 7", "the error in the heading of x, 0.1, is not used; --sigma y=…,x=0.1 makes use of it|target y is 0.05"},
		{"± with the unit twice", "x (m ± 0.1),y [s] ± 0.2 s\n1.5,2\n2,4\n3.5,7\n", Options{}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", "target y is 0.2"},
		{"± in another unit", "x,y [s] ± 5 ms\n1.5,2\n2,4\n3.5,7\n", Options{}, "x: 1.5 2 3.5 | y_s_5_ms: 2 4 7", "is called y_s_5_ms"},
		// g and G of accelerometers
		{"accelerations in G", "t [s],ax (G),Acc Y [mg]\n1,0.1,2\n2,0.3,4\n3,0.5,7\n", Options{}, "t [s]: 1 2 3 | ax [9.80665 m/s^2]: 0.1 0.3 0.5 | Acc_Y [0.00980665 m/s^2]: 2 4 7", "column ax: [G] is read as the standard gravity, 9.80665 m/s^2, not as gauss; --units says otherwise|[mg] is read as the standard gravity, 0.00980665 m/s^2, not as gram"},
		{"accelerations in a row of units", "t,acceleration\ns,g\n1,0.1\n2,0.3\n3,0.5\n", Options{}, "t [s]: 1 2 3 | acceleration [9.80665 m/s^2]: 0.1 0.3 0.5", "not as gram"},
		{"fields in G, masses in g", "B [G],accumulated [g]\n1,0.1\n2,0.3\n3,0.5\n", Options{}, "B [G]: 1 2 3 | accumulated [g]: 0.1 0.3 0.5", ""},
		// a last column that counts the rows
		{"n from 1", "x,y,n\n1.5,2,1\n2,4,2\n3.5,7,3\n4,9,4\n", Options{}, "x: 1.5 2 3.5 4 | n: 1 2 3 4 | y: 2 4 7 9", "the last column, n, counts the rows from 1, so y is the target; --target chooses otherwise"},
		{"row numbers", "x,z,y,No.\n1.5,2,2,1\n2,3,4,2\n3.5,3,7,3\n4,3,9,4\n", Options{}, "x: 1.5 2 3.5 4 | z: 2 3 3 3 | y: 2 4 7 9", "the last column, No, counts the rows|is set aside"},
		{"n after errors", "x,z,y,y_err,n\n1.5,2,2,0.1,1\n2,3,4,0.1,2\n3.5,3,7,0.1,3\n4,3,9,0.1,4\n", Options{}, "x: 1.5 2 3.5 4 | z: 2 3 3 3 | n: 1 2 3 4 | y: 2 4 7 9", "y_err, is taken for the standard errors of y|the last column, n, counts"},
		{"n and one variable", "x,n\n1.5,1\n2,2\n3.5,3\n4,4\n", Options{}, "x: 1.5 2 3.5 4 | n: 1 2 3 4", ""},
		{"numbers of repeats", "x,y,n\n1.5,2,5\n2,4,5\n3.5,7,3\n4,9,5\n", Options{}, "x: 1.5 2 3.5 4 | y: 2 4 7 9 | n: 5 5 3 5", ""},
		{"metres per second without a blank", "v (ms-1),a [ms^-2]\n1,2\n2,4\n3,7\n", Options{}, "v [m s^-1]: 1 2 3 | a [m s^-2]: 2 4 7", "column v: [ms-1] is read as m s^-1; --units says otherwise|column a: [ms^-2]"},
		{"rates per millisecond", "x,rate [ms-1]\n1,2\n2,4\n3,7\n", Options{}, "x: 1 2 3 | rate [ms-1]: 2 4 7", "column rate: the ms in ms-1 is read as millisecond; for metre and second write m s-1"},
		{"times in m, S and temperatures in °", "time [m],t [S],temp [°]\n1,2,5\n2,4,7\n3,7,8\n", Options{}, "time [m]: 1 2 3 | t [S]: 2 4 7 | temp [°]: 5 7 8", "for minutes write [min]|for seconds write [s]|for temperatures write [°C]"},
		{"a table continued to the right", "Nr,x,y,Nr,x,y\n1,1.5,2,4,4,8\n2,2,4,5,5,9\n3,3.5,7,6,7,11\n", Options{}, "Nr: 1 2 3 | x: 1.5 2 3.5 | y: 2 4 7 | Nr_2: 4 5 6 | x_2: 4 5 7 | y_2: 8 9 11", "the names repeat after column 3: if the table continues to the right, put its parts below each other"},
		{"dates without a header", "20240101,2\n20240102,4\n20240103,7\n", Options{}, "x1: 2.0240101e+07 2.0240102e+07 2.0240103e+07 | y: 2 4 7", "20240101 is read as a number, not as a date"},
		{"limits of errors", "x,y,lower,upper\n1.5,2,1.8,2.2\n2,4,3.8,4.2\n3.5,7,6.8,7.3\n", Options{}, xy, "columns lower and upper enclose y in every row, are taken for limits of its error and are no variables; --columns keeps them"},
		{"limits of something else", "x,lower,upper,y\n1.5,1,2,9\n2,3,4,8\n3.5,5,6,7\n", Options{}, "x: 1.5 2 3.5 | lower: 1 3 5 | upper: 2 4 6 | y: 9 8 7", ""},
		{"angles beyond a full turn", "t,phi [deg]\n1,340\n2,350\n3,0\n4,11\n", Options{}, "t: 1 2 3 4 | phi [deg]: 340 350 0 11", "column phi: its angles jump from 350 to 0 in row 4"},
		{"quantities below each other, named in a column", "time,variable,value\n1,T,300\n1,p,1.5\n2,T,310\n2,p,1.7\n", Options{}, "time: 1 1 2 2 | value: 300 1.5 310 1.7", "column variable names T, p: if the rows hold different quantities, write a column for each of them"},
		{"hours and minutes", "hhmm,y\n0000,2\n0030,4\n0100,7\n", Options{}, "hhmm: 0 30 100 | y: 2 4 7", "0000 is read as a number, not as a time; write 00:00"},
		{"a list of differences", "--- a.csv\n+++ b.csv\n@@ -1,3 +1,3 @@\n x,y\n-1.5,2\n+1.5,3\n 2,4\n", Options{}, "", "this is a list of differences between two files, not a table"},
		{"row numbers with a point", "  mass  period\n 1.  1.5  2.0\n 2.  2.0  4.1\n 3.  3.5  7.2\n", Options{}, "mass: 1.5 2 3.5 | period: 2 4.1 7.2", "column 1 has no name"},
		{"names and units in comments", "#YY hh WDIR WSPD\n#yr hr degT m/s\n2023 1 120 5\n2024 2 130 6\n2025 4 150 8\n", Options{}, "YY [yr]: 2023 2024 2025 | hh [hr]: 1 2 4 | WDIR: 120 130 150 | WSPD [m/s]: 5 6 8", "degT is no unit that is known"},
		{"drawn by double lines", "╒═════╤═════╕\n│   x │   y │\n╞═════╪═════╡\n│ 1.5 │   2 │\n├─────┼─────┤\n│ 2   │   4 │\n├─────┼─────┤\n│ 3.5 │   7 │\n╘═════╧═════╛\n", Options{}, xy, "column 1 has no name"},
		// rows of subtotals, and tables on their side
		{"subtotals", "group,x,y\nA,1.5,2\nA,2,4\nA Total,3.5,6\nB,3.5,7\nB Total,3.5,7\n", Options{}, xy, `row 4, "A Total" in column group, is taken for a summary of rows above and is left out|row 6, "B Total"`},
		{"quantities below each other", "quantity,run 1,run 2,run 3\nLength (m),0.25,0.5,1\nPeriod (s),1,1.42,2.01\nMass (g),10,20,20\n", Options{}, "run_1: 0.25 1 10 | run_2: 0.5 1.42 20 | run_3: 1 2.01 20", "the first column holds names of quantities: if the table runs from left to right, transpose it"},
		// blanks within cells
		{"degrees, minutes and seconds with blanks", "lat,y\n12 30 15,1\n12 45 00,2\n13 15 30,4\n", Options{}, "", `row 2, column 1 (lat): "12 30 15" is not a number`},
		// headings of instruments
		{"quantities by units among other slashes", "mode\tox/red\ttime/s\tEwe/V\t<I>/mA\n1\t1\t1.5\t2\t3\n2\t0\t2\t4\t5\n2\t1\t3.5\t7\t9\n", Options{}, "mode: 1 2 2 | ox_red: 1 0 1 | time [s]: 1.5 2 3.5 | Ewe [V]: 2 4 7 | I [mA]: 3 5 9", `"Ewe/V" is read as Ewe in V`},
		{"units before a run", "Time (s) Run #1,Position (m) Run #1\n1.5,2\n2,4\n3.5,7\n", Options{}, "Time_Run_1 [s]: 1.5 2 3.5 | Position_Run_1 [m]: 2 4 7", "(m) is read as its unit"},
		{"thousandths behind a colon", "at,y\n11/25/2026 10:12:13:250,2\n11/25/2026 10:12:14:500,4\n11/25/2026 10:12:15:000,7\n", Options{}, "at [s]: 0 1.25 1.75 | y: 2 4 7", "month/day/year"},
		{"a byte of 0", "x,y\n1.5,2\n2\x00,4\n3.5,7\n3.5,7\n3.5,7\n3.5,7\n", Options{}, "", "row 3: it holds bytes of value 0, as where a logger lost power; remove them"},
		{"units in parentheses between blanks", "Mass    Period\n(g)     (s)\n100     1.2\n200     1.7\n300     2.1\n", Options{}, "Mass [g]: 100 200 300 | Period [s]: 1.2 1.7 2.1", "row 2 is read as the columns' units"},
		{"months without days", "Month,y\n2025-01,2\n2025-02,4\n2025-03,7\n", Options{}, "", "write dates with their day, as 2025-01-01"},
		// meters beyond their range
		{"OL", "x,y\n1,2\n2,OL\n3,7\n4,8\n5,9\n", Options{}, "x: 1 3 4 5 | y: 2 7 8 9", `column y: "OL" in row 3 says that the meter was beyond its range, and is read as missing|1 row of 5 set aside, where cells are missing: row 3, y ("OL")`},
		{"OVLD and OVERLOAD", "x\ty\n1\t2\n2\t+OVLD\n3\t7\n4\tOVERLOAD\n5\t9\n", Options{}, "x: 1 3 5 | y: 2 7 9", `"+OVLD" in row 3 says|2 rows of 5 set aside`},
		{"T.OVER in the first row", "x,y\n1,T.OVER\n1.5,2\n2,4\n3.5,7\n", Options{}, xy, `"T.OVER" in row 2`},
		{"over among words", "x,state,y\n1.5,over,2\n2,ok,4\n3.5,over,7\n", Options{}, xy, "column state holds text"},
		{"9.9E37 of a meter", "x,y\n1.5,2\n1.7,+9.90000000E+37\n2,4\n3,-9.9E37\n3.5,7\n", Options{}, xy, "column y: 9.9e+37, in 2 rows, first in row 3, is what meters send beyond their range, and is read as missing|2 rows of 5 set aside"},
		{"9.91E37 with a decimal comma", "x;y\n1,5;2\n1,7;9,91E+37\n2;4\n3,5;7\n", Options{}, xy, "9.91e+37, in 1 row, first in row 3"},
		{"1e38 of a meter", "x,y\n1.5,2\n1.7,1E38\n2,4\n3.5,7\n", Options{}, xy, "1e+38, in 1 row"},
		{"numbers as large as 1e38", "x,y\n1.5,1e38\n2,3e38\n3.5,9e38\n", Options{}, "x: 1.5 2 3.5 | y: 1e+38 3e+38 9e+38", ""},
		// fractions
		{"fractions", "x,y\n1/2,2\n3/4,4\n-7/8,7\n", Options{}, "x: 0.5 0.75 -0.875 | y: 2 4 7", "column x: fractions are read as numbers, so that 1/2 is 0.5"},
		{"mixed numbers", "x [in];y\n1 1/2;2\n2;4\n3-1/2;7\n", Options{}, "x [in]: 1.5 2 3.5 | y: 2 4 7", "so that 1 1/2 is 1.5"},
		{"printed fractions", "x,y\n1½,2\n2,4\n3½,7\n", Options{}, xy, "so that 1½ is 1.5"},
		{"fractions without a header", "1/2,2\n3/4,4\n7/8,7\n", Options{}, "x1: 0.5 0.75 0.875 | y: 2 4 7", "no header"},
		{"fractions that may be dates", "day,y\n3/4,2\n3/5,4\n3/6,7\n", Options{}, "", `row 2, column 1 (day): "3/4" is not a number; write dates as 2025-01-31`},
		{"pressures of blood", "p,y\n120/80,2\n130/85,4\n110/70,7\n", Options{}, "", `row 2, column 1 (p): "120/80" is not a number`},
		{"division by 0", "x,y\n1/0,2\n3/4,4\n7/8,7\n", Options{}, "", `row 2, column 1 (x): "1/0" is not a number`},
		// columns without a name
		{"times without a name", ",y\n2025-01-01T10:00:00,2\n2025-01-01T10:00:05,4\n2025-01-01T10:00:10,7\n", Options{}, "time [s]: 0 5 10 | y: 2 4 7", "column 1 has no name and holds times: it is called time"},
		{"marks above row names", "<>;1;2\nA;1,5;2\nB;2;4\nC;3,5;7\n", Options{}, "x1: 1.5 2 3.5 | x2: 2 4 7", "column 1 has no name and is left out"},
		{"missing values of Stata and SAS", "x,y\n1,.\n1.5,2\n1.7,.a\n2,4\n3,_\n3.5,7\n", Options{}, xy, `row 2, y ("."); row 4, y (".a"); row 6, y ("_")`},
		// dates and times
		{"German months", "Datum;y\n1. Mai 2024;2\n15. Oktober 2024;4\n3. März 2025;7\n", Options{}, "Datum [d]: 0 167 306 | y: 2 4 7", "days since 2024-05-01"},
		{"French months", "date;y\n1 févr. 2024;2\n15 août 2024;4\n24 déc. 2024;7\n", Options{}, "date [d]: 0 196 327 | y: 2 4 7", "days since 2024-02-01"},
		{"Spanish months", "fecha;y\n3 de enero de 2024;2\n4 de enero de 2024;4\n1 de abril de 2024;7\n", Options{}, "fecha [d]: 0 1 89 | y: 2 4 7", "days since 2024-01-03"},
		{"Japanese dates", "日付,y\n2024年12月30日,2\n2024年12月31日,4\n2025年1月2日,7\n", Options{}, "日付 [d]: 0 1 3 | y: 2 4 7", "days since 2024-12-30"},
		{"Japanese dates and times", "日付,y\n2024年12月30日 10時11分12秒,2\n2024年12月30日 10時11分13秒,4\n2024年12月30日 10時11分15秒,7\n", Options{}, "日付 [s]: 0 1 3 | y: 2 4 7", "seconds since"},
		{"short dates", "d;y\n30.12.24;2\n31.12.24;4\n2.1.25;7\n", Options{}, "d [d]: 0 1 3 | y: 2 4 7", "days since 2024-12-30"},
		{"numbers of sections", "s;x;y\n1.2.13;1,5;2\n1.2.14;2;4\n1.3.10;3,5;7\n", Options{}, xy, "column s holds text"},
		{"days and hours in columns of their own", "Date,Time,y\n2025-03-01,0:30,2\n2025-03-01,1:00,4\n2025-03-01,1:30,7\n", Options{}, "Date [d]: 0 0 0 | Time [s]: 0 1800 3600 | y: 2 4 7", "times are read as hours and minutes"},
		{"days and hours over midnight", "Date,Time,y\n2025-03-01,12:30,2\n2025-03-01,18:30,4\n2025-03-02,0:30,7\n", Options{}, "Date [d]: 0 0 1 | Time [s]: 0 21600 43200 | y: 2 4 7", "its times of day pass midnight, as in row 4"},
		{"hours over midnight", "t,y\n23:50,2\n23:55,4\n0:05,7\n", Options{}, "t [s]: 0 300 900 | y: 2 4 7", "its times of day pass midnight, as in row 4|times are read as hours and minutes"},
		{"minutes that start again", "t,y\n10:50,2\n20:55,4\n5:05,7\n", Options{}, "t [s]: 650 1255 305 | y: 2 4 7", "times are read as minutes and seconds"},
		{"right ascension and declination", "ra,dec,y\n05:34:31.5,+22:00:54,2\n06:12:10,+24:20:00,4\n07:01:22,-08:18:00,7\n", Options{}, "ra [s]: 20071.5 22330 25282 | dec [°]: 22.015 24.333333333333332 -8.3 | y: 2 4 7", "column ra: times are read as hours, minutes and seconds, in seconds|column dec: times are read as degrees, minutes and seconds, in degrees"},
		// other letters and line ends
		{"wide digits", "ｘ（ｍ）,ｙ\n１．５,２\n２,４\n３．５,７\n", Options{}, "x_m: 1.5 2 3.5 | y: 2 4 7", "is called x_m"},
		{"degrees of a Macintosh", "x,T [\xa1C]\n1.5,2\n2,4\n3.5,7\n", Options{}, "x: 1.5 2 3.5 | T [°C]: 2 4 7", "is read as Macintosh, which is a guess"},
		{"degrees of DOS", "x,T (\xf8C)\n1.5,2\n2,4\n3.5,7\n", Options{}, "x: 1.5 2 3.5 | T [°C]: 2 4 7", "is read as code page 850, which is a guess"},
		{"some returns alone", "x,y\r1.5,2\r2,4\n3.5,7\r\n", Options{}, xy, ""},
		{"texts in bytes of 0", "x,y\n1.50\x00\x00,2\x00\x00\n2.00\x00\x00,4\n3.50\x00\x00,7\n", Options{}, "", "row 2: it holds bytes of value 0"},
		// output of programs
		{"precision of Mathematica", "x,y\n1.5`,2.`\n2.`16.,4\n3.5`,7\n", Options{}, xy, ""},
		{"loggers of HOBO", "\"Plot Title: pond\"\n\"#\",\"x (LGR S/N: 123, SEN S/N: 4)\",\"Temp, °C (LGR S/N: 123)\"\n1,1.5,2\n2,2,4\n3,3.5,7\n4,4,9\n", Options{}, "x: 1.5 2 3.5 4 | Temp [°C]: 2 4 7 9", "°C is read as its unit"},
		{"direct and alternating", "U [VDC],I,P (mVAC)\n1.5,2 A DC,1\n2,4 A DC,2\n3.5,7 A DC,3\n", Options{}, "U [V]: 1.5 2 3.5 | I [A]: 2 4 7 | P [mV]: 1 2 3", "A DC behind its numbers is read as the unit"},
		{"settings between blocks", "# T = 300 K\n# x y\n1.5 2\n2 4\n\n# T = 400 K\n3.5 7\n", Options{}, xy, `1 comment with settings, first row 6, "# T = 400 K", left out; if rows below differ in it, write it into a column`},
		{"remarks between rows, settings below", "x y\n1.5 2\n# checked twice\n2 4\n3.5 7\n# mean = 4.3\n", Options{}, xy, ""},
		{"pairs in cells", "f,U\n1,\"(-1.2dB,-3.6°)\"\n2,\"(-4.5dB,-7.2°)\"\n3,\"(-5dB,-8°)\"\n", Options{}, "", "a cell holds one number: write the two into columns of their own"},
		{"dates called MESS_DATUM", "MESS_DATUM;y\n2025030100;2\n2025030101;4\n2025030102;7\n", Options{}, "MESS_DATUM: 2.0250301e+09 2.025030101e+09 2.025030102e+09 | y: 2 4 7", "2025030100 is read as a number, not as a date"},
		{"a thermocouple in C", "t,Thermocouple (C)\n1.5,2\n2,4\n3.5,7\n", Options{}, "t: 1.5 2 3.5 | Thermocouple [°C]: 2 4 7", "[C] is read as °C"},
		{"dates with points, the year first", "d;y\n2025.03.01;2\n2025.03.02;4\n2025.03.04;7\n", Options{}, "d [d]: 0 1 3 | y: 2 4 7", "days since 2025-03-01"},
		{"Korean dates", "d,y\n2025. 3. 1.,2\n2025. 3. 2. 12:00,4\n2025. 3. 4.,7\n", Options{}, "d [s]: 0 129600 259200 | y: 2 4 7", "seconds since 2025-03-01"},
		// files that are easily misread without a warning
		{"a bad cell in the first row", "x,y\noops,2\n2,4\n3.5,7\n4,8\n", Options{}, "", `row 2, column 1 (x): "oops" is not a number`},
		{"decimal commas between commas", "0,05,1,25\n0,10,2,50\n0,15,3,80\n1,20,5,05\n", Options{}, "x1: 0 0 0 1 | x2: 5 10 15 20 | x3: 1 2 3 5 | y: 25 50 80 5", "some begin with 0, such as 05: if commas are decimal signs, separate the cells by semicolons"},
		{"months with zeros", "1749,01,5\n1749,02,6\n1750,03,9\n", Options{}, "x1: 1749 1749 1750 | x2: 1 2 3 | y: 5 6 9", "no header"},
		{"thousands between blanks", "x      y\n1 000  2.5\n2 000  4.5\n3 000  7.1\n", Options{}, "", "row 2, column 3: 3 cells, the header has 2"},
		{"a scale of wavelengths", "sample,400.5,401.0,401.5\na,0.1,0.2,0.3\nb,0.2,0.3,0.5\nc,0.3,0.5,0.6\n", Options{}, "x400_5: 0.1 0.2 0.3 | x401_0: 0.2 0.3 0.5 | x401_5: 0.3 0.5 0.6", "row 1 is read as names"},
		{"rates", "Energy/keV,Counts/s\n1.5,2\n2,4\n3.5,7\n", Options{}, "Energy [keV]: 1.5 2 3.5 | Counts_s: 2 4 7", `"Counts/s" is called Counts_s`},
		{"directions behind degrees", "lat,y\n47.12N,2\n46.95N,4\n46.20N,7\n", Options{}, "", "column 1 (lat): N behind its numbers is a direction; write degrees without it"},
		{"forces in N", "F,y\n1.5N,2\n2N,4\n3.5N,7\n", Options{}, "F [N]: 1.5 2 3.5 | y: 2 4 7", "N behind its numbers is read as the unit"},
		{"degrees with directions", "lat,y\n47.12°N,2\n46.95°N,4\n46.20°S,7\n", Options{}, "", "write degrees without the direction, negative to the south and west"},
		{"two comments with a unit twice", "#YY hh WSPD GST\n#yr hr m/s  m/s\n25 0  1.5 2\n25 1 2 4\n26 2 3.5 7\n", Options{}, "YY [yr]: 25 25 26 | hh [hr]: 0 1 2 | WSPD [m/s]: 1.5 2 3.5 | GST [m/s]: 2 4 7", "row 2 is read as the columns' units"},
		{"functions in headings", "log10(M),log10(L)\n1.5,2\n2,4\n3.5,7\n", Options{}, "log10_M: 1.5 2 3.5 | log10_L: 2 4 7", "is called log10_M"},
		{"several units in a column", "x,Value,Unit\n1.5,2,mS/cm\n2,4,mS/cm\n3.5,700,µS/cm\n", Options{}, "x: 1.5 2 3.5 | Value: 2 4 700", "column Unit names several units, mS/cm, µS/cm, which are not applied"},
		{"one unit in a column", "x,y,Unit\n1.5,2,V\n2,4,V\n3.5,7,V\n", Options{}, xy, "column Unit holds text"},
		{"nanoseconds since 1970", "n,y\n1740823200000000123,2\n1740823200000000623,4\n1740823200000001123,7\n", Options{}, "n: 1.7408232e+18 1.7408232000000005e+18 1.740823200000001e+18 | y: 2 4 7", "have more digits than the 16 that are read; subtract the first value"},
		{"large numbers of few digits", "n,y\n6.022e23,2\n7.1e23,4\n8.04e23,7\n", Options{}, "n: 6.022e+23 7.1e+23 8.04e+23 | y: 2 4 7", ""},
		{"hours and minutes without a colon", "time,y\n2350,2\n2355,4\n0005,7\n", Options{}, "time: 2350 2355 5 | y: 2 4 7", "0005 is read as a number, not as a time; write 00:05"},
		{"seconds since 1970, called t", "t,y\n1740823200,2\n1740823201,4\n1740823203,7\n", Options{}, "t: 1.7408232e+09 1.740823201e+09 1.740823203e+09 | y: 2 4 7", "may count from 1970"},
		{"settings of one number above a table", "param,value\nR,4.7\nC,1e-6\n\nx,y\n1.5,2\n2,4\n3.5,7\n", Options{}, xy, `row 2, "R,4.7", is taken for a title`},
		// files that need not be rejected
		{"lines in quotes", "\"x;y\"\n\"1,5;2\"\n\"2;4\"\n\"3,5;7\"\n", Options{}, xy, "each line is in quotes"},
		{"remarks behind rows", "# x y\n1.5 2  # start\n2 4\n3.5 7\n", Options{}, xy, ""},
		{"names such as #1 are no remarks", "# x y\nrun 1.5 2\nrun#1 2 4\nrun#2 3.5 7\n", Options{}, "x2: 1.5 2 3.5 | y: 2 4 7", "column x1 holds text"},
		{"the header and the units again", "x,y\ns,°C\n1.5,2\n2,4\nx,y\ns,°C\n3.5,7\n", Options{}, "x [s]: 1.5 2 3.5 | y [°C]: 2 4 7", "1 repetition of the header"},
		{"blanks that do not break", "x;y\n\u00a01,5;2\u00a0\n\u00a02;4\n\u00a03,5;\u00a07\u00a0\n", Options{}, xy, ""},
		{"in, thrice", "U in V,I in mA,R in Ω\n1.5,2,1\n2,4,3\n3.5,7,9\n", Options{}, "U [V]: 1.5 2 3.5 | I [mA]: 2 4 7 | R [Ω]: 1 3 9", "V is read as its unit"},
		{"USGS", "# data\nagency_cd\tsite\tx\ty\n5s\t15s\t14n\t14n\nUSGS\t7\t1.5\t2\nUSGS\t7\t2\t4\nUSGS\t7\t3.5\t7\n", Options{}, "site: 7 7 7 | x: 1.5 2 3.5 | y: 2 4 7", "column agency_cd holds text"},
		{"marks of direction that are not seen", "x,y\n\u200e1.5,2\n\u200e2,4\n\u200e3.5,7\n", Options{}, "", "remove the character U+200E from it"},
		// LaTeX
		{"a caption of LaTeX with &", "\\begin{table}\n\\caption{Pendulum, lengths & periods}\n\\begin{tabular}{S S}\n{$x$ / m} & {$y$ / s} \\\\\n1.5 & 2 \\\\\n2 & 4 \\\\\n3.5 & 7 \\\\\n\\end{tabular}\n\\end{table}\n", Options{}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", "read as a table of LaTeX|is read as x in m"},
		// files that are not tables
		{"JCAMP-DX below an empty line", "\n ##TITLE= water\n##XYDATA=(X++(Y..Y))\n450 100 101 102\n454 103 104 105\n", Options{}, "", "this is a JCAMP-DX file"},
		{"a matrix of MATLAB", "A = [1 2; 2 4; 3 7; 4 9];\n", Options{}, "", "these are lists of a programming language"},
		{"lists of Python", "x = [1, 2, 3, 4]\ny = [2, 4, 7, 9]\n", Options{}, "", "these are lists of a programming language"},
		{"a tar archive", "a.csv" + string(make([]byte, 252)) + "ustar\x0000" + string(make([]byte, 300)), Options{}, "", "this is a tar archive, not a text table; unpack it first"},
		{"MATLAB since 7.3", "MATLAB 7.3 MAT-file, Platform: GLNXA64\x00\x01", Options{}, "", "this is a MATLAB file, not a text table; write its table by writetable"},
	} {
		t.Run(c.name, c.check)
	}
}
