package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// columnFile returns a table separated by semicolons with x = 1, 2, … and the given cells as the
// target.
func columnFile(cells ...string) string {
	var b strings.Builder
	b.WriteString("x [m];y\n")
	for i, c := range cells {
		fmt.Fprintf(&b, "%d;%s\n", i+1, c)
	}
	return b.String()
}

// TestCells reads a file for each way to write a column of numbers.
func TestCells(t *testing.T) {
	for _, c := range []struct {
		cells  string // separated by |
		values []float64
		sigma  []float64
		unit   string
		warn   string // part of a warning; "": no warning
	}{
		// decimal signs
		{"1.5|2.5|3", []float64{1.5, 2.5, 3}, nil, "", ""},
		{"1,5|2,5|3", []float64{1.5, 2.5, 3}, nil, "", ""},
		{"0,942|1,37|12", []float64{0.942, 1.37, 12}, nil, "", ""},
		{"0,125|0,250|0,375", []float64{.125, .25, .375}, nil, "", ""},
		{"1,250|2,375|3,125", []float64{1.25, 2.375, 3.125}, nil, "", "so that 1,250 is 1.25; if that is wrong, give --decimal point"},
		{"1.250|2.375|3.125", []float64{1.25, 2.375, 3.125}, nil, "", "so that 1.250 is 1.25; if that is wrong, give --decimal comma"},
		{",5|,25|1", []float64{.5, .25, 1}, nil, "", ""},
		{"5,|6,|7,", []float64{5, 6, 7}, nil, "", ""},
		{"1,5e3|2,5E-2|3", []float64{1500, .025, 3}, nil, "", ""},
		{"1,234e3|2,345e3|3,456e3", []float64{1234, 2345, 3456}, nil, "", ""},
		{"1.5d3|2.5D+2|3", []float64{1500, 250, 3}, nil, "", ""},
		{"-1,5|+2,5|−3,5", []float64{-1.5, 2.5, -3.5}, nil, "", ""},
		{"–1.5|‐2.5|－3.5", []float64{-1.5, -2.5, -3.5}, nil, "", ""},
		{"1e3|2e3|3e3", []float64{1000, 2000, 3000}, nil, "", ""},
		{"5.683e+26|8.681e+25|1.024e+26", []float64{5.683e26, 8.681e25, 1.024e26}, nil, "", ""},
		// thousands
		{"1,234.5|2,345.5|10", []float64{1234.5, 2345.5, 10}, nil, "", "so that 1,234.5 is 1234.5"},
		{"1.234,5|2.345,5|10", []float64{1234.5, 2345.5, 10}, nil, "", "so that 1.234,5 is 1234.5"},
		{"1 234,5|2 345,5|10", []float64{1234.5, 2345.5, 10}, nil, "", "so that 1 234,5 is 1234.5"},
		{"1\u00a0234,5|2\u00a0345,5|10,5", []float64{1234.5, 2345.5, 10.5}, nil, "", "1234.5"},
		{"1\u202f234,5|2\u202f345,5|10,5", []float64{1234.5, 2345.5, 10.5}, nil, "", "1234.5"},
		{"1\u2009234.5|2\u2009345.5|10.5", []float64{1234.5, 2345.5, 10.5}, nil, "", "1234.5"},
		{"1'234.5|2'345.5|10", []float64{1234.5, 2345.5, 10}, nil, "", "so that 1'234.5 is 1234.5"},
		{"1’234.5|2’345.5|10", []float64{1234.5, 2345.5, 10}, nil, "", "1234.5"},
		{"12,34,567|1,23,456|999", []float64{1234567, 123456, 999}, nil, "", "so that 12,34,567 is 1234567"},
		{"12,34,567.25|1,23,456.5|999", []float64{1234567.25, 123456.5, 999}, nil, "", "1234567.25"},
		{"1,234,567|2,345,678|999", []float64{1234567, 2345678, 999}, nil, "", "1234567"},
		{"1.234.567|2.345.678|999", []float64{1234567, 2345678, 999}, nil, "", "1234567"},
		{"1 234 567|2 345 678|999", []float64{1234567, 2345678, 999}, nil, "", "1234567"},
		{"-1,234.5|+2,345.5|0.5", []float64{-1234.5, 2345.5, .5}, nil, "", "1234.5"},
		{"1,234|5,678.9|1", []float64{1234, 5678.9, 1}, nil, "", "1234"},
		{"1.234|5.678,9|1", []float64{1234, 5678.9, 1}, nil, "", "1234"},
		{"6.674 30|6.674 31|6.674 32", []float64{6.6743, 6.67431, 6.67432}, nil, "", "6.6743"},
		{"1.602 176 6208|1.602 176 6209|1.602 176 6210", []float64{1.6021766208, 1.6021766209, 1.602176621}, nil, "", "1.602 176 6208 is 1.602176621"},
		// powers of ten in print
		{"2.5×10^-3|4×10^-3|1×10^2", []float64{.0025, .004, 100}, nil, "", ""},
		{"2.5×10⁻³|4·10⁻³|1·10²", []float64{.0025, .004, 100}, nil, "", ""},
		{"2.5 x 10^-3|4*10**-3|1X10^{2}", []float64{.0025, .004, 100}, nil, "", ""},
		{"2,5×10^-3|4,25×10^-3|1×10^2", []float64{.0025, .00425, 100}, nil, "", ""},
		{"2.5*^-3|4.*^-3|1*^2", []float64{.0025, .004, 100}, nil, "", ""},
		{"10^-3|10^2|-10⁴", []float64{.001, 100, -1e4}, nil, "", ""},
		{`$2.5 \times 10^{-3}$|$4 \cdot 10^{-3}$|$1 \times 10^2$`, []float64{.0025, .004, 100}, nil, "", ""},
		{"5×10^3 m²|6×10^3 m²|7×10^3 m²", []float64{5e3, 6e3, 7e3}, nil, "m²", "m² after"},
		{"2.03(5)×10^-3|4.10(5)×10⁻³|6.00(5)×10^-3", []float64{.00203, .0041, .006}, []float64{5e-5, 5e-5, 5e-5}, "", "y_err"},
		{"(2.03±0.05)×10^-3|(4.1±0.05)×10^-3|(6±0.1)×10^-3", []float64{.00203, .0041, .006}, []float64{5e-5, 5e-5, 1e-4}, "", "y_err"},
		{"2×10^3±5×10^1|3×10^3±5×10^1|4×10^3±1×10^2", []float64{2000, 3000, 4000}, []float64{50, 50, 100}, "", "y_err"},
		// standard errors
		{"2.03 -/+ 0.05|4.1∓0.05|6 -/+ 0.1", []float64{2.03, 4.1, 6}, []float64{.05, .05, .1}, "", "y_err"},
		{`$2.03 \pm 0.05$|$4.1 \pm 0.05$|$6 \pm 0.1$`, []float64{2.03, 4.1, 6}, []float64{.05, .05, .1}, "", "y_err"},
		{"2.03±0.05|4.1±0.05|6±0.1", []float64{2.03, 4.1, 6}, []float64{.05, .05, .1}, "", "y_err"},
		{"2.03 ± 0.05|4.1 ± 0.05|6 ± 0.1", []float64{2.03, 4.1, 6}, []float64{.05, .05, .1}, "", "y_err"},
		{"2,03 ± 0,05|4,1 ± 0,05|6 ± 0,1", []float64{2.03, 4.1, 6}, []float64{.05, .05, .1}, "", "y_err"},
		{"2.03 (±0.05)|4.1 (±0.05)|6 (+/-0.1)", []float64{2.03, 4.1, 6}, []float64{.05, .05, .1}, "", "y_err"},
		{"2.03+/-0.05|4.1+/-0.05|6+/-0.1", []float64{2.03, 4.1, 6}, []float64{.05, .05, .1}, "", "y_err"},
		{"2.03+-0.05|4.1+-0.05|6+-0.1", []float64{2.03, 4.1, 6}, []float64{.05, .05, .1}, "", "y_err"},
		{`2.03\pm0.05|4.1\pm 0.05|6 \pm 0.1`, []float64{2.03, 4.1, 6}, []float64{.05, .05, .1}, "", "y_err"},
		{"2.03(5)|4.10(5)|6.0(1)", []float64{2.03, 4.1, 6}, []float64{.05, .05, .1}, "", "y_err"},
		{"2,03(5)|4,10(5)|6,0(1)", []float64{2.03, 4.1, 6}, []float64{.05, .05, .1}, "", "y_err"},
		{"2.03(12)|4.10(12)|6.00(12)", []float64{2.03, 4.1, 6}, []float64{.12, .12, .12}, "", "y_err"},
		{"2.03 (5)|4.10 (5)|6.00 (5)", []float64{2.03, 4.1, 6}, []float64{.05, .05, .05}, "", "y_err"},
		{"12(3)|15(3)|18(4)", []float64{12, 15, 18}, []float64{3, 3, 4}, "", "y_err"},
		{"20.3(1.5)|22.3(1.5)|25.0(1.2)", []float64{20.3, 22.3, 25}, []float64{1.5, 1.5, 1.2}, "", "y_err"},
		{"-2.03(5)|-4.10(5)|-6.00(5)", []float64{-2.03, -4.1, -6}, []float64{.05, .05, .05}, "", "y_err"},
		{"2.03(5)e3|4.10(5)e3|6.00(5)e3", []float64{2030, 4100, 6000}, []float64{50, 50, 50}, "", "y_err"},
		{"6.674 30(15)e-11|6.674 31(15)e-11|6.674 32(15)e-11", []float64{6.6743e-11, 6.67431e-11, 6.67432e-11}, []float64{1.5e-15, 1.5e-15, 1.5e-15}, "", "y_err"},
		{"(2.03±0.05)e3|(4.1±0.05)e3|(6±0.1)e3", []float64{2030, 4100, 6000}, []float64{50, 50, 100}, "", "y_err"},
		{"1e3±5|2e3±5|3e3±1e1", []float64{1000, 2000, 3000}, []float64{5, 5, 10}, "", "y_err"},
		{"1,234.5±0.5|2,345.5±0.5|10±1", []float64{1234.5, 2345.5, 10}, []float64{.5, .5, 1}, "", "y_err"},
		{"(97.1±0.5)%|(50±0.5)%|(3±0.1)%", []float64{97.1, 50, 3}, []float64{.5, .5, .1}, "%", "y_err"},
		{"97.1%±0.5%|50%±0.5%|3%±0.1%", []float64{97.1, 50, 3}, []float64{.5, .5, .1}, "%", "y_err"},
		{"5 V±2%|10 V±2%|20 V±1%", []float64{5, 10, 20}, []float64{.1, .2, .2}, "V", "y_err"},
		{"5±0.1 V|10±0.2 V|20±0.2 V", []float64{5, 10, 20}, []float64{.1, .2, .2}, "V", "y_err"},
		{"2.03±0|4.1±0.05|6±0.1", []float64{2.03, 4.1, 6}, nil, "", "its standard error is 0"},
		{"2.03±0.05|4.1|6±0.1", []float64{2.03, 4.1, 6}, nil, "", "no standard error"},
		{"2.03|4.1|6(1)", []float64{2.03, 4.1, 6}, nil, "", "no standard error"},
		// units after numbers
		{"97.1%|94.5%|85.4%", []float64{97.1, 94.5, 85.4}, nil, "%", "% after its numbers"},
		{"97,1 %|94,5 %|85,4 %", []float64{97.1, 94.5, 85.4}, nil, "%", "% after its numbers"},
		{"5 V|6 V|7.5 V", []float64{5, 6, 7.5}, nil, "V", "V after its numbers"},
		{"5V|6V|7.5V", []float64{5, 6, 7.5}, nil, "V", "V after its numbers"},
		{"5 m/s|6 m/s|7 m/s", []float64{5, 6, 7}, nil, "m/s", "m/s after"},
		{"20°C|21°C|25°C", []float64{20, 21, 25}, nil, "°C", "°C after"},
		// missing values
		{"1||3|4", []float64{1, 3, 4}, nil, "", "1 row of 4 set aside, where cells are missing: row 3, y (empty)"},
		{"1|-|3|4", []float64{1, 3, 4}, nil, "", `row 3, y ("-")`},
		{"1|n/a|3|4", []float64{1, 3, 4}, nil, "", `row 3, y ("n/a")`},
		{"1|NA|3|4", []float64{1, 3, 4}, nil, "", `("NA")`},
		{"1|#VALUE!|3|4", []float64{1, 3, 4}, nil, "", `("#VALUE!")`},
		{"1|#DIV/0!|3|4", []float64{1, 3, 4}, nil, "", `("#DIV/0!")`},
		{"1|#NAME?|3|4", []float64{1, 3, 4}, nil, "", `("#NAME?")`},
		{"1|#WERT!|3|4", []float64{1, 3, 4}, nil, "", `("#WERT!")`},
		{"1|#N/A|3|4", []float64{1, 3, 4}, nil, "", `("#N/A")`},
		{"1|#NV|3|4", []float64{1, 3, 4}, nil, "", `("#NV")`},
		{"1|null|3|4", []float64{1, 3, 4}, nil, "", "null"},
		{"1|None|3|4", []float64{1, 3, 4}, nil, "", "None"},
		{"1|k.A.|3|4", []float64{1, 3, 4}, nil, "", "k.A."},
		{"1|—|3|4", []float64{1, 3, 4}, nil, "", "—"},
		{"1|...|3|4", []float64{1, 3, 4}, nil, "", "..."},
		{"1|?|3|4", []float64{1, 3, 4}, nil, "", "?"},
		{"1|#####|3|4", []float64{1, 3, 4}, nil, "", "#####"},
		{"1|*****|3|4", []float64{1, 3, 4}, nil, "", "*****"},
		{"1|masked|3|4", []float64{1, 3, 4}, nil, "", "masked"},
		{`1|\N|3|4`, []float64{1, 3, 4}, nil, "", `\N`},
		{"1|NaT|3|4", []float64{1, 3, 4}, nil, "", "NaT"},
		{"1|ND|3|4", []float64{1, 3, 4}, nil, "", "ND"},
		{"1|unknown|3|4", []float64{1, 3, 4}, nil, "", "unknown"},
		{"1|\"\"|3|4", []float64{1, 3, 4}, nil, "", "empty"},
		// dates and times
		{"2025-01-01|2025-01-02|2025-01-05", []float64{0, 1, 4}, nil, "d", "days since 2025-01-01"},
		{"2025-1-1|2025-1-2|2025-1-5", []float64{0, 1, 4}, nil, "d", "days since 2025-01-01"},
		{"2025/01/01|2025/01/02|2025/01/05", []float64{0, 1, 4}, nil, "d", "days since"},
		{"31.12.2024|01.01.2025|04.01.2025", []float64{0, 1, 4}, nil, "d", "days since 2024-12-31"},
		{"2025-01-05|2025-01-02|2025-01-01", []float64{0, -3, -4}, nil, "d", "days since 2025-01-05"},
		{"2024-02-28|2024-02-29|2024-03-01", []float64{0, 1, 2}, nil, "d", "days since"},
		{"2025-01-01T00:00:00|2025-01-01T00:01:00|2025-01-02T00:00:00", []float64{0, 60, 86400}, nil, "s", "seconds since 2025-01-01"},
		{"2025-01-01 12:00|2025-01-01 12:01|2025-01-01 13:00", []float64{0, 60, 3600}, nil, "s", "seconds since 2025-01-01 12:00:00"},
		{"2025-01-01T12:00:00.5Z|2025-01-01T12:00:01.75Z|2025-01-01T12:00:02Z", []float64{0, 1.25, 1.5}, nil, "s", "seconds since"},
		{"2025-01-01T12:00:00+01:00|2025-01-01T12:00:00+00:00|2025-01-01T14:00:00+02:00", []float64{0, 3600, 3600}, nil, "s", "seconds since"},
		{"01.02.2025 08:00|01.02.2025 09:00|02.02.2025 08:00", []float64{0, 3600, 86400}, nil, "s", "seconds since"},
		{"2025-01-01||2025-01-05|2025-01-07", []float64{0, 4, 6}, nil, "d", "days since"},
		{"2025-01-01 12:00:00 UTC|2025-01-01 12:01:00 GMT|2025-01-01T12:02:00Z", []float64{0, 60, 120}, nil, "s", "seconds since"},
		{"20250101T120000Z|20250101T120130Z|20250101T130000+0100", []float64{0, 90, 0}, nil, "s", "seconds since"},
		{"2025-01-01 1:30 PM|2025-01-01 1:31:00 pm|2025-01-01 02:00 PM", []float64{0, 60, 1800}, nil, "s", "seconds since 2025-01-01 13:30:00"},
		{"1 Jan 2025|2 Jan 2025|1 Feb 2025", []float64{0, 1, 31}, nil, "d", "days since 2025-01-01"},
		{"01-Jan-2025|02-JAN-2025|1-feb-25", []float64{0, 1, 31}, nil, "d", "days since 2025-01-01"},
		{"Jan 1, 2025|January 2, 2025|Feb 1, 2025", []float64{0, 1, 31}, nil, "d", "days since 2025-01-01"},
		{"Wed, 01 Jan 2025 12:00:00 GMT|Wed, 01 Jan 2025 12:01:00 GMT|Thu, 02 Jan 2025 12:00:00 GMT", []float64{0, 60, 86400}, nil, "s", "seconds since"},
		{"01-02-2025|02-02-2025|13-02-2025", []float64{0, 1, 12}, nil, "d", "day/month/year, as days since 2025-02-01"},
		{"1/31/25|2/1/25|2/2/25", []float64{0, 1, 2}, nil, "d", "month/day/year, as days since 2025-01-31"},
		{"31.01.25|01.02.25|02.02.25", []float64{0, 1, 2}, nil, "d", "days since 2025-01-31"},
		{"1:30 PM|1:31:30 pm|2:00 p.m.", []float64{0, 90, 1800}, nil, "s", "seconds since the first"},
		{"11:30:00 AM|12:30:00 PM|1:30:00 PM", []float64{0, 3600, 7200}, nil, "s", "seconds since the first"},
		{"23:59:58|23:59:59|00:00:01", []float64{0, 1, 3}, nil, "s", "pass midnight, as in row 4"},
		{"1:23:45.6|1:23:46.6|1:24:45.6", []float64{0, 1, 60}, nil, "s", "seconds since the first"},
		{"12:30:05|12:30:06|12:31:05", []float64{0, 1, 60}, nil, "s", "seconds since the first"},
		{"0:00:05|0:01:05|1:00:00", []float64{5, 65, 3600}, nil, "s", "hours, minutes and seconds, in seconds"},
		{"1:23.4|1:24.5|2:00.0", []float64{83.4, 84.5, 120}, nil, "s", "minutes and seconds"},
		{"1:23,4|1:24,5|2:00,0", []float64{83.4, 84.5, 120}, nil, "s", "minutes and seconds"},
		{"3:10|1:05|2:00", []float64{190, 65, 120}, nil, "s", "minutes and seconds"},
		{"08:00|08:15|09:00", []float64{0, 900, 3600}, nil, "s", "hours and minutes"},
	} {
		t.Run(c.cells, func(t *testing.T) {
			table, warnings, err := Read(strings.NewReader(columnFile(strings.Split(c.cells, "|")...)), "t.csv", Options{})
			if err != nil {
				t.Fatal(err)
			}
			same := func(got, want []float64) bool {
				return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b)+1e-300 })
			}
			if !same(table.Target.Values, c.values) || !same(table.Sigma, c.sigma) || table.Target.Unit.String() != c.unit && c.unit != "" || table.Target.HasUnit != (c.unit != "") {
				t.Errorf("got %v ± %v %s", table.Target.Values, table.Sigma, table.Target.Unit)
			}
			if all := strings.Join(warnings, "\n"); !strings.Contains(all, c.warn) || c.warn == "" && all != "" {
				t.Errorf("warnings %q, want %q", warnings, c.warn)
			}
		})
	}
}

// TestBadCells reads one file for each kind of bad cell in a column of numbers. Each must give an
// error of one line that names row, column, cell and a remedy.
func TestBadCells(t *testing.T) {
	for cell, try := range map[string]string{
		"four": "--ignore y", "3,4,5": "", "1.2.3": "", "12,3456.7": "", "1,23,45": "", "1..5": "write it as", "--5": "write it as", "+-5": "", "5-": "write negative numbers as -5.1", "e5": "", "1e": "", "1e+": "", "1e5.5": "",
		"0x1F": "", "1_000": "write 1000", "3×108": "write powers of ten as 3e8", "2±0.1×10^3": "", "3*10": "powers of ten", "<0.01": "a limit is not a measurement", ">5": "a limit", "~5": "write the number alone", "≈5": "write the number alone", "ca. 5": "write the number alone", "about 5": "write the number alone", "3-5": "write the middle of a range", "3 – 5": "the middle of a range", "5?": "remove the marks", "12°30'": "write angles in degrees",
		"≤5": "a limit", "5 ± ": "", "± 5": "", "5±": "", "5±x": "", "5±-1": "", "5 +0.2 -0.1": "one standard error", "5+0.2/-0.1": "one standard error", "97.1±0.5%": "", "5(": "", "5()": "", "5(x)": "",
		"(5)": "write negative numbers as -5.1", "5(1)(2)": "", "5 V": "a cell holds one number; write its unit into the header", "5%": "remove the %", "$5": "without the currency", "5*": "remove the marks", "5†": "remove the marks", "5 # good": "remove the marks", "'5": "remove the quotes", "1 Jan 2025": "write dates as", "1d 02:03:04": "write times", "5 foo": "a cell holds one number", "15 1": "a cell holds one number: write the values", "1.1.": "write dates as", "2020-W01": "write dates as", "1·5": "write 1.5 for 1·5",
		"2025-01-01": "write dates as 2025-01-31 in the whole column", "12:30:05": "write times as 12:30:05 in the whole column", "1/2": "", "½": "", "1 2": "", "1;5": "", "NaN": "leave out such rows with --drop",
		"inf": "--drop", "-Infinity": "--drop", "1e999": "--drop", "∞": "--drop", "TRUE": "--ignore y", "yes": "--ignore y", "5x": "", "x5": "", "5,": "", "1'23": "", "1 23": "", "1’2345": "", "5\u200b": "", "=A1+1": "",
		"5±1±2": "", "« 5 »": "remove the quotes", "″": "repeat the value", "dito": "repeat the value", "0.87/0.90/0.89": "repeated values into rows or columns", "1' 15''": "1 min 15 s as 0:01:15", "5e3e3": "", "9.9.2025 ": "write dates", "13:75": "times",
	} {
		t.Run(cell, func(t *testing.T) {
			in := "x,y\n1,2.5\n2,3.5\n3,\"" + cell + "\"\n4,5.5\n5,6.5\n"
			table, _, err := Read(strings.NewReader(in), "t.csv", Options{})
			if err == nil {
				t.Fatalf("read as %v", table.Target.Values)
			}
			if text := err.Error(); !strings.HasPrefix(text, "t.csv: row 4, column 2 (y): ") || !strings.Contains(text, try) || strings.Contains(text, "\n") || !strings.Contains(text, "; ") {
				t.Errorf("%s; want %q", text, try)
			}
		})
	}
}
