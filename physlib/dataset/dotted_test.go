package dataset

import "testing"

// Times and dates with a point between their parts look like numbers, and give a warning. Other
// numbers of the same names do not.
func TestDotted(t *testing.T) {
	const time, date = " is read as a number, not as a time; write ", " is read as a number, not as a date; write 2025-01-31"
	for _, c := range []oddFile{
		{"Uhrzeit", "Uhrzeit;y\n8.30;2\n8.45;4\n9.00;7\n", Options{}, "Uhrzeit: 8.3 8.45 9 | y: 2 4 7", "column Uhrzeit: 8.30" + time + "8:30"},
		{"Uhrzeit with commas", "Uhrzeit;y\n8,30;2\n8,45;4\n9,00;7\n", Options{}, "Uhrzeit: 8.3 8.45 9 | y: 2 4 7", "8.30" + time + "8:30"},
		{"decimal Uhrzeit", "Uhrzeit;y\n8.25;2\n8.75;4\n9.00;7\n", Options{}, "Uhrzeit: 8.25 8.75 9 | y: 2 4 7", ""},
		{"even steps of minutes", "time,y\n8.30,2\n8.45,4\n9.00,7\n9.15,8\n", Options{}, "time: 8.3 8.45 9 9.15 | y: 2 4 7 8", "8.30" + time + "8:30"},
		{"in hours", "Zeit [h];y\n0,20;2\n0,40;4\n1,00;7\n1,20;8\n", Options{}, "Zeit [h]: 0.2 0.4 1 1.2 | y: 2 4 7 8", "0.20" + time + "0:20"},
		{"in seconds", "Zeit [s];y\n0,20;2\n0,40;4\n1,00;7\n1,20;8\n", Options{}, "Zeit [s]: 0.2 0.4 1 1.2 | y: 2 4 7 8", ""},
		{"uneven times", "hour,y\n8.02,2\n8.17,4\n9.31,7\n9.58,8\n11.05,9\n12.44,9\n", Options{}, "hour: 8.02 8.17 9.31 9.58 11.05 12.44 | y: 2 4 7 8 9 9", "8.02" + time + "8:02"},
		{"even decimals", "t,y\n0,2\n0.5,4\n1,7\n1.5,8\n2,9\n", Options{}, "t: 0 0.5 1 1.5 2 | y: 2 4 7 8 9", ""},
		{"steps of 1, 2 and 5", "time,y\n0.01,2\n0.02,4\n0.05,7\n0.1,8\n0.2,9\n0.5,11\n1,12\n1.5,13\n2,14\n", Options{}, "time: 0.01 0.02 0.05 0.1 0.2 0.5 1 1.5 2 | y: 2 4 7 8 9 11 12 13 14", ""},
		{"days and months", "Datum;y\n27.02;2\n28.02;4\n29.02;7\n01.03;8\n", Options{}, "Datum: 27.02 28.02 29.02 1.03 | y: 2 4 7 8", "column Datum: 27.02" + date},
		{"months of one digit", "date;y\n27,2;2\n1,3;4\n31,10;7\n", Options{}, "date: 27.2 1.3 31.1 | y: 2 4 7", "27.20" + date},
		{"no month 13", "date,y\n27.13,2\n28.02,4\n1.03,7\n", Options{}, "date: 27.13 28.02 1.03 | y: 2 4 7", ""},
		{"no 30 February", "Datum,y\n30.02,2\n28.02,4\n1.03,7\n", Options{}, "Datum: 30.02 28.02 1.03 | y: 2 4 7", ""},
		{"decimal years", "date,y\n2024.02,2\n2024.05,4\n2024.11,7\n", Options{}, "date: 2024.02 2024.05 2024.11 | y: 2 4 7", ""},
	} {
		t.Run(c.name, c.check)
	}
}
