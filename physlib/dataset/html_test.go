package dataset

import "testing"

// Web pages and workbooks in XML are read. Programs give the extension .xls to files of both kinds.
func TestMarkup(t *testing.T) {
	const xy = "x: 1.5 2 3.5 | y: 2 4 7"
	const rows = "<tr><td>1.5</td><td>2</td></tr>\n<tr><td>2</td><td>4</td></tr>\n<tr><td>3.5</td><td>7</td></tr>"
	for _, c := range []oddFile{
		{"a page", "<!DOCTYPE html>\n<html><head><style>td < b {}</style></head><body><p>a &amp; b<table border=1 nowrap><tr><th>x<th>y</tr>" + rows + "</table></body></html>", Options{}, xy, "the table is read out of a web page or XML"},
		{"tags that are not closed", "<table><tr><td>x<td>y<tr><td>1.5<td>2<tr><td>2<td>4<tr><td>3.5&nbsp;<td>7</table>", Options{}, xy, "web page"},
		{"decimal commas and units", "<html><table><tr><td>x [m]</td><td>y (s)</td></tr><tr><td>1,5</td><td>2</td></tr><tr><td>2,5</td><td>−4<br></td></tr></table></html>", Options{}, "x [m]: 1.5 2.5 | y [s]: 2 -4", "(s) is read"},
		{"cells over several rows", "<table><tr><th rowspan=2>m<th colspan=2>T</tr><tr><th>first<th>second</tr><tr><td rowspan=2>5<td>1<td>2</tr><tr><td>3<td>4</tr><tr><td>6<td>5<td>7</tr></table>", Options{}, "m: 5 5 6 | first: 1 3 5 | second: 2 4 7", "read as a title"},
		{"powers of ten and superscripts", "<table><tr><th>x<sub>0</sub></th><th>y (m/s<sup>2</sup>)</th></tr><tr><td>1</td><td>2.5×10<sup>3</sup></td></tr><tr><td>2</td><td>10<sup>−2</sup></td></tr></table>", Options{}, "x0: 1 2 | y [m/s2]: 2500 0.01", "web page"},
		{"superscripts as marks", "<table><tr><th>x</th><th>y</th></tr><tr><td>1.5</td><td>2</td></tr><tr><td>2</td><td>4<sup>1</sup></td></tr><tr><td>3.5</td><td>7</td></tr></table>", Options{}, "", `row 3, column 2 (y): "4^1" is not a number; remove the marks`},
		{"hidden text", "<table><tr><th>x<th hidden>id<th>y</tr><tr><td><span style='display:none'>00001</span>1.5<td style=\"display: none\">9<td>2</tr><tr style='display:none'><td>8<td>9<td>9</tr>" +
			"<tr><td>2<span style='visibility:hidden'>0</span><td hidden>9<td>4</tr><tr><td>3.5<td hidden>9<td><s>5</s> 7</tr></table>", Options{}, xy, "web page"},
		{"footnotes", "<table><tr><th>x</th><th>T (yr)<sup>[2]</sup></th></tr><tr><td>1.5</td><td>2<sup id=c><a href=\"#n\">&#91;1&#93;</a></sup></td></tr><tr><td>2</td><td>4</td></tr><tr><td>3.5</td><td>7</td></tr></table>", Options{}, "x: 1.5 2 3.5 | T [yr]: 2 4 7", "(yr) is read as its unit"},
		{"a menu and a table", "<html><table><tr><td>Menu</td></tr></table><table><tr><th>x</th><th>y</th></tr>" + rows + "</table></html>", Options{}, xy, "web page"},
		{"the second table", "<html><table><tr><th>a</th><th>b</th></tr>" + rows + "</table><table><tr><th>x</th><th>y</th></tr>" + rows + "</table></html>", Options{Table: 2}, xy, "web page"},
		{"XML of Excel", `<?xml version="1.0" encoding="UTF-8"?><Workbook xmlns:ss="u"><Worksheet><Table><Row><Cell><Data ss:Type="String">x</Data></Cell><Cell ss:Index="3"><Data>y</Data></Cell></Row>` +
			`<Row><Cell><Data>1.5</Data></Cell><Cell ss:Index="3"><Data>2</Data></Cell></Row><Row><Cell><Data>2</Data></Cell><Cell/><Cell><Data>4</Data></Cell></Row><Row><Cell><Data>3.5</Data></Cell><Cell/><Cell><Data>7</Data></Cell></Row></Table></Worksheet></Workbook>`, Options{}, xy, "column 2 has no name"},
		// pages that are rejected
		{"two tables", "<html><table><tr><th>a</th><th>b</th></tr>" + rows + "</table><table><tr><th>x</th><th>y</th></tr>" + rows + "</table></html>", Options{}, "", "the page holds 2 tables: 1 (a, b), 2 (x, y); choose one with --table 1, 2"},
		{"no third table", "<html><table><tr><th>a</th><th>b</th></tr>" + rows + "</table></html>", Options{Table: 3}, "", "table 3 is requested, but the number of tables on the page is 1"},
		{"no table", "<html><body>Hello</body></html>", Options{}, "", "this is a web page or XML without a table; download"},
		{"broken", "<table><tr><td>x<td>y<tr><td>1<td>2 < 3<tr><td>2<td>4</table>", Options{}, "", "the page is broken: on line 1"},
		{"a bad cell", "<table><tr><td>x<td>y<tr><td>1<td>2<tr><td>2<td>oops<tr><td>3<td>5<tr><td>4<td>5</table>", Options{}, "", `row 3, column 2 (y): "oops" is not a number`},
	} {
		t.Run(c.name, c.check)
	}
}
