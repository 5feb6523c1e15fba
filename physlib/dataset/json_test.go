package dataset

import "testing"

func TestJSON(t *testing.T) {
	const xy = "x: 1.5 2 3.5 | y: 2 4 7"
	for _, c := range []oddFile{
		{"records", `[{"x":1.5,"y":2},{"x":2,"y":4},{"x":3.5,"y":7}]`, Options{}, xy, ""},
		{"records in another order, with units and digits", "[\n {\"x [m]\": 1.50, \"y\": 2e0},\n {\"y\": \"4\", \"x [m]\": 2},\n {\"x [m]\": 3.5, \"y\": 7}\n]\n", Options{}, "x [m]: 1.5 2 3.5 | y: 2 4 7", ""},
		{"records in records", `[{"p":{"x":1.5},"y":2},{"p":{"x":2},"y":4},{"p":{"x":3.5},"y":7}]`, Options{}, "p_x: 1.5 2 3.5 | y: 2 4 7", `"p.x" is called p_x`},
		{"missing values", `[{"x":1.5,"y":2},{"x":9,"y":null},{"x":2,"y":4},{"y":8},{"x":3.5,"y":7}]`, Options{}, xy, "2 rows of 5 set aside, where cells are missing: row 3, y (empty); row 5, x (empty)"},
		{"lines", "{\"x\": 1.5, \"y\": 2}\n{\"x\": 2, \"y\": 4}\n{\"x\": 3.5, \"y\": 7}\n", Options{}, xy, ""},
		{"columns", `{"x":[1.5,2,3.5],"y":[2,4,7]}`, Options{}, xy, ""},
		{"columns and a title", `{"title":"fall","x":[1.5,2,3.5],"y":[2,4,7]}`, Options{}, xy, "1 members that are not columns are left out"},
		{"columns and settings", `{"meta":{"n":3,"by":"me"},"x":[1.5,2,3.5],"y":[2,4,7]}`, Options{}, xy, "1 members that are not columns are left out"},
		{"columns by row, as pandas writes them", `{"x":{"0":1.5,"1":2,"2":3.5},"y":{"0":2,"1":4,"2":7}}`, Options{}, xy, ""},
		{"split, as pandas writes it", `{"columns":["x","y"],"index":[0,1,2],"data":[[1.5,2],[2,4],[3.5,7]]}`, Options{}, xy, ""},
		{"rows", `[["x","y"],[1.5,2],[2,4],[3.5,7]]`, Options{}, xy, ""},
		{"rows without names", `[[1.5,2],[2,4],[3.5,7]]`, Options{}, "x1: 1.5 2 3.5 | y: 2 4 7", "no header"},
		{"a member", `{"meta":{"a":1},"data":[{"x":1.5,"y":2},{"x":2,"y":4},{"x":3.5,"y":7}]}`, Options{}, xy, `the table is its member "data"`},
		{"text and truth", `[{"n":"a, b","ok":true,"y":2},{"n":"c","ok":false,"y":4},{"n":"d","ok":true,"y":7}]`, Options{}, "ok: 1 0 1 | y: 2 4 7", "column n holds text"},
		{"NaN of Python", `[{"x":1.5,"y":2},{"x":2,"y":4},{"x":9,"y":NaN},{"x":3.5,"y":7}]`, Options{Drop: true}, xy, "1 row with missing or infinite values"},
		{"JSON5", "// fall\n[\n  {x: 1.5, 'y': +2,},\n  {x: 2., 'y': 4}, /* more\n */ {x: 3.5, 'y': 7},\n]\n", Options{}, xy, "the file is read as JSON5"},
		{"columns in JSON5", "{\n  // run 3\n  \"x\": [1.5, 2, 3.5,],\n  y: [2, 4, 7],\n \"what\": 'it\\'s, // \"a\",]'}\n", Options{}, xy, "the file is read as JSON5"},
		{"records of Python", "[{'x': 1.5, 'n': None, 'ok': True, 'y': 2}, {'x': 2, 'n': None, 'ok': False, 'y': 4}, {'x': 3.5, 'n': None, 'ok': True, 'y': 7}]", Options{}, "x: 1.5 2 3.5 | ok: 1 0 1 | y: 2 4 7", "the file is read as JSON5"},
		// input that is rejected
		{"an error in JSON5", "{x: [1.5, 2, 3.5], y: [2, 4 7]}", Options{}, "", "this is not complete JSON: "},
		{"NaN of Python, not dropped", `[{"x":1.5,"y":2},{"x":2,"y":NaN},{"x":3.5,"y":7}]`, Options{}, "", `row 3, column 2 (y): "NaN" is not a finite number`},
		{"cut", "[{\"x\":1.5,\"y\":2},\n{\"x\":2,", Options{}, "", "this is not complete JSON: it ends too early, in line 2; check that the file is complete"},
		{"uneven columns", `{"x":[1.5,2],"y":[2,4,7]}`, Options{}, "", "the column x has 2 values, and others have 3"},
		{"no table", `{"a":1,"b":"c"}`, Options{}, "", "this JSON holds no table; write [{"},
		{"empty", `[]`, Options{}, "", "this JSON holds no table"},
		{"two tables", `{"a":[{"x":1,"y":2},{"x":2,"y":3}],"b":[{"x":1,"y":2},{"x":2,"y":3}]}`, Options{}, "", "this JSON holds 2 tables: a, b; save the one that is meant"},
		{"a list in a cell", `[{"x":1,"y":[1,2]},{"x":2,"y":[3,4]}]`, Options{}, "", "record 1: y is a list, and a cell holds one value"},
		{"a key that occurs twice", `[{"x":1,"y":2},{"x":2,"y":4,"x":5},{"x":3,"y":7}]`, Options{}, "", "record 2: the key x occurs twice; give each value a key of its own"},
		{"a key without a value that occurs twice", `[{"x":null,"x":1,"y":2},{"x":2,"y":4}]`, Options{}, "", "record 1: the key x occurs twice"},
		{"a key that names a member as well", `[{"p":{"x":1},"p.x":2,"y":2},{"p":{"x":2},"y":4}]`, Options{}, "", "record 1: the key p.x occurs twice"},
		{"a column that occurs twice", `{"x":[1,2,3],"y":[2,4,7],"x":[5,6,7]}`, Options{}, "", "the column x occurs twice; give each column a name of its own"},
		{"a bad cell", `[{"x":1,"y":2},{"x":2,"y":"oops"},{"x":3,"y":5},{"x":4,"y":5}]`, Options{}, "", `row 3, column 2 (y): "oops" is not a number`},
	} {
		t.Run(c.name, c.check)
	}
}
