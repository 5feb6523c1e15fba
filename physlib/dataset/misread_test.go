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
	} {
		t.Run(c.name, c.check)
	}
}
