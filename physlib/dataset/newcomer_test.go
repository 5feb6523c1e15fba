package dataset

import "testing"

// Files that were misread in silence, or refused without need.
func TestNewcomers(t *testing.T) {
	const xy = "x: 1.5 2 3.5 | y: 2 4 7"
	for _, c := range []oddFile{
		// separators at the end of rows, not of the header: no names of rows
		{"counted rows that end in a separator", "x,y,z\n1,2,5,\n2,4,6,\n3,7,9,\n", Options{}, "x: 1 2 3 | y: 2 4 7 | z: 5 6 9", ""},
		{"two columns that end in one", "x,y\n1,2,\n2,4,\n3,7,\n", Options{}, "x: 1 2 3 | y: 2 4 7", ""},
		// titles over several columns
		{"names that are units as well, below titles", ",Run 1,,Run 2,\nl,t1,T1,t2,T2\n1,20,2,21,2.1\n3,28,2.8,29,2.9\n4,35,3.5,34,3.4\n", Options{}, "l: 1 3 4 | t1: 20 28 35 | T1: 2 2.8 3.5 | t2: 21 29 34 | T2: 2.1 2.9 3.4", `row 1, ",Run 1,,Run 2", is taken for a title`},
		// LaTeX
		{"a caption of LaTeX with &", "\\begin{table}\n\\caption{Pendulum, lengths & periods}\n\\begin{tabular}{S S}\n{$x$ / m} & {$y$ / s} \\\\\n1.5 & 2 \\\\\n2 & 4 \\\\\n3.5 & 7 \\\\\n\\end{tabular}\n\\end{table}\n", Options{}, "x [m]: 1.5 2 3.5 | y [s]: 2 4 7", "read as a table of LaTeX|is read as x in m"},
		// files that are no tables
		{"JCAMP-DX below an empty line", "\n ##TITLE= water\n##XYDATA=(X++(Y..Y))\n450 100 101 102\n454 103 104 105\n", Options{}, "", "this is a JCAMP-DX file"},
		{"a matrix of MATLAB", "A = [1 2; 2 4; 3 7; 4 9];\n", Options{}, "", "these are lists of a programming language"},
		{"lists of Python", "x = [1, 2, 3, 4]\ny = [2, 4, 7, 9]\n", Options{}, "", "these are lists of a programming language"},
		{"a tar archive", "a.csv" + string(make([]byte, 252)) + "ustar\x0000" + string(make([]byte, 300)), Options{}, "", "this is a tar archive, not a text table; unpack it first"},
		{"MATLAB since 7.3", "MATLAB 7.3 MAT-file, Platform: GLNXA64\x00\x01", Options{}, "", "this is a MATLAB file, not a text table; write its table by writetable"},
	} {
		t.Run(c.name, c.check)
	}
}
