package dataset

import "testing"

// Files of instruments, and what microcontroller boards print, are read.
func TestInstruments(t *testing.T) {
	const lvm = "LabVIEW Measurement\t\nSeparator\tTab\nTime_Pref\tRelative\n***End_of_Header***\t\n\t\nChannels\t2\t\nSamples\t4\t4\nY_Unit_Label\tV\tmA\nX_Dimension\tTime\tTime\nX0\t0,5\t0,5\nDelta_X\t0,25\t0,25\n***End_of_Header***\t\n"
	for _, c := range []oddFile{
		{"LabVIEW with times", lvm + "X_Value\tU\tI\tComment\n0,50\t1,5\t2\n0,75\t2\t4\n1,00\t3,5\t7\n", Options{}, "X_Value [s]: 0.5 0.75 1 | U [V]: 1.5 2 3.5 | I [mA]: 2 4 7", "column Comment is empty"},
		{"LabVIEW without times", lvm + "X_Value\tU\tI\tComment\n\t1,5\t2\n\t2,5\t4\n\t3,5\t7\n", Options{}, "X_Value [s]: 0.5 0.75 1 | U [V]: 1.5 2.5 3.5 | I [mA]: 2 4 7", "X_Value is empty and is filled from X0 and Delta_X"},
		{"LabVIEW, a bad cell", lvm + "X_Value\tU\tI\tComment\n0,50\t1,5\t2\n0,75\t2\toops\n1,00\t3,5\t7\n1,25\t3,5\t7\n", Options{}, "", `row 15, column 3 (I): "oops" is not a number`},
		{"Rigol, two channels", "X,CH1,CH2,Start,Increment,\nSequence,VOLT,AMP,-6.0e-03,1.0e-03\n0,1.5,2,,\n1,2,4,,\n2,3.5,7,,\n", Options{}, "t [s]: -0.006 -0.005 -0.004 | CH1 [V]: 1.5 2 3.5 | CH2 [A]: 2 4 7", "column X counts the samples and is read as the time in seconds, from -0.006 in steps of 0.001"},
		{"Rigol, one channel", "X,CH1,Start,Increment,\r\nSequence,Volt,0,2.0e-03\r\n0,1.5,\r\n1,2,\r\n2,3.5,\r\n", Options{}, "t [s]: 0 0.002 0.004 | CH1 [V]: 1.5 2 3.5", "column X counts"},
		{"settings next to the table", "Record Length,5e+02,,-2,0.5,\nSource,CH1,,-1,1.5,\nVertical Units,V,,0,2,\nModel,TDS2024B,,1,3.5,\n,,,2,7,\n", Options{}, "x1: -2 -1 0 1 2 | y: 0.5 1.5 2 3.5 7", "columns 1 to 3 hold settings next to the table"},
		{"settings without an empty column", "Length,5,Points,-2,1\nSource,CH1,,-1,2\nUnits,V,,0,4\n,,,1,5\n,,,2,6\n,,,3,7\n,,,4,9\n", Options{}, "x1: -2 -1 0 1 2 3 4 | y: 1 2 4 5 6 7 9", "columns 1 to 3 hold settings"},
		{"names of rows are not settings", "a,u,1.5,2\nb,u,2,4\nc,v,3.5,7\nd,v,4,9\n", Options{}, "x3: 1.5 2 3.5 4 | y: 2 4 7 9", "column x1 holds text and is set aside as labels|column x2 holds text and is set aside as categories"},
		{"serial plotter", "t:0.5,T:1.5,H:2\nt:1,T:2,H:4\nt:1.5,T:3.5,H:7\n", Options{}, "t: 0.5 1 1.5 | T: 1.5 2 3.5 | H: 2 4 7", "the names in front of the values are read as those of the columns: t, T, H"},
		{"values with names and units", "Temp = 1.5 C, R = 2 ohm\nTemp = 2 C, R = 4 ohm\nTemp = 3.5 C, R = 7 ohm\n", Options{}, "Temp [°C]: 1.5 2 3.5 | R [ohm]: 2 4 7", "[C] is read as °C"},
		{"x=1 y=2", "x=1.5 y=2\nx=2 y=4\nx=3.5 y=7\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "x, y"},
		{"a line of other names", "x=1.5 y=2\nx=2 y=4\nx=3.5 z=7\nx=4 y=9\nx=5 y=9\n", Options{}, "x: 1.5 2 4 5 | y: 2 4 9 9", `row 3, "x=3.5 z=7", holds one text alone and is left out`},
		{"settings are not rows", "a: 1\nb: 2\nx,y\n1.5,2\n2,4\n3.5,7\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", "is read as a title"},
		{"Siglent, two channels", "Record Length,Analog:3\nVertical Units,CH1:V,CH2:V\nVertical Scale,CH1:1.00,CH2:2.00\nHorizontal Units,s\nSource,CH1,CH2\nSecond,Volt,Volt\n-1,1.5,2\n0,2,4\n1,3.5,7\n", Options{}, "Time [Second]: -1 0 1 | CH1 [Volt]: 1.5 2 3.5 | CH2 [Volt]: 2 4 7", "row 6 is read as the columns' units"},
		{"Siglent, only values", "Record Length,Analog:3\nVertical Units,CH1:V,CH2:A\nHorizontal Units,s\nSource,CH1,CH2\nSecond,Value,Value\n-1,1.5,2\n0,2,4\n1,3.5,7\n", Options{}, "Time [s]: -1 0 1 | CH1 [V]: 1.5 2 3.5 | CH2 [A]: 2 4 7", "the rows above Source are read as settings"},
		{"LabVIEW without X_Value", "LabVIEW Measurement\t\nX_Columns\tNo\n***End_of_Header***\t\nX_Dimension\tTime\t\nX0\t1.0\t\nDelta_X\t0.5\t\n***End_of_Header***\t\t\n\tVoltage_0\tComment\n\t2\n\t4\n\t7\n", Options{}, "X_Value [s]: 1 1.5 2 | Voltage_0: 2 4 7", "is filled from X0 and Delta_X"},
		{"Siglent, one channel", "Record Length,Analog:3\nVertical Units,CH1:V\nVertical Offset,CH1:0.00\nHorizontal Units,s\nModel Number,SDS1104X-E\nSource,CH1\nSecond,Volt\n-1,2\n0,4\n1,7\n", Options{}, "Time [Second]: -1 0 1 | CH1 [Volt]: 2 4 7", "rows 1 to 5 are read as titles and settings|row 7 is read as the columns' units"},
		{"Keysight", "x-axis,1,2\nsecond,Volt,Volt\n-1,1.5,2\n0,2,4\n1,3.5,7\n", Options{}, "x_axis [second]: -1 0 1 | x1 [Volt]: 1.5 2 3.5 | x2 [Volt]: 2 4 7", "row 1 is read as names|row 2 is read as the columns' units"},
		{"Tektronix", "Model,MSO4034\n\nWaveform Type,ANALOG,,\nHorizontal Units,s,,\nHorizontal Scale,4e-06,,\n,,,\nSample Interval,1e-03\nGating,0.0% to 100.0%\nProbe Attenuation,10,1\nVertical Units,V,V\nVertical Offset,0,0\nVertical Scale,0.5,0.5\n,,,\nLabel,,\nTIME,CH1,CH2\n-1,1.5,2\n0,2,4\n1,3.5,7\n", Options{}, "TIME [s]: -1 0 1 | CH1 [V]: 1.5 2 3.5 | CH2 [V]: 2 4 7", "rows 1 to 14 are read as titles and settings|the units of the columns, s, V, V, are those of the settings above"},
		{"GW Instek", "Format,2.0B,\nMemory Length,3,\nTrigger Level,0.0,\nVertical Units,V,\nSampling Period,1.0e-03,\nFirmware,V1.11,\nTime,12-Mar-25 10:11:12,\nWaveform Data,,\n-1,2,\n0,4,\n1,7,\n", Options{}, "x1: -1 0 1 | y: 2 4 7", "rows 1 to 8 are read as titles and settings"},
		{"Yokogawa", "\"Model Name\",\"DLM2054\"\n\"BlockNumber\",1\n\"TraceName\",\"CH1\",\"CH2\"\n\"BlockSize\",8,8\n\"VUnit\",\"V\",\"V\"\n\"SampleRate\",1.0E+03,1.0E+03\n\n,1.5,2,\n,2,4,\n,3.5,7,\n", Options{}, "x2: 1.5 2 3.5 | y: 2 4 7", "rows 1 to 6 are read as titles and settings|no header"},
		{"units of settings for other columns", "Horizontal Units,s\nVertical Units,V\nTIME,CH1,CH2\n-1,1.5,2\n0,2,4\n1,3.5,7\n", Options{}, "TIME: -1 0 1 | CH1: 1.5 2 3.5 | CH2: 2 4 7", "is read as a title"},
		{"Rigol, times and steps", "Time(s),CH1(V),CH2(A),t0 =-1.0e-03, tInc = 1.0e-03,\n-1,1.5,2,,\n0,2,4,,\n1,3.5,7,,\n", Options{}, "Time [s]: -1 0 1 | CH1 [V]: 1.5 2 3.5 | CH2 [A]: 2 4 7", ""},
		{"Rigol, times and steps, units without brackets", "Time(s),CH1V,t0 = -1.0e-03, tInc = 1.0e-03,\n-1,2,,,\n0,4,,,\n1,7,,,\n", Options{}, "Time [s]: -1 0 1 | CH1 [V]: 2 4 7", ""},
		{"EasyEXPERT", "SetupTitle, Id-Vg\nTestParameter, Channel.Unit, SMU1:HR, SMU2:MP\nDimension1, 3, 3\nDataName, Vg, Id\nDataValue, 0, 2\nDataValue, 0.1, 4\nDataValue, 0.2, 7\n", Options{}, "Vg: 0 0.1 0.2 | Id: 2 4 7", "the rows DataName and DataValue are read as the table"},
		{"Igor", "IGOR\nWAVES/D\tt\tU\nBEGIN\n\t1.5\t2\n\t2\t4\n\t3.5\t7\nEND\nX SetScale x 0,1,\"s\", t\n", Options{}, "t: 1.5 2 3.5 | U: 2 4 7", ""},
		{"TA Instruments", "Instrument: DSC Q20\nSize 5.2 mg\nSig1 Time (min)\nSig2 Temperature (°C)\nSig3 Heat Flow (mW)\nStartOfData\n1 1.5 2\n2 2 4\n3 3.5 7\n", Options{}, "Time [min]: 1 2 3 | Temperature [°C]: 1.5 2 3.5 | Heat_Flow [mW]: 2 4 7", "the lines above StartOfData are read as settings"},
		{"IPAC", "\\fixlen = T\n|   ra     |  dec    | mag  |\n|  double  | double  | real |\n|  deg     |  deg    | mag  |\n  1  1.5   2\n  2  2   4\n  3 3.5   7\n", Options{}, "ra [deg]: 1 2 3 | dec [deg]: 1.5 2 3.5 | mag: 2 4 7", ""},
		{"a factor of MATLAB", "   1.0e+03 *\n\n    0.0015    0.0020\n    0.0020    0.0040\n    0.0035    0.0070\n", Options{}, "x1: 1.5 2 3.5 | y: 2 4 7", "all numbers are multiplied by the factor 1.0e+03 above them"},
		{"names P1, P2 are not units", "Name,P1 - length,P2 - load\n#,P1,P2\na,1.5,2\nb,2,4\nc,3.5,7\n", Options{}, "P1_length: 1.5 2 3.5 | P2_load: 2 4 7", `row 2, "#,P1,P2", is read as a comment`},
		{"ORTEC", "$SPEC_ID:\nbackground\n$DATA:\n0 2\n10\n12\n15\n", Options{}, "", "this is a spectrum in ORTEC's form"},
		{"CDS", "Title: Masses\n====\nByte-by-byte Description of file: a.txt\n----\n   1-  4 A4     ---     Name   Name\n   6- 10 F5.2   Msun    M      Mass\n----\nSirA  2.06\nAlpA  1.08\n", Options{}, "", "this is a machine-readable table of AAS or CDS"},
		{"times of the Arduino IDE", "10:12:13.000 -> ready\n10:12:13.250 -> 1.5,2\n10:12:13.500 -> 2,4\n10:12:14.000 -> 3.5,7\n", Options{}, "x1 [s]: 0 0.25 0.75 | x2: 1.5 2 3.5 | y: 2 4 7", "the times in front of -> are read as a column"},
		{"times and names", "10:12:13.250 -> T:1.5\tH:2\n10:12:13.500 -> T:2\tH:4\n10:12:14.000 -> T:3.5\tH:7\n", Options{}, "time [s]: 0 0.25 0.75 | T: 1.5 2 3.5 | H: 2 4 7", "time"},
		{"names next to settings", "Record Length,8,,TIME,CH1\nSample Interval,1e-6,s,-1,1.5\nTrigger Point,4,Samples,0,2\n,,,1,3.5\n,,,2,4\n,,,3,5\n,,,4,6\n", Options{}, "TIME: -1 0 1 2 3 4 | CH1: 1.5 2 3.5 4 5 6", "columns 1 to 3 hold settings next to the table"},
		{"parts in brackets", "[SpectrumHeader]\nDate;20240301\nXAxisUnit;nm_air\nYAxisUnit;intensity\n[Data]\n400,1;1,5\n400,2;2\n400,3;3,5\n", Options{}, "x1: 400.1 400.2 400.3 | y: 1.5 2 3.5", `"[SpectrumHeader]" to "[Data]"|no header`},
		{"a log", "2025-01-31 10:00:00 INFO x=1.5 y=2\n2025-01-31 10:00:01 INFO x=2 y=4\n2025-01-31 10:00:03 INFO x=3.5 y=7\n", Options{}, "time [s]: 0 1 3 | x: 1.5 2 3.5 | y: 2 4 7", `the text in front of the names, "INFO", is left out`},
		{"a log in colours", "\x1b[0;32mI (123) bmp: T=1.5 H=2\x1b[0m\n\x1b[0;32mI (223) bmp: T=2 H=4\x1b[0m\n\x1b[0;32mI (323) bmp: T=3.5 H=7\x1b[0m\n", Options{}, "time [ms]: 123 223 323 | T: 1.5 2 3.5 | H: 2 4 7", `the text in front of the names, "bmp:", is left out`},
		{"a log of two sensors", "A: x=1.5 y=2\nB: x=2 y=4\nA: x=3.5 y=7\nB: x=4 y=8\n", Options{}, "", `"y=4" is not a number, so that too few columns hold numbers`},
		{"a column called #, then tabs", "#\tID\tx\ty\n1\ta\t1.5\t2\n2\tb\t2\t4\n3\tc\t3.5\t7\n4\td\t4\t8\n", Options{}, "x: 1.5 2 3.5 4 | y: 2 4 7 8", "column number counts the rows from 1|column ID holds text"},
		{"a comment by # and tabs", "#\tx\ty\n1.5\t2\n2\t4\n3.5\t7\n", Options{}, "x: 1.5 2 3.5 | y: 2 4 7", ""},
		{"components in brackets", "time,v[1],v[2]\n0,1.5,2\n1,2,4\n2,3.5,7\n", Options{}, "time: 0 1 2 | v_1: 1.5 2 3.5 | v_2: 2 4 7", ""},
		{"one dimensionless quantity", "n[1],v[m/s]\n1.5,2\n2,4\n3.5,7\n", Options{}, "n [1]: 1.5 2 3.5 | v [m/s]: 2 4 7", ""},
	} {
		t.Run(c.name, c.check)
	}
}
