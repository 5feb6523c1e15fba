package dataset

import (
	"slices"
	"strings"
	"testing"
)

// oddFile is an unusual file, with the table or error expected from it.
type oddFile struct {
	name, in string
	options  Options
	want     string // the table; "": an error
	say      string // parts of the warnings, or of the error, separated by |
}

func (c oddFile) check(t *testing.T) {
	table, warnings, err := Read(strings.NewReader(c.in), "t.csv", c.options)
	said := strings.Join(warnings, "\n")
	if err != nil {
		said = err.Error()
		if strings.Contains(said, "\n") || !strings.HasPrefix(said, "t.csv: ") || !strings.Contains(said, "; ") {
			t.Errorf("error %q is not one line with a way out", said)
		}
	}
	if (err != nil) != (c.want == "") {
		t.Fatalf("table %v, error %v", table, err)
	}
	if err == nil {
		if got := show(table); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	for _, part := range strings.Split(c.say, "|") {
		if !strings.Contains(said, part) {
			t.Errorf("said %q, want %q", said, part)
		}
	}
	if c.say == "" && said != "" {
		t.Errorf("said %q", said)
	}
}

func TestOddFiles(t *testing.T) {
	const xy = "x: 1.5 2 3.5 | y: 2 4 7"
	for _, c := range []oddFile{
		// columns of text
		{"names first", "name,x,y\na,1.5,2\nb,2,4\nc,3.5,7\n", Options{}, xy, "column name holds text and is set aside as labels"},
		{"names last", "x,y,name\n1.5,2,a\n2,4,b\n3.5,7,c\n", Options{}, xy, "column name holds text and is set aside as labels"},
		{"two columns of labels", "name,x,id,y\na,1.5,u,2\nb,2,v,4\nc,3.5,w,7\n", Options{}, xy, "columns name and id hold text and are set aside as labels"},
		{"two of them", "name,x,kind,y\na,1.5,u,2\nb,2,u,4\nc,3.5,v,7\n", Options{}, xy, "column name holds text and is set aside as labels|column kind holds text and is set aside as categories"},
		{"chemical symbols", "El,x,y\nNa,1.5,2\nMg,2,4\nAl,3.5,7\n", Options{}, xy, "column El holds text"},
		{"a note in one row", "x,y,note\n1.5,2,\n2,4,late\n3.5,7,\n", Options{}, xy, "column note holds text"},
		{"an empty column", "x,y,note\n1.5,2,\n2,4,\n3.5,7,\n", Options{}, xy, "column note is empty and left out"},
		{"quoted names with commas", "name,x,y\n\"a, b\",1.5,2\n\"c\",2,4\nd,3.5,7\n", Options{}, xy, "column name"},
		{"truth values", "ok,x,y\ntrue,1.5,2\nfalse,2,4\ntrue,3.5,7\n", Options{}, xy, "column ok holds text and is set aside as categories: to make it a variable, write 1 for true and 0 for false; --group ok finds"},
		{"serial numbers", "id,x,y\nA-1,1.5,2\nA-2,2,4\nB-7,3.5,7\n", Options{}, xy, "column id holds text"},
		{"no header, names first", "Venus,1.5,2\nEarth,2,4\nMars,3.5,7\n", Options{}, "x2: 1.5 2 3.5 | y: 2 4 7", "no header|column x1 holds text"},
		{"ignored", "name,x,z,y\na,1.5,9,2\nb,2,8,4\nc,3.5,8,7\n", Options{Ignore: []string{"z", "name"}}, xy, ""},
		{"too small a number", "x,y\n1.5,2\n2,-1e-400\n3.5,7\n", Options{}, "x: 1.5 2 3.5 | y: 2 -0 7", `row 3, column 2 (y): "-1e-400" is too small a number and read as 0`},
		{"chosen", "name,x,z,y\na,1.5,9,2\nb,2,8,4\nc,3.5,8,7\n", Options{Columns: []string{"x", "y"}}, xy, ""},
		{"chosen without the target", "x,z,y\n1.5,9,2\n2,8,4\n3.5,8,7\n", Options{Columns: []string{"x"}, Target: "y"}, xy, ""},
		{"bad cells in a column that is not read", "x,junk,y\n1.5,1,2\n2,oops,4\n3.5,3,7\n", Options{Ignore: []string{"junk"}}, xy, ""},
		{"mostly text", "v,x,y\na,1.5,2\nb,2,4\n7,3.5,7\n", Options{}, xy, "1 of the first 3 cells are numbers"},
		// layout
		{"title", "My pendulum\nx,y\n1.5,2\n2,4\n3.5,7\n", Options{}, xy, `row 1, "My pendulum", is read as a title`},
		{"titles with separators", "Lab 1;;\nRun 3: Pendulum;Group 7;12.11.2025\n;;\nx;y;note\n1,5;2;\n2;4;ok\n3,5;7;\n", Options{}, xy, "row 1|row 2|column note"},
		{"settings above", "Samples,100,\nRate,50,Hz\nx,z,y\n1.5,9,2\n2,8,4\n3.5,8,7\n", Options{}, "x: 1.5 2 3.5 | z: 9 8 8 | y: 2 4 7", "row 1|row 2"},
		{"title with a number", "Run 7\nx y\n1.5 2\n2 4\n3.5 7\n", Options{}, xy, `"Run 7", is read as a title`},
		{"units row", "x,y\nm,s\n1.5,2\n2,4\n3.5,7\n", Options{}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", "row 2 is read as the columns' units"},
		{"units row in brackets", "x\ty\n[m]\t[s]\n1.5\t2\n2\t4\n3.5\t7\n", Options{}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", "row 2"},
		{"units row with a note", "x;y;note\nm;s;\n1,5;2;\n2;4;ok\n3,5;7;\n", Options{}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", "row 2|column note"},
		{"arbitrary units", "c [ng/mL],F [a.u.]\n1,2\n2,4\n3,6.5\n", Options{}, "c [ng/mL]: 1 2 3 | F: 2 4 6.5", "column F: [a.u.] is not a unit"},
		{"Origin", "Time\tSignal\nmin\ta.u.\nsample A\t\n1.5\t2\n2\t4\n3.5\t7\n", Options{}, "Time [min]: 1.5 2 3.5 | Signal: 2 4 7", `row 2 is read|a.u. is not a known unit|"sample A", is read as a comment`},
		{"comment row without units", "x\ty\nfirst run\t\n1.5\t2\n2\t4\n3.5\t7\n", Options{}, xy, "is read as a comment"},
		{"comments by %", "% made by COMSOL\n% x y\n1.5 2\n2 4\n3.5 7\n", Options{}, xy, ""},
		{"settings in comments", "# x y\n# T: 300 K\n# p: 1\n1.5 2\n2 4\n3.5 7\n", Options{}, xy, ""},
		{"names called columns", "# Columns: x y\n1.5 2\n2 4\n3.5 7\n", Options{}, xy, ""},
		{"settings alone", "# x: place\n# y: energy\n1.5 2\n2 4\n3.5 7\n", Options{}, "x1: 1.5 2 3.5 | y: 2 4 7", "no header"},
		{"comments by //", "// run 7\nx,y\n1.5,2\n2,4\n3.5,7\n", Options{}, xy, ""},
		{"#N/A is not a comment", "x,y\n1.5,2\n#N/A,9\n2,4\n3.5,7\n", Options{}, xy, `row 3, x ("#N/A")`},
		{"footer", "x,y\n1.5,2\n2,4\n3.5,7\nSource: NIST\n", Options{}, xy, `row 5, "Source: NIST", below the table is read as a footer`},
		{"footer of two cells", "x,y\n1.5,2\n2,4\n3.5,7\nSource: NIST, 2003\n", Options{}, xy, "footer"},
		{"footers", "x,y\n1.5,2\n2,4\n3.5,7\n\n* preliminary\nsee the notebook\n", Options{}, xy, "row 6|row 7"},
		{"END", "x y\n1.5 2\n2 4\n3.5 7\nEND\n", Options{}, xy, "footer"},
		{"sum below", "x,y\n1.5,2\n2,4\n3.5,7\nSum,13\n", Options{}, xy, "footer"},
		{"mean below names", "name,x,y\na,1.5,2\nb,2,4\nc,3.5,7\nMean,2.3,4.3\n", Options{}, xy, `row 5, "Mean" in column name, is read as a summary`},
		{"headings between rows", "x,y\n1.5,2\nSecond day\n2,4\n3.5,7\n", Options{}, xy, `row 3, "Second day", holds one text alone`},
		{"runs between blanks", "x y\nrun 1\n1 2\n2 4\nrun 2\n1 3\n3 5\n", Options{}, "x: 1 2 1 3 | y: 2 4 3 5", `into 2 runs, first row 2, "run 1": the column run is made of them`},
		{"runs with commas in their names", "x,y\n\"T = 300 K, p = 1\"\n1,2\n2,4\nT = 310 K, p = 2\n1,3\n3,5\nT = 320 K, p = 3\n2,7\n", Options{}, "x: 1 2 1 3 2 | y: 2 4 3 5 7", "into 3 runs, first row 2"},
		{"some numbers among names", "name,x,y\na1,1.5,2\n7,2,4\na2,3.5,7\n8,4,8\n", Options{}, "", `row 2, column 1 (name): "a1" is not a number`},
		{"a unit row that begins with #", "Pt\tx\ty\n#\tm\tV vs. Ref.\n5\t1.5\t2\n6\t2\t4\n8\t3.5\t7\n", Options{}, "Pt: 5 6 8 | x [m]: 1.5 2 3.5 | y [V]: 2 4 7", "row 2 is read as the columns' units"},
		{"runs below a title", "Probe A\nx;y\n1;2\n2;4\nProbe B\n1;3\n3;5,5\n", Options{}, "x: 1 2 1 3 | y: 2 4 3 5.5", `row 1, "Probe A", is read as a title|into 2 runs, first row 1, "Probe A"`},
		{"runs without a header", "Run 1\n1.5\t2\n2\t4\nRun 2\n1\t3\n3\t5\n", Options{}, "x1: 1.5 2 1 3 | y: 2 4 3 5", "into 2 runs"},
		{"runs in a table with a column run", "run,x,y\nDay 1\n7,1.5,2\n8,2,4\nDay 2\n9,3.5,7\n", Options{Target: "y", Columns: []string{"x"}}, xy, "into 2 runs, first row 2, \"Day 1\", and are left out"},
		{"one column of numbers that is enough", "x;note\n1,5;a; b\n2;\"c; d\"\n3,5;e\n", Options{Given: true, Alone: true}, "", "row 2, column 3: 3 cells, the header has 2; remove the extra cells, or write texts that hold the separator in quotes"},
		{"a text in a column alone", "x\n1\nabc\n3\n4\n", Options{Given: true, Alone: true}, "", `row 3, column 1 (x): "abc" is not a number`},
		{"a column alone that is enough", "x [m]\n1,5\n2\n3,5\n", Options{Given: true, Alone: true, Comma: ';'}, "x [m]: 1.5 2 3.5", ""},
		{"header again", "x,y\n1.5,2\nx,y\n2,4\n3.5,7\n", Options{}, xy, "1 repetition of the header"},
		{"headers again", "x,y\n1.5,2\nx,y\n2,4\nx,y\n3.5,7\n", Options{}, xy, "2 repetitions of the header"},
		{"numbered plots", "plot,N,y\n1,0,2\n2,2,4\n3,3.5,7\n4,5,9\n", Options{}, "N: 0 2 3.5 5 | y: 2 4 7 9", "column plot counts the rows from 1 and is set aside"},
		{"numbered plots alone", "plot,y\n1,2\n2,4\n3,7\n4,9\n", Options{}, "plot: 1 2 3 4 | y: 2 4 7 9", ""},
		{"index column", "index,x,y\n0,1.5,2\n1,2,4\n2,3.5,7\n3,4,9\n", Options{}, "x: 1.5 2 3.5 4 | y: 2 4 7 9", "column index counts the rows from 0 and is set aside"},
		{"index column of pandas", "Unnamed: 0,x,y\n0,1.5,2\n1,2,4\n2,3.5,7\n3,4,9\n", Options{}, "x: 1.5 2 3.5 4 | y: 2 4 7 9", "column Unnamed_0 counts the rows"},
		{"index column kept", "id,x,y\n1,1.5,2\n2,2,4\n3,3.5,7\n4,4,9\n", Options{Columns: []string{"id", "x", "y"}}, "id: 1 2 3 4 | x: 1.5 2 3.5 4 | y: 2 4 7 9", ""},
		{"a column that counts in a given formula", "cycle,x,y\n1,1.5,2\n2,2,4\n3,3.5,7\n4,4,9\n", Options{Given: true, Uses: []string{"cycle"}}, "cycle: 1 2 3 4 | x: 1.5 2 3.5 4 | y: 2 4 7 9", ""},
		{"a column that counts", "cycle,x,y\n1,1.5,2\n2,2,4\n3,3.5,7\n4,4,9\n", Options{}, "cycle: 1 2 3 4 | x: 1.5 2 3.5 4 | y: 2 4 7 9", "column cycle counts the rows from 1: if it is not a measurement"},
		{"an only variable that counts", "n,y\n1,2\n2,4\n3,7\n4,9\n", Options{}, "n: 1 2 3 4 | y: 2 4 7 9", ""},
		{"names twice", "x,x,y\n1.5,2,2\n2,3,4\n3.5,3,7\n", Options{}, "x: 1.5 2 3.5 | x_2: 2 3 3 | y: 2 4 7", "column 2 has the same name as column 1, x, and is called x_2"},
		{"names thrice", "x,x,x,y\n1.5,2,9,2\n2,3,7,4\n3.5,3,8,7\n", Options{}, "x: 1.5 2 3.5 | x_2: 2 3 3 | x_3: 9 7 8 | y: 2 4 7", "x_2|x_3"},
		{"names twice, and the next is taken", "x,x,x_2,y\n1.5,2,9,2\n2,3,7,4\n3.5,3,8,7\n", Options{}, "x: 1.5 2 3.5 | x_3: 2 3 3 | x_2: 9 7 8 | y: 2 4 7", "x_3"},
		{"sparse column", "x,z,y\n1.5,,2\n2,,4\n3.5,3,7\n4,,9\n", Options{}, "x: 1.5 2 3.5 4 | y: 2 4 7 9", "column z is empty in 3 of 4 rows"},
		{"sparse column kept", "x,z,y\n1.5,,2\n2,1,4\n3.5,3,7\n4,,9\n5,,8\n", Options{Columns: []string{"x", "z", "y"}}, "x: 2 3.5 | z: 1 3 | y: 4 7", "3 rows of 5 set aside"},
		{"errors by name", "x,y,y_err\n1.5,2,0.1\n2,4,0.2\n3.5,7,0.1\n", Options{}, xy, "y_err, is read as the standard errors of y"},
		{"days before months", "date,y\n13/01/2021,1\n14/01/2021,2.1\n1/02/2021,3\n", Options{}, "date [d]: 0 1 19 | y: 1 2.1 3", "dates are read as day/month/year, as days since 2021-01-13"},
		{"months before days", "date,y\n1/13/2021,1\n1/14/2021,2.1\n2/1/2021,3\n", Options{}, "date [d]: 0 1 19 | y: 1 2.1 3", "dates are read as month/day/year, as days since 2021-01-13"},
		{"days or months", "date,y\n3/4/2021,1\n3/5/2021,2.1\n3/6/2021,3\n", Options{}, "date [d]: 0 1 2 | y: 1 2.1 3", "month/day/year (a guess; 2025-01-31 would be sure), as days"},
		{"dates with slashes and times", "at,y\n3/4/2021 6:30 pm,1\n3/4/2021 6:31 PM,2.1\n3/4/2021 18:33,3\n", Options{}, "at [s]: 0 60 180 | y: 1 2.1 3", "month/day/year (a guess|as seconds since 2021-03-04 18:30:00"},
		{"an error of 0 in one of two", "x,y,y_err_up,y_err_down\n1.5,2,0,0.1\n2,4,0.2,0.1\n3.5,7,0.1,0.1\n", Options{}, xy, "y_err_down is read as the standard errors of y, the target|column y_err_up is read"},
		{"errors before their quantity", "x,y_err,y\n1.5,0.1,2\n2,0.2,4\n3.5,0.1,7\n", Options{}, xy, "column y_err holds standard errors of y by its name and is not a variable, but they are not used; --noise y_err makes use of them"},
		{"stress called sigma", "x,T,sigma\n1.5,300,900\n2,310,1200\n3.5,320,1500\n", Options{}, "x: 1.5 2 3.5 | T: 300 310 320 | sigma: 900 1200 1500", ""},
		{"column called error", "x;y;Error\n1,5;2;0,1\n2;4;0,2\n3,5;7;0,1\n", Options{}, xy, "Error, is read as the standard errors of y"},
		{"equal errors called dy", "x,y,dy\n1.5,2,0.1\n2,4,0.1\n3.5,7,0.1\n", Options{}, xy, "dy, is read as the standard errors of y"},
		{"errors called Δy", "x,y,Δy\n1.5,2,0.1\n2,4,0.2\n3.5,7,0.1\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7 | Δy: 0.1 0.2 0.1", "give --target y --noise Δy"},
		{"a derivative called dx", "t,x,dx\n1.5,2,-10\n2,4,0.2\n3.5,7,0.1\n", Options{}, "t: 1.5 2 3.5 | x: 2 4 7 | dx: -10 0.2 0.1", ""},
		{"an error of 0", "x,y,err\n1.5,2,0\n2,4,0.2\n3.5,7,0.1\n", Options{}, xy, "row 2, column err: this standard error of y is 0, so the errors in the column are not used; correct it, or leave out such rows with --drop"},
		{"an error of 0 in sy", "x,y,sy\n1.5,2,0.1\n2,4,0\n3.5,7,0.1\n4,8,0.1\n", Options{}, "x: 1.5 2 3.5 4 | y: 2 4 7 8", "row 3, column sy: this standard error of y is 0"},
		{"an error of 0 in y_err", "x,y,y_err\n1.5,2,0.1\n2,4,0\n3.5,7,0.1\n", Options{Target: "y"}, xy, "row 3, column y_err: this standard error of y is 0"},
		{"stress called sigma from 0", "t,eps,sigma\n1.5,0,0\n2,400,80\n3.5,700,140\n", Options{}, "t: 1.5 2 3.5 | eps: 0 400 700 | sigma: 0 80 140", "give --target eps --noise sigma"},
		{"rows with errors of 0", "x,y,y_err\n1.5,2,0.1\n2,4,0.2\n3,5,0\n3.5,7,0.1\n", Options{Drop: true}, xy, "the standard errors of y|1 row with a standard error that is not above 0 left out"},
		{"rows with errors of 0 in sigma", "x,y,sigma\n1.5,2,0.1\n2,4,0.2\n3,5,0\n3.5,7,0.1\n", Options{Drop: true}, xy, "1 row with a standard error that is not above 0 left out"},
		{"rows with errors of 0 that the caller uses", "x,y,sx\n1.5,2,0.1\n2,4,0.2\n3,5,0\n3.5,7,0.1\n", Options{Drop: true, Errors: []string{"sx"}}, "x: 1.5 2 3.5 | sx: 0.1 0.2 0.1 | y: 2 4 7", "1 row with a standard error that is not above 0 left out"},
		{"rows with errors of 0 in cells", "x,y\n1.5,2±0.1\n2,4±0.1\n3,5±0\n3.5,7±0.1\n", Options{Drop: true}, xy, "1 row with a standard error that is not above 0 left out|y_err"},
		{"errors in a variable", "x,y\n1.5±0.1,2\n2±0.1,4\n3.5±0.1,7\n", Options{}, xy, "errors in the cells of x are not used"},
		// several tables
		{"second of two", "a,b\n1,2\n2,3\n\nx,y\n1.5,2\n2,4\n3.5,7\n", Options{Table: 2}, xy, ""},
		{"first of two", "x,y\n1.5,2\n2,4\n3.5,7\n\nTable 2\na,b,c\n1,2,3\n2,3,4\n", Options{Table: 1}, xy, ""},
		{"second of two with one header", "x,y\n1,2\n2,3\n\nx,y\n1.5,2\n2,4\n3.5,7\n", Options{Table: 2}, xy, ""},
		{"first of two with one header", "Run A\nx,y\n1.5,2\n2,4\n3.5,7\nRun B\nx,y\n1,2\n2,3\n", Options{Table: 1}, xy, `"Run A", is read as a title`},
		{"second of two with one header below titles", "Run A\nx,y\n1,2\n2,3\nRun B\nx,y\n1.5,2\n2,4\n3.5,7\n", Options{Table: 2}, xy, ""},
		{"second side by side", "a,b,,x,y\n1,2,,1.5,2\n2,3,,2,4\n3,4,,3.5,7\n4,5,,,\n", Options{Table: 2}, xy, ""},
		{"first side by side, separated by tabs", "First\t\t\tSecond\nx\ty\t\ta\tb\n1.5\t2\t\t1\t2\n2\t4\t\t5\t6\n3.5\t7\n", Options{Table: 1}, xy, "row 1, \"First\", is read as a title"},
		{"quoted side by side", "\"x\",\"y\",,\"x\",\"y\"\n9,8,,1.5,2\n8,7,,2,4\n7,7,,3.5,7\n", Options{Table: 2}, xy, ""},
		{"an empty column in one table", "x,,y\n1.5,,2\n2,,4\n3.5,,7\n", Options{}, xy, "column 2 has no name"},
		{"second of two with units", "a,b\n1,2\n2,3\n\nx,y\nm,s\n1.5,2\n2,4\n3.5,7\n", Options{Table: 2}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", "row 6"},
		// numbers
		{"decimal commas without a header", "1,5;2,3\n2,5;4,1\n3;6,2\n", Options{}, "x1: 1.5 2.5 3 | y: 2.3 4.1 6.2", "no header"},
		{"decimal commas between tabs without a header", "1,5\t2,3\n2,5\t4,1\n3\t6,2\n", Options{}, "x1: 1.5 2.5 3 | y: 2.3 4.1 6.2", "no header"},
		{"decimal commas between blanks without a header", "0 0\n0,5 1,25\n-1 2,5e3\n", Options{}, "x1: 0 0.5 -1 | y: 0 1.25 2500", "no header"},
		{"mixed signs in columns", "M;P\n5.683e+26;0,942\n8.681e+25;1,37\n1.024e+26;15,95\n", Options{}, "M: 5.683e+26 8.681e+25 1.024e+26 | P: 0.942 1.37 15.95", ""},
		{"quoted thousands", "year,pop\n1900,\"76,212\"\n1910,\"92,228\"\n1920,\"106,021\"\n", Options{}, "year: 1900 1910 1920 | pop: 76212 92228 106021", "so that 76,212 is 76212"},
		{"quoted thousands said to be decimals", "year,pop\n1900,\"76,212\"\n1910,\"92,228\"\n1920,\"106,021\"\n", Options{Decimal: ','}, "year: 1900 1910 1920 | pop: 76.212 92.228 106.021", ""},
		{"quoted decimal commas", "x,y\n\"1,5\",\"2,25\"\n\"2\",\"4\"\n\"3,5\",\"7\"\n", Options{}, "x: 1.5 2 3.5 | y: 2.25 4 7", ""},
		{"points said to be thousands", "x;y\n1;1.250\n2;1.375\n3;2.500\n", Options{Decimal: ','}, "x: 1 2 3 | y: 1250 1375 2500", "so that 1.250 is 1250"},
		{"thousands by another column", "x;y\n1,5;1.250\n2;1.375\n3,5;2.500\n", Options{}, "x: 1.5 2 3.5 | y: 1250 1375 2500", "so that 1.250 is 1250"},
		{"percent beside its unit", "x,I [%]\n1.5,97.1%\n2,50%\n3.5,3%\n", Options{}, "x: 1.5 2 3.5 | I [%]: 97.1 50 3", ""},
		{"percent beside unit 1", "x,I [1]\n1.5,97%\n2,50%\n3.5,3%\n", Options{}, "x: 1.5 2 3.5 | I [1]: 0.97 0.5 0.03", "converted"},
		{"milli beside the unit", "x,U [V]\n1.5,970 mV\n2,500 mV\n3.5,30 mV\n", Options{}, "x: 1.5 2 3.5 | U [V]: 0.97 0.5 0.03", "converted"},
		{"rows with missing cells", "x,y\n1.5,2\n,3\n2,4\n3,-\n3.5,7\n", Options{}, xy, "2 rows of 5 set aside, where cells are missing: row 3, x (empty); row 5, y"},
		{"drop", "x,y\n1.5,2\nnan,3\n2,4\n3,-\n3.5,7\n", Options{Drop: true}, xy, "2 rows with missing or infinite values left out"},
		{"± of HTML", "x,y\n1.5,2 &plusmn; 0.1\n2,4 &plusmn; 0.1\n3.5,7 &plusmn; 0.1\n", Options{}, xy, "y_err"},
		// quotes
		{"inches in notes", "x,y,note\n1.5,2,3\" pipe\n2,4,4\" pipe\n3.5,7,5\" pipe\n", Options{}, xy, "column note holds text"},
		{"inches in one note", "x,y,note\n1.5,2,3\" pipe\n2,4,\n3.5,7,\n", Options{}, xy, "column note holds text"},
		{"degrees, minutes, seconds", "x,where,y\n1.5,12°30'36\",2\n2,12°45'00\",4\n3.5,-12°30',7\n", Options{}, "x: 1.5 2 3.5 | where [°]: 12.51 12.75 -12.5 | y: 2 4 7", "column where: degrees, minutes and seconds are read as degrees"},
		{"a quote at the end", "x,y,note\n1.5,2,say \"so\"\n2,4,so\"\n3.5,7,\n", Options{}, xy, "column note holds text"},
		{"line end in a note", "x,y,note\n1.5,2,\"a\nb, \"\"c\"\"\"\n2,4,d\n3.5,7,e\n", Options{}, xy, "column note holds text"},
		{"texts of Excel", "x,y\n=\"1.5\",=\"2\"\n=\"2\",=\"4\"\n=\"3.5\",=\"7\"\n", Options{}, xy, ""},
		// drawn tables
		{"Markdown", "| x | y |\n|---|:-:|\n| 1.5 | 2 |\n| 2 | 4 |\n| 3.5 | 7 |\n", Options{}, xy, "column 1 has no name"},
		{"boxes", "+---+---+\n| x | y |\n+---+---+\n| 1.5 | 2 |\n| 2 | 4 |\n| 3.5 | 7 |\n+---+---+\n", Options{}, xy, "column 1 has no name"},
		{"psql", " x | y \n---+---\n 1.5 | 2\n 2 | 4\n 3.5 | 7\n(3 rows)\n", Options{}, xy, `"(3 rows)", below the table`},
		{"reStructuredText", "=== ===\nx   y\n=== ===\n1.5   2\n2   4\n3.5   7\n=== ===\n", Options{}, xy, ""},
		{"a rule below the header", "x   y\n--- ---\n1.5   2\n2   4\n3.5   7\n", Options{}, xy, ""},
		// output of programs
		{"row names of R", "\"x\" \"y\"\n\"1\" 1.5 2\n\"2\" 2 4\n\"3\" 3.5 7\n", Options{}, xy, "column 1 has no name and is left out"},
		{"row numbers of R without quotes", "x y\n1 1.5 2\n2 2 4\n3 3.5 7\n", Options{}, xy, "column 1 has no name and is left out"},
		{"row numbers or decimal commas", "x,y\n1,2,5\n2,4,1\n3,6,2\n", Options{}, "x: 2 4 6 | y: 5 1 2", `row 2 has 3 cells and the header 2 names, so the first cell is read as the name of the row; if "1,2" is one number, separate the cells by semicolons`},
		{"row numbers and whole numbers", "x,y\n1,2,5\n2,4,1\n3,6,2\n", Options{Decimal: '.'}, "x: 2 4 6 | y: 5 1 2", "column 1 has no name and is left out"},
		{"row numbers or thousands", "x y\n1 1 234\n2 2 469\n3 3 703\n", Options{}, "x: 1 2 3 | y: 234 469 703", `if "1 234" is one number, write it without the blank; else name the first column`},
		{"row numbers of R, printed", "  height weight\n1     58    115\n2     59    117\n3     60    120\n", Options{}, "height: 58 59 60 | weight: 115 117 120", "column 1 has no name and is left out"},
		{"row names of R, as text", "x\ty\na\t1.5\t2\nb\t2\t4\nc\t3.5\t7\n", Options{}, xy, "column 1 has no name and is left out"},
		{"LabVIEW", "LabVIEW Measurement\t\nWriter_Version\t2\nSeparator\tTab\n***End_of_Header***\t\nx\ty\tComment\n1.5\t2\n2\t4\n3.5\t7\n", Options{}, xy, "the last column, Comment, is read as empty|column Comment is empty"},
		{"a header again and no rows", "x,y\n1.5,2\n2,4\n3.5,7\n\nx,y\n", Options{}, xy, "1 repetition of the header"},
		{"two files in one", "\ufeffx,y\n1.5,2\n\ufeffx,y\n2,4\n3.5,7\n", Options{}, xy, "1 repetition of the header"},
		{"units behind names", "x(m),y(m/s)\n1.5,2\n2,4\n3.5,7\n", Options{}, "x [m]: 1.5 2 3.5 | y [m/s]: 2 4 7", "(m), (m/s) are read as their units"},
		{"functions of time", "x(t),y(t)\n1.5,2\n2,4\n3.5,7\n", Options{}, "x_t: 1.5 2 3.5 | y_t: 2 4 7", "is called x_t"},
		{"functions of a column", "s,x(s),y(s)\n1,1.5,2\n2,2,4\n3,3.5,7\n", Options{}, "s: 1 2 3 | x_s: 1.5 2 3.5 | y_s: 2 4 7", "is called x_s"},
		{"superscripts", "x²,y\n1.5,2\n2,4\n3.5,7\n", Options{}, "x2: 1.5 2 3.5 | y: 2 4 7", `"x²" is called x2`},
		// cells that may have another meaning
		{"missing values as -999", "x,y\n1,-999\n1.5,2\n2,4\n3.5,7\n", Options{}, "x: 1 1.5 2 3.5 | y: -999 2 4 7", "-999 lies far from the other values, in 1 row"},
		{"missing values of netCDF", "x,y\n1,9.96921e36\n1.5,2\n2,4\n3.5,7\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "column y: 9.96921e+36, in 1 row, first in row 2"},
		{"nines that belong", "x,y\n1,999\n1.5,997\n2,990\n3.5,980\n", Options{}, "x: 1 1.5 2 3.5 | y: 999 997 990 980", ""},
		{"squares beyond numbers", "x,y\n1.5,2e-200\n2,4e-200\n3.5,7e-200\n", Options{}, "x: 1.5 2 3.5 | y: 2e-200 4e-200 7e-200", "column y: its values are of size 7e-200"},
		{"digits beyond numbers", "n,x,y\n1000000000000000000001,1.5,2\n1000000000000000000002,2,4\n1000000000000000000003,3.5,7\n", Options{}, "n: 1e+21 1e+21 1e+21 | x: 1.5 2 3.5 | y: 2 4 7", "column n is 1e+21 (to the 16 digits that are read) in every row"},
		{"a quotient in parentheses", "x / m,y / (m/s)\n1.5,2\n2,4\n3.5,7\n", Options{}, "x [m]: 1.5 2 3.5 | y [m/s]: 2 4 7", "write y [m/s] to be sure"},
		{"dates without separators", "date,y\n20250130,2\n20250131,4\n20250201,7\n", Options{}, "date: 2.025013e+07 2.0250131e+07 2.0250201e+07 | y: 2 4 7", "20250130 is read as a number, not as a date"},
		{"from left to right", "x [m];0.1;0.2;0.3\ny [s];2;4;5\nz;1;2;4\n", Options{}, "x2: 0.1 2 1 | x3: 0.2 4 2 | y: 0.3 5 4", "transpose it"},
		{"from left to right, whole numbers", "x,1,2,3\ny,2,4,5\nz,1,2,4\n", Options{}, "x1: 2 1 | x2: 4 2 | x3: 5 4", "transpose it"},
		{"from left to right, with colons", "x: 1.5, 2, 3.5\ny: 2, 4, 7\n", Options{}, xy, "each of its 2 rows is read as a column"},
		{"from left to right, two rows", "t,0,1,2,3\nx,1,2,4,8\n", Options{}, "t: 0 1 2 3 | x: 1 2 4 8", "each of its 2 rows is read as a column"},
		{"from left to right, with units, a title and decimal commas", "Run 7;;;;\nt [s];0,5;1;1,5;2\nx [m];2;4,5;;8\n", Options{}, "t [s]: 0.5 1 2 | x [m]: 2 4.5 8", "from left to right"},
		{"doses across", "strain\t0.5\t1\t2\t3\nA\t2\t4\t5\t7\nB\t1\t2\t4\t9\n", Options{}, "strain: 0.5 1 2 3 | A: 2 4 5 7 | B: 1 2 4 9", "each of its 3 rows is read as a column"},
		{"a row for names", "a,1,2\nb,2,4\nc,3,5\n", Options{}, "x1: 2 3 | x2: 4 5", `row 1 is read as names, "a,1,2"; put names above`},
		{"days as Excel counts them", "date,y\n45658,2\n45659,4\n45660,7\n", Options{}, "date: 45658 45659 45660 | y: 2 4 7", "45658 is read as a number, not as a date"},
		{"an index from 10", "Index,x,y\n10,1.5,2\n11,2,4\n12,3.5,7\n13,4,8\n", Options{}, "x: 1.5 2 3.5 4 | y: 2 4 7 8", "column Index numbers the rows and is set aside"},
		{"runs of which some are left out", "run,x,y\n1,1.5,2\n3,2,4\n4,3.5,7\n7,4,8\n", Options{}, "x: 1.5 2 3.5 4 | y: 2 4 7 8", "column run numbers the rows and is set aside"},
		{"numbers with such a name that fall", "run,x,y\n9,1.5,2\n7,2,4\n4,3.5,7\n3,4,8\n", Options{}, "run: 9 7 4 3 | x: 1.5 2 3.5 4 | y: 2 4 7 8", ""},
		{"an index in disorder", "id,x,y\n2,1.5,2\n1,2,4\n4,3.5,7\n3,4,8\n", Options{}, "id: 2 1 4 3 | x: 1.5 2 3.5 4 | y: 2 4 7 8", "column id numbers the rows"},
		{"merged cells", "T,x,y\n300,1,2\n,2,4\n,3,5\n400,1,6\n,2,8\n", Options{}, "x: 1 2 3 1 2 | y: 2 4 5 6 8", "or fill merged cells"},
		{"prices", "x,z,y\n1.5,2,5 €\n2,4,6 €\n3.5,7,8 €\n", Options{}, "x: 1.5 2 3.5 | z: 2 4 7", `row 2, column y: "5 €" is not a number|€ is not a known unit`},
		// dates
		{"dates and numbers", "date,x,y\n2025-01-01,1.5,2\n2025-01-03,2,4\n2025-01-04,3.5,7\n", Options{}, "date [d]: 0 2 3 | x: 1.5 2 3.5 | y: 2 4 7", "days since 2025-01-01"},
		{"dates in the header's unit", "date [h],y\n2025-01-01,2\n2025-01-02,4\n2025-01-04,7\n", Options{}, "date [h]: 0 24 72 | y: 2 4 7", "times in h"},
		{"dates with slashes beside others", "date,x,y\n1/2/2025,1.5,2\n1/3/2025,2,4\n1/4/2025,3.5,7\n", Options{}, "date [d]: 0 1 2 | x: 1.5 2 3.5 | y: 2 4 7", "month/day/year (a guess"},
		{"no dates with slashes", "date,x,y\n13/13/2025,1.5,2\n13/14/2025,2,4\n13/15/2025,3.5,7\n", Options{}, xy, "column date holds text"},
		{"date-time by spaces and commas", "t,y\n2025-01-01 12:00:00,2\n2025-01-01 12:00:30,4\n2025-01-01 12:01:00,7\n", Options{}, "t [s]: 0 30 60 | y: 2 4 7", "seconds since"},
		// names
		{"composed and decomposed", "é,e\u0301,y\n1.5,9,2\n2,7,4\n3.5,8,7\n", Options{}, "é: 1.5 2 3.5 | é_2: 9 7 8 | y: 2 4 7", "same name"},
		{"Latin and Cyrillic", "a,а,y\n1.5,9,2\n2,7,4\n3.5,8,7\n", Options{}, "a: 1.5 2 3.5 | а: 9 7 8 | y: 2 4 7", "look alike"},
		{"two kinds of mu", "µ,μ,y\n1.5,9,2\n2,7,4\n3.5,8,7\n", Options{}, "µ: 1.5 2 3.5 | μ: 9 7 8 | y: 2 4 7", "look alike"},
		{"target in other letters", "x,y,Т\n1.5,2,1\n2,4,3\n3.5,7,5\n", Options{Target: "T"}, "x: 1.5 2 3.5 | y: 2 4 7 | Т: 1 3 5", "looks alike"},
		{"target decomposed", "x,é\n1.5,2\n2,4\n3.5,7\n", Options{Target: "e\u0301"}, "x: 1.5 2 3.5 | é: 2 4 7", ""},
		// columns that depend on one another
		{"affine", "eps,T,y\n0.01,278,2\n0.02,283,4\n0.05,298,5\n0.07,308,9\n0.11,328,8\n", Options{}, "eps: 0.01 0.02 0.05 0.07 0.11 | T: 278 283 298 308 328 | y: 2 4 5 9 8", "T = 273 + 500*eps"},
		{"rounded fractions", "a,b,c,y\n0.125,0.250,0.625,2\n0.333,0.333,0.334,4\n0.511,0.113,0.376,5\n0.701,0.202,0.097,9\n0.215,0.685,0.100,8\n0.432,0.111,0.457,3\n0.917,0.004,0.079,1\n", Options{}, "a: 0.125 0.333 0.511 0.701 0.215 0.432 0.917 | b: 0.25 0.333 0.113 0.202 0.685 0.111 0.004 | c: 0.625 0.334 0.376 0.097 0.1 0.457 0.079 | y: 2 4 5 9 8 3 1", "column c depends on others"},
		{"target in another unit", "x,T_ms,T\n1.5,2000,2\n2,4100,4.1\n3.5,7300,7.3\n4,8800,8.8\n", Options{}, "x: 1.5 2 3.5 4 | T_ms: 2000 4100 7300 8800 | T: 2 4.1 7.3 8.8", "column T_ms is the target T again"},
		{"target in another unit, by units", "x,a [mm],b [m]\n1.5,2000,2\n2,4100,4.1\n3.5,7300,7.3\n4,8800,8.8\n", Options{}, "x: 1.5 2 3.5 4 | a [mm]: 2000 4100 7300 8800 | b [m]: 2 4.1 7.3 8.8", "column a is the target b again"},
		// printed tables, and files of instruments
		{"pandas, printed", "     x    y\n0  1.5    2\n1  2.0    4\n2  3.5    7\n", Options{}, xy, "column 1 has no name and is left out"},
		{"R, printed", "    x y\n1 1.5 2\n2 2.0 4\n3 3.5 7\n", Options{}, xy, "column 1 has no name and is left out"},
		{"blocks of gnuplot", "# x y\n1.5 2\n2 4\n\n\n3.5 7\n", Options{}, xy, "empty lines part the rows, first above row 6: all 2 blocks are read as one table"},
		{"blocks without a header", "1.5 2\n2 4\n\n3.5 7\n4 9\n", Options{}, "x1: 1.5 2 3.5 4 | y: 2 4 7 9", "an empty line parts the rows, first above row 4: all 2 blocks are read as one table; --table 1, 2, …"},
		{"second block without a header", "1,2\n2,4\n\n1.5,2\n2,4\n3.5,7\n\n1,1\n2,2\n", Options{Table: 2}, "x1: 1.5 2 3.5 | y: 2 4 7", "no header"},
		{"an empty line between rows", "x,y\n1.5,2\n\n2,4\n\n3.5,7\n", Options{}, xy, ""},
		{"errors in per cent of the column", "x,y,err [%]\n1.5,2,5\n2,4,5\n3.5,7,10\n", Options{}, xy, "errors are read as per cent of y|err, is read as the standard errors of y"},
		{"a column in per cent", "x,y,humidity [%]\n1.5,2,50\n2,4,55\n3.5,7,60\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7 | humidity [%]: 50 55 60", ""},
		{"two rows of names", "Run 1,Run 1,Run 2,Run 2\nt,x,t,v\n0,1,0,2\n1,2,1,4\n2,4,3,8\n", Options{}, "Run_1_t: 0 1 2 | Run_1_x: 1 2 4 | Run_2_t: 0 1 3 | Run_2_v: 2 4 8", "rows 1 and 2 are read as one header"},
		{"seconds since 1970", "timestamp,y\n1735689600,2\n1735689601,4\n1735689603,7\n", Options{}, "timestamp: 1.7356896e+09 1.735689601e+09 1.735689603e+09 | y: 2 4 7", "1735689600 may count from 1970 or 1904; subtract the first value"},
		{"milliseconds since 1970", "unix_ms,y\n1735689600000,2\n1735689601000,4\n1735689603000,7\n", Options{}, "unix_ms: 1.7356896e+12 1.735689601e+12 1.735689603e+12 | y: 2 4 7", "may count from 1970"},
		{"times of a simulation", "time,y\n1000,2\n2000,4\n3500,7\n", Options{}, "time: 1000 2000 3500 | y: 2 4 7", ""},
		{"form feeds", "x,y\n1.5,2\n\f2,4\n3.5,7\n", Options{}, xy, ""},
		{"the end of a file of DOS", "x,y\n1.5,2\n2,4\n3.5,7\n\x1a", Options{}, xy, ""},
		{"powers of ten by superscripts", "x,y\n1.5·10⁰,2\n2·10⁰,4\n3.5×10⁰,7\n", Options{}, xy, ""},
		{"powers of ten by *", "x,y\n1.5*10^0,2\n2*10^0,4\n3.5*10^0,7\n", Options{}, xy, ""},
		{"exponents of Fortran by D", "x,y\n1.5D+00,2\n2D+00,4\n0.35d+01,7\n", Options{}, xy, ""},
		{"mail", "From: a@b\nSubject: data\n\nx,y\n1.5,2\n2,4\n3.5,7\n", Options{}, xy, "row 1|row 2"},
		{"ARFF", "@relation a\n@attribute x numeric\n@data\n1.5,2\n2,4\n3.5,7\n", Options{}, "x1: 1.5 2 3.5 | y: 2 4 7", "no header"},
		{"Org", "| x | y |\n|---+---|\n| 1.5 | 2 |\n| 2 | 4 |\n| 3.5 | 7 |\n#+TBLFM:\n", Options{}, xy, "column 1 has no name"},
		{"the separator named above", "sep=;\nx;y\n1,5;2\n2;4\n3,5;7\n", Options{}, xy, ""},
		{"zones", "t,y\n2025-01-01T12:00:00+02:00,2\n2025-01-01T12:00:00+01:00,4\n2025-01-01T12:00:00Z,7\n", Options{}, "t [s]: 0 3600 7200 | y: 2 4 7", "seconds since"},
		{"mornings and afternoons", "t,y\n11:59 AM,2\n12:01 PM,4\n1:05 PM,7\n", Options{}, "t [s]: 0 120 3960 | y: 2 4 7", "seconds since the first"},
		{"names of months", "d,y\nJan 1 2025,2\nJan 2 2025,4\nFeb 3 2025,7\n", Options{}, "d [d]: 0 1 33 | y: 2 4 7", "days since 2025-01-01"},
		{"lakhs", "x,y\n1.5,\"1,00,000\"\n2,\"2,00,000\"\n3.5,\"3,50,000\"\n", Options{}, "x: 1.5 2 3.5 | y: 100000 200000 350000", "so that 1,00,000 is 100000"},
		{"copies of a row", "x,y\n1.5,2\n1.5,2\n1.5,2\n2,4\n3.5,7\n", Options{}, "x: 1.5 1.5 1.5 2 3.5 | y: 2 2 2 4 7", ""},
		{"yes and no", "x,flag,y\n1.5,yes,2\n2,no,4\n3.5,yes,7\n", Options{}, xy, "column flag holds text and is set aside as categories: to make it a variable, write 1 for yes and 0 for no; --group flag finds one law for both"},
		{"truth values of a spreadsheet with gaps", "x,wet,y\n1.5,WAHR,2\n2,,4\n3.5,FALSCH,7\n", Options{}, xy, "write 1 for WAHR and 0 for FALSCH"},
		{"on and off among others", "x,lamp,y\n1.5,on,2\n2,off,4\n3,off,5\n3.5,dim,7\n", Options{}, "x: 1.5 2 3 3.5 | y: 2 4 5 7", "column lamp holds text and is set aside as categories"},
		{"names on several lines", "\"x\n(m)\",\"y\n(s)\"\n1.5,2\n2,4\n3.5,7\n", Options{}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", "(m), (s) are read as their units"},
		{"formulas as names", "1/T,ln k\n1.5,2\n2,4\n3.5,7\n", Options{}, "x1_T: 1.5 2 3.5 | ln_k: 2 4 7", "is called x1_T"},
		{"names that differ in case", "x,X\n1.5,2\n2,4\n3.5,7\n", Options{}, "x: 1.5 2 3.5 | X: 2 4 7", ""},
		// encodings
		{"Windows-1252", "x;y \x80;Gr\xf6\xdfe\n1;2;a\n2;4;b\n4;7;c\n", Options{}, "x: 1 2 4 | y: 2 4 7", "Latin-1"},
		{"± in Latin-1", "x;y\n1;2\xb10.1\n2;4\xb10.1\n4;7\xb10.1\n", Options{}, "x: 1 2 4 | y: 2 4 7", "Latin-1|y_err"},
		{"LaTeX in the header", "$t$ [$\\mathrm{s}$],v\n0,1\n1,2\n2,4\n", Options{}, "t [s]: 0 1 2 | v: 1 2 4", ""},
		{"units that nobody knows", "t [s],v [furlong/fortnight]\n0,1\n1,2\n", Options{}, "t [s]: 0 1 | v: 1 2", `the unit of v stays unknown|unknown unit "furlong"`},
		{"a misspelt unit", "a [AU],T [secnds]\n1,5\n2,6\n", Options{}, "a [AU]: 1 2 | T: 5 6", "did you mean seconds?"},
		{"an empty unit", "a [],T\n1,5\n2,6\n", Options{}, "a: 1 2 | T: 5 6", "the unit of a stays unknown|empty unit"},
	} {
		t.Run(c.name, c.check)
	}
}

func TestBadFiles(t *testing.T) {
	for _, c := range []oddFile{
		{"only text", "a,b\nx,y\nu,v\nw,z\n", Options{}, "", "no column holds numbers"},
		{"one column of numbers", "name,y\na,1\nb,2\nc,4\n", Options{}, "", "only one column holds numbers"},
		{"limits", "x,y\n1,<2\n2,<4\n3,7\n", Options{}, "", `row 2, column 2 (y): "<2" is not a number|a limit is not a measurement`},
		{"errors in per cent", "x,y\n1,2±10%\n2,4±10%\n3,7±10%\n", Options{}, "", `row 2, column 2 (y): "2±10%" is not a number`},
		{"two errors", "x,y\n1,2+0.1-0.2\n2,4+0.1-0.2\n3,7+0.1-0.2\n", Options{}, "", "write one standard error"},
		{"fractions among decimals", "x,y\n1,1/2\n2,0.75\n3,7/8\n", Options{}, "", `"1/2" is not a number`},
		{"complex numbers", "x,y\n1,1+2i\n2,3+4i\n3,7+8i\n", Options{}, "", `"1+2i" is not a number`},
		{"hexadecimal numbers", "x,y\n1,0x1F\n2,0x2F\n3,0x3F\n", Options{}, "", `"0x1F" is not a number`},
		{"currency", "x,y\n1,$2\n2,$4\n3,$7\n", Options{}, "", "without the currency"},
		{"single quotes", "x,y\n'1','2'\n'2','4'\n'3','7'\n", Options{}, "", "remove the quotes"},
		{"months", "month,y\n2025-01,2\n2025-02,4\n2025-03,7\n", Options{}, "month [d]: 0 31 59 | y: 2 4 7", "dates are read as days since 2025-01-01"},
		{"seasons", "season,y\n2008-09,2\n2009-10,4\n2010-11,7\n", Options{}, "", `"2008-09" is not a number`},
		{"labels like months", "id,x,y\n2019-11,1,2\n2019-12,2,4\n2019-13,4,7\n", Options{}, "x: 1 2 4 | y: 2 4 7", "column id holds text"},
		{"libsvm", "1 1:0.5 2:0.3\n2 1:0.6 2:0.4\n3 1:0.7 2:0.9\n", Options{}, "", `"1:0.6" is not a number`},
		{"lists of Python", "(1, 2)\n(2, 4)\n(3, 7)\n", Options{}, "", "these are lists of a programming language"},
		{"names with blanks between blanks", "name        x   y\nNew York    1   2\nLos Angeles 2   4\nBoston      3   5\n", Options{}, "", "row 2, column 4: 4 cells, the header has 3"},
		{"lists", "[1, 2],\n[2, 4],\n", Options{}, "", "these are lists of a programming language"},
		{"exponents of Fortran", "x,y\n1,5.0-120\n2,6.1-120\n3,7.2-121\n", Options{}, "", "write exponents with an e"},
		{"feet", "x,y\n1,5'\n2,6'\n3,7'\n", Options{}, "", "remove the marks"},
		{"lists in cells", "x,y\n1,\"[5,6]\"\n2,\"[6,7]\"\n3,\"[7,8]\"\n", Options{}, "", `"[5,6]" is not a number`},
		{"a second that is none", "t,y\n2016-12-31T23:59:59Z,1\n2016-12-31T23:59:60Z,2\n2017-01-01T00:00:00Z,5\n", Options{}, "", `row 3, column 1 (t): "2016-12-31T23:59:60Z" is not a date`},
		{"months of 13", "date,y\n2025-13-01,1\n2025-14-01,2\n2025-15-01,5\n", Options{}, "", `"2025-13-01" is not a number`},
		{"thousands", "x,y\n1,2k\n2,4M\n3,7k\n", Options{}, "", "write the prefix as a power of ten, so that 2.2k is 2.2e3"},
		{"a table of HTML", "<table><tr><td>1</td></tr></table>", Options{}, "", "this is a web page"},
		{"Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", Options{}, "", "git lfs pull"},
		{"an open quote", "x,y,note\n1,2,\"a\n2,4,b\n3,7,c\n", Options{}, "", "row 2: a quote"},
		{"target is text", "name,x,y\na,1,2\nb,2,4\nc,4,7\n", Options{Target: "name"}, "", "column 1 (name): the target holds text"},
		{"text among numbers", "x,y\n1,2\n2,oops\n3,4\n4,5\n", Options{}, "", `row 3, column 2 (y): "oops" is not a number`},
		{"text in the last row", "x,y\n1,2\n2,3\n3,oops\n", Options{}, "", `row 4, column 2 (y): "oops"`},
		{"two tables", "a,b\n1,2\n2,3\n\nx,y,z\n1,2,5\n2,4,6\n", Options{}, "", "the file holds 2 tables: 1 from row 1 (a, b), 2 from row 5 (x, y, z); choose one with --table"},
		{"three tables", "a,b\n1,2\n2,3\n\nc,d\n1,2\n2,4\n\ne,f\n1,2\n2,4\n", Options{}, "", "3 tables: 1 from row 1 (a, b), 2 from row 5 (c, d), 3 from row 9 (e, f)"},
		{"two tables with titles", "First\na,b\n1,2\n2,3\n\nSecond\nx,y\n1,2\n2,4\n", Options{}, "", "holds 2 tables"},
		{"decimal commas between commas", "x,y\n1,2,03\n2,4,1\n3,5,96\n", Options{}, "", "row 2, column 3: 3 cells, the header has 2; remove the extra cells, or name the first column if only its name is missing; numbers must not hold the separator"},
		{"decimal commas said to be so between commas", "x,y\n1,2,3\n2,4,1\n3,5,96\n", Options{Decimal: ','}, "", "row 2, column 3: 3 cells, the header has 2"},
		{"two with one header", "x;y\n1;2\n2;3\n\nx;y\n1;2\n2;4\n", Options{}, "", "the file holds 2 tables: 1 from row 1 (x, y), 2 from row 5 (x, y); choose one with --table"},
		{"two with one header below an empty row", "x;y\n1;2\n2;3\n;\nx;y\n1;2\n2;4\n", Options{}, "", "2 from row 5 (x, y); choose one with --table"},
		{"two with one header below titles", "Run A\nx;y\n1;2\n2;3\nRun B\nx;y\n1;2\n2;4\n", Options{}, "", "1 from row 2 (x, y), 2 from row 6 (x, y); choose one with --table"},
		{"two side by side", "a,b,,a,b\n1,2,,1,2\n2,3,,2,4\n", Options{}, "", "the file holds 2 tables side by side: 1 in columns 1 to 2 (a, b), 2 in columns 4 to 5 (a, b); choose one with --table"},
		{"third of two side by side", "a,b,,a,b\n1,2,,1,2\n2,3,,2,4\n", Options{Table: 3}, "", "table 3 is requested, but the number of tables in the file is 2"},
		{"fourth of two", "a,b\n1,2\n2,3\n\nx,y\n1,2\n2,4\n", Options{Table: 4}, "", "table 4 is requested, but the number of tables in the file is 2"},
		{"second of one", "a,b\n1,2\n2,3\n", Options{Table: 2}, "", "table 2 is requested, but the number of tables in the file is 1"},
		{"table -1", "a,b\n1,2\n", Options{Table: -1}, "", "no table -1"},
		{"unknown column", "mass,y\n1,2\n2,3\n", Options{Columns: []string{"mas", "y"}}, "", `columns: "mas" is not a column; did you mean mass?`},
		{"unknown ignored column", "mass,y\n1,2\n2,3\n", Options{Ignore: []string{"weight"}}, "", `ignore: "weight" is not a column`},
		{"target ignored", "x,y\n1,2\n2,3\n", Options{Ignore: []string{"y"}, Target: "y"}, "", `ignore: "y" is also chosen by another option`},
		{"all ignored", "x,y\n1,2\n2,3\n", Options{Ignore: []string{"x"}}, "", "only one column is left"},
		{"only the target", "x,y\n1,2\n2,3\n", Options{Columns: []string{"y"}}, "", "only one column is left"},
		{"decimal sign", "x,y\n1,2\n2,3\n", Options{Decimal: '*'}, "", "is not a decimal sign"},
		{"comma twice", "x,y\n1,2\n2,3\n", Options{Decimal: ',', Comma: ','}, "", "cannot both"},
		{"sheet of text", "x,y\n1,2\n2,3\n", Options{Sheet: "a"}, "", "sheet: a text table has no sheets"},
		{"all rows miss something", "x,z,y\n1,,2\n,5,4\n3,,6\n,8,9\n", Options{}, "", "no row is left|--ignore"},
		{"dates and text", "d,y\n2025-01-01,1\n2025-01-02,2\nsoon,3\n2025-01-04,4\n", Options{}, "", `"soon"`},
		{"a zone in some rows", "t,y\n2024-03-31T01:00:00+01:00,1\n2024-03-31T01:30:00+01:00,2\n2024-03-31T02:00:00,5\n", Options{}, "", `row 4, column 1 (t): "2024-03-31T02:00:00" has no time zone, but row 2 has one; write the zone in all rows`},
		{"a zone in a later row", "t,y\n2024-03-31 01:00,1\n2024-03-31 01:30,2\n2024-03-31 02:00 UTC,5\n", Options{}, "", `row 4, column 1 (t): "2024-03-31 02:00 UTC" has a time zone, but row 2 has none`},
		{"dates in metres", "d [m],y\n2025-01-01,1\n2025-01-02,2\n", Options{}, "", "its cells are dates and its unit is m"},
		{"times in metres", "d [m],y\n12:00:01,1\n12:00:02,2\n", Options{}, "", "its cells are times and its unit is m"},
		{"date that is none", "d,y\n2025-01-01,1\n2025-02-30,2\n2025-03-01,3\n", Options{}, "", "2025-02-30"},
		{"volts beside amperes", "x,U [A]\n1,5 V\n2,6 V\n3,8 V\n", Options{}, "", "its cells are in V and its header says A"},
		{"units that differ", "x,U\n1,5 V\n2,6 mV\n3,8 V\n", Options{}, "", `row 3, column 2 (U): "6 mV" has another unit than "5 V" in row 2; write all numbers in one unit`},
		{"per cent or not", "x,I\n1,97%\n2,0.5\n3,3%\n", Options{}, "", "row 2, column 2 (I)"},
		{"HTML", "<!DOCTYPE html><html></html>", Options{}, "", "this is a web page"},
		{"XML", "<?xml version=\"1.0\"?><a/>", Options{}, "", "this is XML"},
		{"PDF", "%PDF-1.7\n", Options{}, "", "this is a PDF"},
		{"HDF5", "\x89HDF\r\n\x1a\n\x00", Options{}, "", "this is an HDF5 file|h5py.File"},
		{"FITS", "SIMPLE  =                    T", Options{}, "", "this is a FITS file|astropy"},
		{"old Excel", "\xd0\xcf\x11\xe0\xa1\xb1", Options{}, "", "this is an old Excel workbook|.xlsx"},
		{"MATLAB", "MATLAB 5.0 MAT-file", Options{}, "", "this is a MATLAB file"},
		{"NetCDF", "CDF\x01\x00\x00", Options{}, "", "this is a NetCDF file"},
		{"NetCDF with 64 bits", "CDF\x05\x00\x00", Options{}, "", "this is a NetCDF file"},
		{"SPSS", "$FL2@(#) SPSS DATA FILE - a", Options{}, "", "this is an SPSS file"},
		{"Stata", "<stata_dta><header><release>118</release>", Options{}, "", "this is a Stata file"},
		{"SAS", sasMagic + "\xb3\x14\x11\xcf\xbd\x92\x08\x00", Options{}, "", "this is a SAS file"},
		{"transport file of SAS", "HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!000  \n", Options{}, "", "this is a SAS file"},
		{"Feather", "FEA1\x00\x00\x00\x00", Options{}, "", "this is a Feather file"},
		{"an object of R", "X\n\x00\x00\x00\x03\x00\x04", Options{}, "", "this is an R file"},
		{"VTK", "# vtk DataFile Version 3.0\nx\nASCII\n", Options{}, "", "this is a VTK file"},
		{"LTspice", "T\x00i\x00t\x00l\x00e\x00:\x00\n\x00P\x00l\x00o\x00t\x00n\x00a\x00m\x00e\x00:\x00\n\x00B\x00i\x00n\x00a\x00r\x00y\x00:\x00\n\x00\x01\x02\x03\x00\x00", Options{}, "", "this is a raw file of SPICE"},
		{"separators that differ", "x,y\n1.5,2\n2;4\n3.5,7\n", Options{}, "", "row 3, column 2: 1 cell, the header has 2; its cells are separated by semicolons, and those of other rows by commas"},
		{"blanks in place of numbers", "    x      y    z\n  1.5    2.0    3\n  2.0           4\n  3.5    7.0    5\n  4.0    8.0    6\n         9.0    8\n", Options{}, "x: 1.5 3.5 4 | y: 2 7 8 | z: 3 5 6", "rows with blanks in place of a number, first row 3, are read by the positions of the columns"},
		{"a missing number between single blanks", "x y z\n1 2 3\n2 4\n3 7 5\n4 8 6\n", Options{}, "", "row 3, column 3: 2 cells, the header has 3; add the missing cells"},
		{"decimal commas, and commas with blanks", "x, y\n1,5, 2,0\n2,0, 4,0\n3,5, 7,0\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "commas with a blank behind them separate cells"},
		{"blanks behind some commas", "x, a, b, y\n1,5, 2,0\n2,7, 4,1\n3,5, 7,3\n", Options{}, "x: 1 2 3 | a: 5 7 5 | b: 2 4 7 | y: 0 1 3", ""},
		{"a column of NaN", "x,z,y\n1.5,NaN,2\n2,nan,4\n3.5,NaN,7\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "column z is NaN in every row and left out"},
		{"a dump of SQL", "-- dump\nPRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t (x, y);\nINSERT INTO t VALUES (1,2);\n", Options{}, "", "this is a list of SQL commands"},
		{"a pickle", "\x80\x04\x95\x00\x00", Options{}, "", "this is a pickle of Python"},
		{"rules in front of rows of LaTeX", "\\begin{longtable}{ll}\n\\hline x & y \\\\ \\hline\\endhead\n1.5 & 2\\\\\n\\cmidrule(lr){1-2} 2 & 4\\\\\n\\midrule 3.5 & 7\\\\\n\\end{longtable}", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "read as a table of LaTeX"},
		{"SQLite", "SQLite format 3\x00", Options{}, "", "SQLite"},
		{"PNG", "\x89PNG\r\n\x1a\n", Options{}, "", "this is a picture"},
		{"Arrow", "ARROW1\x00\x00", Options{}, "", "this is an Arrow file"},
		{"JCAMP-DX", "##TITLE=a\n##XYDATA=(X++(Y..Y))\n1 2 4 7\n5 8 9 12\n##END=\n", Options{}, "", "this is a JCAMP-DX file"},
		{"wiki", "{| class=\"wikitable\"\n! x !! y\n|-\n| 1 || 2\n|}\n", Options{}, "", "this is a table of a wiki"},
		{"dictionary of Python", "{'x': [1,2,3], 'y': [2,4,7]}\n", Options{}, "x: 1 2 3 | y: 2 4 7", "the file is read as JSON5"},
		{"lists of NumPy, printed", "[[1.5 2. ]\n [2.  4. ]]\n", Options{}, "", "these are lists"},
		{"pandas, shortened", "     x    y\n0  1.5  2.1\n1  2.0  4.0\n..  ...  ...\n9  4.0  8.1\n", Options{}, "", "row 2, column 3: 3 cells, the header has 2"},
		{"limits by ~", "x,y\n1,~2\n2,~4\n3,~7\n", Options{}, "", `row 2, column 2 (y): "~2" is not a number`},
		{"saturated", "x,y\n1,2\n2,>10\n3,7\n4,8\n5,9\n", Options{}, "", `row 3, column 2 (y): ">10"`},
		{"too small for a number", "x,y\n1,1e-400\n2,4e-400\n3,7e-400\n", Options{}, "", "the target is 0 (as are numbers below 5e-324) in all 3 rows"},
		{"too large for a number", "x,y\n1e400,2\n2e3,4\n3e3,7\n4e3,8\n", Options{}, "", `row 2, column 1 (x): "1e400" is not a finite number`},
		{"addresses", "x,y\n192.168.0.1,2\n192.168.0.2,4\n192.168.0.3,7\n", Options{}, "", `row 2, column 1 (x): "192.168.0.1"`},
		{"weeks", "week,y\n2025-W01,2\n2025-W02,4\n2025-W03,7\n", Options{}, "", `row 2, column 1 (week): "2025-W01"`},
		{"quarters", "q,y\n2025Q1,2\n2025Q2,4\n2025Q3,7\n", Options{}, "", `row 2, column 1 (q): "2025Q1"`},
		{"ranges", "x,y\n1-2,2\n2-3,4\n3-4,7\n", Options{}, "", `row 2, column 1 (x): "1-2"`},
		{"values of resistors", "R,I\n1k,2\n2k2,1\n4k7,0.5\n", Options{}, "", `row 2, column 1 (R): "1k"`},
		{"question marks", "x,y\n1,2?\n2,4\n3,7\n4,8\n", Options{}, "", `row 2, column 2 (y): "2?"`},
		{"doubled bars and carets", "x^y\n1^2\n2^4\n", Options{}, "", "t.csv: "},
		{"arrows", "x -> y\n1 -> 2\n2 -> 4\n", Options{}, "", `"->" holds no name`},
		{"pictures as names", "😀,😁\n1,2\n2,4\n", Options{}, "", "holds no name"},
		{"YAML", "- x: 1\n  y: 2\n- x: 2\n  y: 4\n", Options{}, "", "t.csv: "},
		{"a script of MATLAB", "A = [1 2; 2 4; 3 7];\n", Options{}, "", "t.csv: "},
		{"cells missing in the middle", "x,z,y\n1,2,3\n2\n3,7,8\n4,8,9\n", Options{}, "", "row 3, column 2: 1 cell, the header has 3"},
		{"a number without end", "x,y\n1," + strings.Repeat("2", 300000) + "\n2,4\n3,7\n", Options{}, "", "row 2, column 2 (y)"},
		{"a quote without end", "x,y\n1,\"2\n" + strings.Repeat("2,4\n", 5000), Options{}, "", "row 2: a quote"},
		{"a target of truth values", "x,y\n1,TRUE\n2,FALSE\n3,TRUE\n", Options{}, "", "column 2 (y): it holds truth values, which are text, and only one column holds numbers; write 1 and 0 for them"},
		{"a named target of truth values", "x,y,z\n1,TRUE,2\n2,FALSE,4\n3,TRUE,7\n", Options{Target: "y"}, "", "column 2 (y): the target holds text; write its truth values as 1 and 0, or name a column of numbers"},
		{"Roman numbers", "x,y\nI,2\nII,4\nIII,7\n", Options{}, "", "only one column holds numbers"},
		{"nothing but a target", "x,y\n1,\n2,\n3,\n", Options{}, "", "no column of numbers is left besides the target x"},
		{"R", "RDX3\nX\n", Options{}, "", "this is an R file"},
		{"RTF", "{\\rtf1 hello}", Options{}, "", "this is an RTF"},
		{"SQL", "CREATE TABLE t (x double);\nINSERT INTO t VALUES (1.5);\n", Options{}, "", "this is a list of SQL commands"},
		{"lists of C", "{1.5, 2},\n{2, 4},\n", Options{}, "", "these are lists of a programming language"},
		{"a matrix of Maple", "Matrix([[1.5,2],[2,4]])\n", Options{}, "", "these are lists of a programming language"},
		{"YAML in braces", "- {x: 1.5, y: 2}\n- {x: 2, y: 4}\n", Options{}, "", "these are lists of a programming language"},
		{"a title with a unit in brackets", "Unit:(mV)\n", Options{}, "", "t.csv: "},
		{"euros", "q;p\n1;1.200,50 €\n2;2.300,00 €\n3;3.100,75 €\n", Options{}, "", "write the numbers without the currency"},
		{"currencies in letters", "q,p\n1,USD 1200\n2,USD 1300\n3,USD 1500\n", Options{}, "", `row 2, column 2 (p): "USD 1200" is not a number, so that too few columns hold numbers; write the numbers without the currency`},
		{"macros of siunitx", "x,y\n1,\\num{1.5e-3}\n2,\\num{2.5e-3}\n", Options{}, "", `\num{1.5e-3}" is not a number, so that too few columns hold numbers`},
		{"months and years", "m;T\nJan 24;1,5\nFeb 24;2,5\nMrz 24;5,5\n", Options{}, "", `row 2, column 1 (m): "Jan 24" is not a number, so that too few columns hold numbers; write dates as 2025-01-31`},
		{"intervals", "bin,n\n\"[0, 10)\",5\n\"[10, 20)\",9\n", Options{}, "", "write the middle of a range, or its ends in two columns"},
		{"intervals of pandas", "bin,n\n\"(0.0, 10.0]\",5\n\"(10.0, 20.0]\",9\n", Options{}, "", "write the middle of a range, or its ends in two columns"},
		{"confidence intervals", "x,y\n1,\"2 (1.8, 2.2)\"\n2,\"4 (3.8, 4.2)\"\n", Options{}, "", "write the value and the limits of its error into columns of their own"},
		{"vectors in cells", "t;r\n0;1,2,3\n1;2,3,4\n2;3,9,1\n", Options{}, "", "a cell holds one number: write the values into columns of their own"},
		{"remarks after numbers, no comment above", "x,y\n1,2 # good\n2,4 # good\n3,7 # bad\n", Options{}, "", "remove the marks and comments after numbers"},
		{"times with blanks", "t,y\n12 34 56,2\n12 35 56,4\n12 36 56,7\n", Options{}, "", "write times as 12:30:05 in the whole column"},
		{"an error behind the exponent", "x,y\n1,1.2e-3(4)\n2,2.5e-3(4)\n", Options{}, "", "write the error in front of the exponent, as 2.03(5)e-3"},
		{"an error behind the exponent of Fortran", "x,y\n1,1.2d-3(4)\n2,2.5d-3(4)\n", Options{}, "", "1.2d-3(4)"},
		{"two numbers in a cell", "x,y\n1,1.234 5678\n2,2.345 6789\n", Options{}, "", "1.234 5678"},
		{"parts in brackets with tables", "[Run 1]\nx,y\n1,2\n2,4\n3,7\n[Run 2]\nx,y\n1,3\n2,5\n3,9\n", Options{}, "", "holds 2 tables"},
		{"zstd", "\x28\xb5\x2f\xfd\x00", Options{}, "", "compressed by zstd"},
		{"xz", "\xfd7zXZ\x00", Options{}, "", "compressed by xz"},
		{"empty zip", "PK\x05\x06" + strings.Repeat("\x00", 18), Options{}, "", "nothing to read"},
		{"broken npy", "\x93NUMPY\x01\x00\x05\x00abc", Options{}, "", "the NumPy array is broken"},
		{"npy without end", "\x93NUMPY\x01\x00", Options{}, "", "the NumPy array is broken"},
		{"broken Parquet", "PAR1....PAR1", Options{}, "", "the Parquet file is broken"},
		{"too large", "x,y\n" + strings.Repeat("1,2\n2,3\n", 5000), Options{Memory: 1000}, "", "the table is too large: 4096 rows of 2 columns"},
		{"sheet of npy", "\x93NUMPY\x01\x00", Options{Sheet: "a"}, "", "sheet: this file holds one table only"},
	} {
		t.Run(c.name, c.check)
	}
}

// Lines of text between the rows become a column of text, without what they have in common.
func TestRunLines(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{stepsOfLTspice, []string{"R=1K", "R=2K"}},
		{"x,y\nrun no. 1\n1,2\n,3\n2,4\nrun no. 2\n1,3\n3,5\n", []string{"1", "2"}},
		{"x,y\nProbe Fe\n1,2\nProbe Cu\n1,3\n3,5\nProbe Fe\n4,5\n", []string{"Fe", "Cu", "Fe"}},
	} {
		table, _, err := Read(strings.NewReader(c.in), "t.csv", Options{})
		if err != nil {
			t.Fatal(err)
		}
		run, _ := table.Category("run")
		var got []string
		for k := range run.Codes {
			if s := run.At(k); k == 0 || s != run.At(k-1) {
				got = append(got, s)
			}
		}
		if !slices.Equal(got, c.want) || len(run.Codes) != table.Rows() {
			t.Errorf("%q: %q", c.in, got)
		}
	}
}

func TestCategories(t *testing.T) {
	in := "kind,x,y,note\nu,1,2,\nv,2,4,late\nu,,5,\nu,4,7,\n"
	table, _, err := Read(strings.NewReader(in), "t.csv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	kind, ok := table.Category("kind")
	if !ok || len(kind.Groups()) != 2 || len(kind.Groups()[0]) != 2 || kind.At(1) != "v" || kind.At(2) != "u" {
		t.Errorf("kind %+v", kind)
	}
	if note, ok := table.Category("note"); !ok || note.At(0) != "" || note.At(1) != "late" || len(note.Codes) != 3 {
		t.Errorf("note %+v", note)
	}
	if part, _ := table.Subset([]int{2, 1}).Category("kind"); part.At(0) != "u" || part.At(1) != "v" {
		t.Errorf("of a part %+v", part)
	}
	if _, ok := table.Category("x"); ok {
		t.Error("x is not a category")
	}
}

// The first cell of an unusual format may be below the sampled rows. It then decides the format of
// its column.
func TestBelowSample(t *testing.T) {
	top := "x;y;z\n" + strings.Repeat("1;2;\n2;3;\n", 400)
	for _, c := range []oddFile{
		{"note", top + "3;4;late\n", Options{}, "802", "column z holds text"},
		{"decimal comma", top + "3;4,5;\n", Options{}, "802", "column z is empty"},
		{"date in a column of numbers", top + "3;2025-01-01;\n4;5;\n", Options{}, "", `row 802, column 2 (y): "2025-01-01"`},
		{"text in a column of numbers", top + "3;oops;\n4;5;\n", Options{}, "", `row 802, column 2 (y): "oops"`},
		{"second table", top + "\na;b\n3;4\n5;6\n", Options{}, "", "holds 2 tables: 1 from row 1 (x, y, z), 2 from row 803 (a, b)"},
		{"errors", top + "3;4±1;\n", Options{}, "802", "no standard error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, warnings, err := Read(strings.NewReader(c.in), "t.csv", c.options)
			said := strings.Join(warnings, "\n")
			if err != nil {
				said = err.Error()
			}
			if (err != nil) != (c.want == "") || !strings.Contains(said, c.say) {
				t.Errorf("table %t, said %q", table != nil, said)
			}
		})
	}
}

func FuzzCell(f *testing.F) {
	for _, s := range []string{"1,234.5", "2.03(5)", "1±2", "97.1%", "12:30:05", "2025-01-01", "1'234", "12,34,567", "(1±2)e3", "1 V", "+-1", "1e5", "((", "1(2", "±", "1 234,5(12)e-3", "−1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, decimal := range []byte{'.', ','} {
			v, ok := parseValue([]byte(s), decimal)
			if ok && (v.v != v.v || v.unsure && !(v.sigma >= 0)) {
				t.Errorf("%q is %g ± %g", s, v.v, v.sigma)
			}
		}
		kindOf([]byte(s))
		signOf([]byte(s))
	})
}
