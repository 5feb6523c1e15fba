package dataset

import "testing"

// Instruments and programs write any number of settings above a table.
func TestPreambles(t *testing.T) {
	const txy = "t: 0 1 2 | x: 1.5 2 4 | y: 2 4 7"
	const tx = "t: 0 1 2 | x: 1.5 2 4"
	for _, c := range []oddFile{
		{"an oscilloscope", "Model,TBS1102B\nFirmware Version,4.06\n\nWaveform Type,ANALOG\nHorizontal Units,s\nHorizontal Scale,0.001\nLabel,\n\nt,x,y\n0,1.5,2\n1,2,4\n2,4,7\n", Options{}, txy, `rows 1 to 7 are read as titles and settings: "Model,TBS1102B" to "Label"`},
		{"a spectrometer", "Data from a.txt Node\n\nDate: Wed Nov 12 10:15:22 CET 2025\nUser: lab\nIntegration Time (sec): 1.0E-1\nNumber of Pixels in Spectrum: 3\n>>>>>Begin Data<<<<<\n0\t1.5\n1\t2\n2\t4\n>>>>>End Data<<<<<\n", Options{}, "x1: 0 1 2 | y: 1.5 2 4", "rows 1 to 7|no header|row 11, \">>>>>End Data<<<<<\", below the table"},
		{"a diffractometer", "[Measurement]\nSample,quartz\nScan range,5,90\nNo. of points,3\n[Scan points]\nt,x\n0,1.5\n1,2\n2,4\n", Options{}, tx, "rows 1 to 5"},
		{"a potentiostat", "Nov. 12, 2025   10:11:12\nCyclic Voltammetry\nInit E (V) = 0\nScan Rate (V/s) = 0.1\n\nt, x\n\n0, 1.5\n1, 2\n2, 4\n", Options{}, tx, `row 3, "Init E (V) = 0"`},
		{"a thermobalance", "Sig1,Time (min)\nSig2,Temperature (°C)\nSig3,Weight (mg)\nStartOfData\n0,1.5,2\n1,2,4\n2,4,7\n", Options{}, "x1: 0 1 2 | x2: 1.5 2 4 | y: 2 4 7", `row 3, "Sig3,Weight (mg)", is read as a title|no header`},
		{"a data logger", "Plot Title: roof\n#,\"t, GMT+01:00\",\"x, °C (S/N: 1)\",Attached\n1,0,1.5,\n2,1,2,\n3,2,4,Logged\n4,3,5,\n", Options{}, "t_GMT_01_00: 0 1 2 3 | x_C_S_N_1: 1.5 2 4 5", `column "#" is called number|counts the rows`},
		{"LabVIEW", "LabVIEW Measurement\t\nSeparator\tTab\nDate\t2025/11/12\n***End_of_Header***\t\n\t\nChannels\t2\t\t\t\nSamples\t3\t3\t\t\nY_Unit_Label\tVolts\tVolts\t\t\nX0\t0\t0\t\t\nDelta_X\t0,1\t0,1\t\t\n***End_of_Header***\t\t\t\t\nt\tx\ty\tComment\n0\t1,5\t2\n1\t2\t4\n2\t4\t7\n", Options{}, txy, "the last column, Comment, is read as empty"},
		{"short names above units", "Run 1\nTime\tPosition\nT\tX\ns\tm\n\n0\t1.5\n1\t2\n2\t4\n", Options{}, "Time [s]: 0 1 2 | Position [m]: 1.5 2 4", `row 3, "T\tX", is read as a comment|row 4 is read as the columns' units`},
		{"numbers as names, above units", ",Trial,\nt,1,2\n(s),(cm),(cm)\n0,1.5,2\n1,2,4\n2,4,7\n", Options{}, "t [s]: 0 1 2 | x1 [cm]: 1.5 2 4 | x2 [cm]: 2 4 7", "row 2 is read as names|row 3 is read as the columns' units"},
		{"a diffractometer's line of settings", "Id: \"a\" Comment: \"b\" Operator: \"c\" Anode: \"Cu\" start: 5.0\n0 1.5\n1 2\n2 4\n", Options{}, "x1: 0 1 2 | y: 1.5 2 4", "is read as a title"},
		{"other separators in the header", "t;x;y\n0,1.5,2\n1,2,4\n2,4,7\n", Options{}, txy, ""},
		{"a separator at the header's end", "t,x,y,\n0,1.5,2\n1,2,4\n2,4,7\n", Options{}, txy, ""},
		{"units in parentheses, separated by blanks", "t (s) x (m)\n0 1.5\n1 2\n2 4\n", Options{}, "t [s]: 0 1 2 | x [m]: 1.5 2 4", "(s), (m) are read as their units"},
		{"names with blanks, wide gaps", "t  pos x  pos y\n0 1.5 2\n1 2 4\n2 4 7\n", Options{}, "t: 0 1 2 | pos_x: 1.5 2 4 | pos_y: 2 4 7", "is called pos_x"},
		{"pandas with a footer", "   x  y\n0  1.5  2\n1  2  4\n2  3.5  7\n\n[3 rows x 2 columns]\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "column 1 has no name|below the table"},
		{"a tibble", "# A tibble: 3 × 2\n      x     y\n  <dbl> <dbl>\n1   1.5     2\n2     2     4\n3   3.5     7\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "<dbl>"},
		{"thousands in a table of commas", "x,y\n1,234,2\n2,345,4\n3,456,7\n", Options{}, "", "row 2, column 3: 3 cells, the header has 2"},
		{"too few names", "site      day        T\n7 9 20250101  44.9 24 40.1\n7 9 20250102  45.9 24 41.1\n7 9 20250103  46.9 24 43.1\n", Options{}, "", "row 2"},
	} {
		t.Run(c.name, c.check)
	}
}
