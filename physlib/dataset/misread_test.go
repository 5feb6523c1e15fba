package dataset

import "testing"

// Files whose rows or names are easily taken for something else.
func TestMisread(t *testing.T) {
	for _, c := range []oddFile{
		{"durations of ISO 8601 first", "t,y\nPT1H30M,1\nPT2H,2\nPT2H45M,4\n", Options{}, "t [s]: 5400 7200 9900 | y: 1 2 4", "hours, minutes and seconds are read as seconds"},
		{"names that are numbers", `{"300":[1.5,2,3.5],"nan":[2,4,7]}`, Options{}, "x300: 1.5 2 3.5 | xnan: 2 4 7", ""},
		{"names that are numbers in a list", `{"columns":[0,1],"index":[0,1,2],"data":[[1.5,2],[2,4],[3.5,7]]}`, Options{}, "x0: 1.5 2 3.5 | x1: 2 4 7", ""},
		{"names that are numbers on a page", "<table><tr><th>300</th><th>350</th></tr><tr><td>1.5</td><td>2</td></tr><tr><td>2</td><td>4</td></tr><tr><td>3.5</td><td>7</td></tr></table>", Options{}, "x300: 1.5 2 3.5 | x350: 2 4 7", "web page"},
		{"a first row of numbers that may be names", "300,350\n1.1,1.3\n2.3,2.4\n3.4,3.9\n4.5,5.1\n", Options{}, "x1: 300 1.1 2.3 3.4 4.5 | y: 350 1.3 2.4 3.9 5.1", "row 1 is read as data: if its numbers are names"},
		{"a first row of whole numbers", "0,1\n0.1,1.3\n0.2,2.4\n0.3,3.9\n", Options{}, "x1: 0 0.1 0.2 0.3 | y: 1 1.3 2.4 3.9", "no header"},
		{"times without colons", "time,y\n125950,1\n125955,2\n130000,3.5\n130005,4\n", Options{}, "time: 125950 125955 130000 130005 | y: 1 2 3.5 4", "column time: 130005 is read as a number, not as a time; write 13:00:05"},
		{"numbers of a time", "time,y\n101010,1\n101020,2\n101030,3.5\n101040,4\n", Options{}, "time: 101010 101020 101030 101040 | y: 1 2 3.5 4", ""},
		{"times without colons by their heading", "time (hhmmss),y\n95950,1\n95955,2\n100000,3.5\n100005,4\n", Options{}, "time [s]: 0 5 10 15 | y: 1 2 3.5 4", "in the form that its heading gives, and is called time|hours, minutes and seconds"},
		{"hours and minutes without colons by their heading", "t_hhmm,y\n0950,1\n1000,2\n1010,3.5\n", Options{}, "t [s]: 0 600 1200 | y: 1 2 3.5", "in the form that its heading gives, and is called t|hours and minutes"},
		{"no times below such a heading", "time (hhmmss),y\n95990,1\n95955,2\n100000,3.5\n100005,4\n", Options{}, "", "is not a time; the column holds times"},
		{"the size of the table above it", "3 2\n1 2.1\n2 4.2\n3 6\n", Options{}, "x1: 1 2 3 | y: 2.1 4.2 6", "row 1, \"3 2\", is read as a title|no header"},
		{"numbers that are not the size of the table", "4 2\n1 2.1\n2 4.2\n3 6\n", Options{}, "x1: 4 1 2 3 | y: 2 2.1 4.2 6", "no header"},
		{"two codes for missing values", "x,y\n1,2\n2,9999\n3,6\n4,9999\n5,-9999\n6,12\n", Options{}, "x: 1 2 3 4 5 6 | y: 2 9999 6 9999 -9999 12", "-9999 lies far from the other values, in 1 row|9999 lies far from the other values, in 2 rows"},
		// units
		{"indices that could be units", "T_C,T_H,h_in,h_out,t_min,t_max,y\n1,2,3,4,5,6,2\n2,3,5,5,6,8,4\n4,5,6,6,9,9,7\n", Options{}, "T_C: 1 2 4 | T_H: 2 3 5 | h_in: 3 5 6 | h_out: 4 5 6 | t_min: 5 6 9 | t_max: 6 8 9 | y: 2 4 7", ""},
		{"units in names with their errors", "T_C,T_err\n1.5,2\n2,4\n3.5,7\n", Options{}, "T_C [°C]: 1.5 2 3.5 | T_err: 2 4 7", "C in the name is read as its unit"},
		{"a wavelength", "t (s),A (254 nm)\n1.5,2\n2,4\n3.5,7\n", Options{}, "t [s]: 1.5 2 3.5 | A_254_nm: 2 4 7", "is called A_254_nm"},
		{"times in S", "t (S),y (Nm)\n1.5,2\n2,4\n3.5,7\n", Options{}, "t [s]: 1.5 2 3.5 | y [Nm]: 2 4 7", "[S] is read as second, not as siemens"},
		{"thermal conductivity", "T [K],k (W/mK)\n1.5,2\n2,4\n3.5,7\n", Options{}, "T [K]: 1.5 2 3.5 | k [W/mK]: 2 4 7", "(W/mK) is read as its unit"},
		{"a unit that is not known", "t (s),y (bar/foo)\n1.5,2\n2,4\n3.5,7\n", Options{}, "t [s]: 1.5 2 3.5 | y_bar_foo: 2 4 7", "bar/foo is not a known unit; --units gives one"},
		{"factors in names", "N x 10^5,M (in thousands)\n1.5,2\n2,4\n3.5,7\n", Options{}, "N [10^5]: 1.5 2 3.5 | M [10^3]: 2 4 7", "x 10^5, (in thousands) are read as their units"},
		{"one unit in a column", "x,unit,y\n1.5,mm,2\n2,mm,4\n3.5,mm,7\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "column unit names mm in every row, which is not applied"},
		// rows between the header and the numbers, and between the numbers
		{"a row of widths", "a\tb\n5s\t14n\n1.5\t2\n2\t4\n3.5\t7\n", Options{}, "a: 1.5 2 3.5 | b: 2 4 7", "the widths and types of columns"},
		{"a row of kinds", "x\ty\nN\tN\n1.5\t2\n2\t4\n3.5\t7\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "row 2, \"N\\tN\", is read as the kinds of the columns, not as units"},
		{"headers that part runs", "t,y\n0,1\n1,2\nt,y\n0,1.5\n1,3.1\n", Options{}, "t: 0 1 0 1 | y: 1 2 1.5 3.1", "1 repetition of the header|headers part the rows into 2 runs, first row 1, \"1\": the column run is made of them; --group run"},
		{"labels of Origin", "Long Name\tTime\tVoltage\nUnits\ts\tmV\nComments\t\tprobe 1\nF(x)=\t\t\n1\t0\t1.2\n2\t1\t2.1\n3\t2\t3.4\n", Options{}, "Time [s]: 0 1 2 | Voltage [mV]: 1.2 2.1 3.4", "the first column, with the labels and the numbers of rows of Origin, is left out|row 2 is read as the columns' units"},
		{"a row that is a sum in most columns", "t,U,I\n0,1.1,0\n1,1.3,0.1\n2,1.9,0.2\n3,2.3,0.3\n", Options{Given: true}, "t: 0 1 2 3 | U: 1.1 1.3 1.9 2.3 | I: 0 0.1 0.2 0.3", ""},
		{"columns without names", ",,,x,y\n,,,1.5,2\n,,,2,4\n,,,3.5,7\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "columns 1, 2 and 3 have no names and are left out"},
		// cells and layouts that are unusual
		{"positions on Earth", "lat,y\n52°31'12\"N,2\n0°30'00\"S,4\n52°33'N,7\n", Options{}, "lat [°]: 52.52 -0.5 52.55 | y: 2 4 7", "degrees, minutes and seconds are read as degrees"},
		{"the end of a day", "t,y\n31.12.1999 23:00,1\n31.12.1999 24:00,2\n01.01.2000 01:00,4\n", Options{}, "t [s]: 0 3600 7200 | y: 1 2 4", "since 1999-12-31 23:00:00"},
		{"long dashes as minus", "x,y\n−1,−2\n–2,—4\n—3,7\n", Options{}, "x: -1 -2 -3 | y: -2 -4 7", ""},
		{"comments behind numbers", "x y\n1.5 2 # first\n2 4\n3.5 7 # bump\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", ""},
		{"a header on each page", "x y\n1.5 2\n\fx y\n2 4\n3.5 7\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "1 repetition of the header"},
		{"numbers that end at one place", "    x    y    z\n  1.5  2.0  3.0\n  2.0       4.1\n  3.0  6.0  9.3\n  4.0  8.5  7.0\n  5.0  9.9 15.2\n", Options{}, "x: 1.5 3 4 5 | y: 2 6 8.5 9.9 | z: 3 9.3 7 15.2", "first row 3, are read by the positions of the columns"},
		{"statistics below", "n,x,y\n3,1,2.1\n1,2.5,4\n2,3,7\nPromedio,3,6.1\nσ,1.58,3.1\nn,5,5\n", Options{}, "n: 3 1 2 | x: 1 2.5 3 | y: 2.1 4 7", "row 5, |row 6, |row 7, "},
		{"rows of JSON by number", `{"0":{"x":1.5,"y":2},"1":{"x":2,"y":4}}`, Options{}, "x: 1.5 2 | y: 2 4", ""},
		{"JSON with a schema", `{"schema":{"fields":[{"name":"x"},{"name":"y"}]},"data":[{"x":1.5,"y":2},{"x":2,"y":4}]}`, Options{}, "x: 1.5 2 | y: 2 4", ""},
	} {
		t.Run(c.name, c.check)
	}
}

// Errors of files that cannot be read say what is wrong with them.
func TestRefused(t *testing.T) {
	for _, c := range []oddFile{
		{"a day that does not exist", "t,y\n2021-02-27,1\n2021-02-29,2\n2021-03-01,4\n", Options{}, "", `"2021-02-29" is a date that does not exist`},
		{"two numbers in a cell, one with an exponent", "x,y\n1,1.5 1e-3\n2,1.8 1e-3\n3,2.1 1e-3\n", Options{}, "", "a cell holds one number: write the values into columns of their own"},
		{"months of years", "m,y\nNov-20,1\nDec-20,2\nJan-21,4\n", Options{}, "", "write dates as 2025-01-31 in the whole column"},
		{"segments of LabVIEW", "LabVIEW Measurement\t\n***End_of_Header***\t\n\t\nChannels\t1\n***End_of_Header***\nX_Value\tU\n0\t1\n\t\nChannels\t1\n***End_of_Header***\nX_Value\tU\n1\t2\n", Options{}, "", "this LabVIEW file holds 2 segments"},
		{"MATLAB 4", "\x00\x00\x00\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00x\x00", Options{}, "", "this is a MATLAB file"},
		{"an old Stata file", "r\x02\x01\x00\x03\x00", Options{}, "", "this is a Stata file"},
	} {
		t.Run(c.name, c.check)
	}
}
