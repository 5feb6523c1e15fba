package dataset

import "testing"

func TestDecimalSigns(t *testing.T) {
	const large = "N: 1200 2500 40000 | y: 103.923 150 600"
	checkAll(t, []oddFile{
		{"round thousands beside decimals", "N\ty\n1,200\t103.923\n2,500\t150.000\n40,000\t600.000\n", Options{}, large, "so that 1,200 is 1200"},
		{"round thousands with points beside decimals", "N\ty\n1.200\t103,923\n2.500\t150,000\n40.000\t600,000\n", Options{}, large, "so that 1.200 is 1200"},
		{"whole numbers below thousands", "N\ty\n200\t42.426\n800\t84.853\n1,200\t103.923\n2,515\t150.461\n", Options{}, "N: 200 800 1200 2515 | y: 42.426 84.853 103.923 150.461", "so that 1,200 is 1200"},
		{"whole numbers below thousands alone", "N\ty\n200\t4\n800\t8\n1,200\t10\n2,515\t15\n", Options{}, "N: 200 800 1200 2515 | y: 4 8 10 15", "so that 1,200 is 1200"},
		{"whole numbers below thousands with points", "N;y\n200;4\n800;8\n1.200;10\n2.515;15\n", Options{}, "N: 200 800 1200 2515 | y: 4 8 10 15", "so that 1.200 is 1200"},
		{"rising eighths", "x\ty\n1\t4\n1,125\t8\n1,375\t10\n2\t15\n", Options{}, "x: 1 1.125 1.375 2 | y: 4 8 10 15", "so that 1,125 is 1.125"},
		{"undecided", "N\ty\n1,217\t103.923\n2,531\t150.461\n40,319\t601.217\n", Options{}, "", "column 1 (N): it has 1,217 and column y has 103.923, and no cell shows which sign is decimal; name the decimal sign with --decimal"},
		{"undecided and said", "N\ty\n1,217\t103.923\n2,531\t150.461\n40,319\t601.217\n", Options{Decimal: '.'}, "N: 1217 2531 40319 | y: 103.923 150.461 601.217", "so that 1,217 is 1217"},
	})
}

func TestTrailingMinus(t *testing.T) {
	checkAll(t, []oddFile{
		{"first", "x,y\n5-,13.5-\n4-,10-\n0,2\n1,5\n", Options{}, "x: -5 -4 0 1 | y: -13.5 -10 2 5", "column x: a minus after a number is read as its sign, so that 5- is -5|so that 13.5- is -13.5"},
		{"between", "x;y\n3;11\n5-;13,5-\n2;8\n4−;1.010,5-\n", Options{}, "x: 3 -5 2 -4 | y: 11 -13.5 8 -1010.5", "so that 5- is -5"},
	})
}
