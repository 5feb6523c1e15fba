package dataset

import "testing"

func TestMarksAndForms(t *testing.T) {
	checkAll(t, []oddFile{
		{"Arabic digits", "x;y\n٠٫٥;٢\n٢;٤\n٣٫٥;١٬٢٣٤\n", Options{}, "x: 0.5 2 3.5 | y: 2 4 1234", ""},
		{"Persian digits", "x;y\n۰٫۵;۲\n۲;۴\n۳٫۵;۷\n", Options{}, "x: 0.5 2 3.5 | y: 2 4 7", ""},
		{"the increment sign", "x,∆x,y\n1.5,2,2\n2,1,4\n3.5,7,7\n", Options{}, "x: 1.5 2 3.5 | Δx: 2 1 7 | y: 2 4 7", `column "∆x" is called Δx`},
		{"quotation marks of French", "x;y\n« 1,5 »;« 2 »\n« 2 »;« 4 »\n", Options{}, "", `row 2, column 1 (x): "« 1,5 »" is not a number, as most cells of the column; remove the quotes`},
		{"ditto marks in the first column", "T,x,y\n300,1,2\n\",2,4\n\",3,7\n", Options{}, "", `row 3, column 1: a ditto mark (") is not a value; repeat the value`},
		{"ditto marks in the last column", "x,y\n1,2\n2,\"\n3,7\n4,\"\n5,9\n", Options{}, "", `row 3, column 2: a ditto mark`},
		{"a text of several lines", "x,y,note\n1.5,2,\"\nfirst, of 3\"\n2,4,\n3.5,7,\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "column note holds text"},
		{"times of six digits", "time,y\n090000,2\n090640,4\n100000,7\n", Options{}, "time: 90000 90640 100000 | y: 2 4 7", "090000 is read as a number, not as a time; write 09:00:00"},
		{"numbers of six digits", "time,y\n090000,2\n090670,4\n100000,7\n", Options{}, "time: 90000 90670 100000 | y: 2 4 7", ""},
		{"minutes with seconds behind a point", "t [min.s],y\n0.00,2\n0.45,4\n1.15,7\n", Options{}, "t [min.s]: 0 0.45 1.15 | y: 2 4 7", "if 0.45 means minutes and seconds, write 0:45 and the form of the times into the header, as in t [mm:ss]"},
		{"a product of minutes and seconds", "t [min.s],y\n0.5,2\n0.75,4\n1.25,7\n", Options{}, "t [min.s]: 0.5 0.75 1.25 | y: 2 4 7", ""},
		{"units above names", "cm,s\nlength,period\n15,0.779\n28,1.064\n41,1.291\n", Options{}, "length [cm]: 15 28 41 | period [s]: 0.779 1.064 1.291", "row 1 is read as the columns' units"},
		{"names that are units", "m,T\nkg,K\n15,0.779\n28,1.064\n41,1.291\n", Options{}, "m [kg]: 15 28 41 | T [K]: 0.779 1.064 1.291", "row 2 is read as the columns' units"},
	})
}
