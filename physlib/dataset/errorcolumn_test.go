package dataset

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Columns of standard errors are recognized by name and size, and are not used as variables.
func TestErrorColumns(t *testing.T) {
	const xy = "x: 1 2 3 4 | y: 2 4.1 5.9 8.2"
	file := func(header string, columns ...string) string {
		rows := []string{header}
		for k := range 4 {
			var cells []string
			for _, c := range columns {
				cells = append(cells, strings.Fields(c)[k])
			}
			rows = append(rows, strings.Join(cells, ","))
		}
		return strings.Join(rows, "\n") + "\n"
	}
	const x, sx, y, sy = "1 2 3 4", "0.1 0.1 0.2 0.1", "2 4.1 5.9 8.2", "0.2 0.2 0.3 0.2"
	sigma := []float64{0.2, 0.2, 0.3, 0.2}
	for _, c := range []struct {
		file  oddFile
		sigma []float64
	}{
		{oddFile{"x_err", file("x,x_err,y,y_err", x, sx, y, sy), Options{}, xy, "column x_err is read as the standard errors of x and is not a variable; --sigma y=y_err,x=x_err makes use of it, and --columns keeps it"}, sigma},
		{oddFile{"sigma_x", file("x,sigma_x,y,sigma_y", x, sx, y, sy), Options{}, xy, "column sigma_x is read"}, sigma},
		{oddFile{"dx and dy", file("x,dx,y,dy", x, sx, y, sy), Options{}, xy, "column dx is read|column dy is read"}, sigma},
		{oddFile{"sx and sy", file("x,sx,y,sy", x, sx, y, sy), Options{}, xy, "column sx is read|column sy is read"}, sigma},
		{oddFile{"sigma after the named target", file("x,y,sigma", x, y, sy), Options{Target: "y"}, xy, "column sigma is read as the standard errors of y, the target"}, sigma},
		{oddFile{"sigma after the named target, as a variable", file("x,y,sigma", x, y, sy), Options{Target: "y", Columns: []string{"x", "sigma"}}, "x: 1 2 3 4 | sigma: 0.2 0.2 0.3 0.2 | y: 2 4.1 5.9 8.2", ""}, nil},
		{oddFile{"s_y, of few values", file("x,y,s_y", x, y, sy), Options{}, xy, "s_y, is read as the standard errors of y"}, sigma},
		{oddFile{"a rarer word, last", file("x,y,y_stddev", x, y, sy), Options{}, xy, "y_stddev, is read as the standard errors of y"}, sigma},
		{oddFile{"selenium", file("x,y,Se", x, y, sy), Options{}, xy + " | Se: 0.2 0.2 0.3 0.2", "column x counts the rows"}, nil},
		{oddFile{"s_y, of many values", file("x,y,s_y", x, y, "0.2 0.3 0.4 0.5"), Options{}, "x: 1 2 3 4 | y: 2 4.1 5.9 8.2 | s_y: 0.2 0.3 0.4 0.5", "if it holds standard errors of y, give --target y --noise s_y"}, nil},
		{oddFile{"u(x)", file("x,u(x),y,u(y)", x, sx, y, sy), Options{}, xy, "column u_x is read"}, sigma},
		{oddFile{"errx", file("x,errx,y,erry", x, sx, y, sy), Options{}, xy, "column errx is read"}, sigma},
		{oddFile{"two signs", file("x,±,y,±", x, sx, y, sy), Options{}, xy, "column x_err is read"}, sigma},
		{oddFile{"error, twice", file("x,error,y,error", x, sx, y, sy), Options{}, xy, "column error is read as the standard errors of x"}, sigma},
		{oddFile{"headings with a sign", file("x (m),x (m) ±,y (s),± y (s)", x, sx, y, sy), Options{}, "x [m]: 1 2 3 4 | y [s]: 2 4.1 5.9 8.2", "column x_err is read"}, sigma},
		{oddFile{"uncertainty of x", file("x,uncertainty of x,y,error in y", x, sx, y, sy), Options{}, xy, "column uncertainty_of_x is read|column error_in_y is read as the standard errors of y, the target"}, sigma},
		{oddFile{"of means", file("mean x,sd x,mean y,sd y", x, sx, y, sy), Options{}, "mean_x: 1 2 3 4 | mean_y: 2 4.1 5.9 8.2", "column sd_x is read as the standard errors of mean_x"}, sigma},
		{oddFile{"of means, behind", file("x_mean,x_std,y_mean,y_std", x, sx, y, sy), Options{}, "x_mean: 1 2 3 4 | y_mean: 2 4.1 5.9 8.2", "column x_std is read as the standard errors of x_mean and is not a variable|column y_std is read as the standard errors of y_mean, the target"}, sigma},
		{oddFile{"of means, mixed", file("x mean,sem x,avg y,y_stderr", x, sx, y, sy), Options{}, "x_mean: 1 2 3 4 | avg_y: 2 4.1 5.9 8.2", "column sem_x is read|column y_stderr is read as the standard errors of avg_y, the target"}, sigma},
		{oddFile{"two rows of pandas", file("x,x,y,y\nmean,std,mean,std", x, sx, y, sy), Options{}, "x_mean: 1 2 3 4 | y_mean: 2 4.1 5.9 8.2", "rows 1 and 2 are read as one header|column x_std is read as the standard errors of x_mean|column y_std is read"}, sigma},
		{oddFile{"two rows of pandas with an index", file(",x,x,y,y\n,mean,std,mean,std\ng,,,,", "3 1 4 6", x, sx, y, sy), Options{}, "g: 3 1 4 6 | x_mean: 1 2 3 4 | y_mean: 2 4.1 5.9 8.2", "rows 1 and 2 are read as one header|column x_std is read"}, sigma},
		{oddFile{"two rows of pandas with row numbers", file(",x,x,y,y\n,mean,std,mean,std", "0 1 2 3", x, sx, y, sy), Options{}, "x_mean: 1 2 3 4 | y_mean: 2 4.1 5.9 8.2", "rows 1 and 2 are read as one header|column x_std is read"}, sigma},
		{oddFile{"two rows with empty cells", file("Length,,Time,\nvalue,error,value,error", x, sx, y, sy), Options{}, "Length_value: 1 2 3 4 | Time_value: 2 4.1 5.9 8.2", "rows 1 and 2 are read as one header|column Length_error is read"}, sigma},
		{oddFile{"two rows with units", file("Length [m],,Time [s],\nvalue,error,value,error", x, sx, y, sy), Options{}, "Length_value [m]: 1 2 3 4 | Time_value [s]: 2 4.1 5.9 8.2", "column Length_error is read"}, sigma},
		{oddFile{"two rows above units", file("x,x,y,y\nmean,std,mean,std\nm,cm,s,s", x, "10 10 20 10", y, sy), Options{}, "x_mean [m]: 1 2 3 4 | y_mean [s]: 2 4.1 5.9 8.2", "rows 1 and 2 are read as one header|column x_std is read"}, sigma},
		{oddFile{"two rows below a title", file("pendulum\nx,x,y,y\nmean,std,mean,std", x, sx, y, sy), Options{}, "x_mean: 1 2 3 4 | y_mean: 2 4.1 5.9 8.2", "rows 2 and 3 are read as one header"}, sigma},
		{oddFile{"units below names", file("x,x_err,y,y_err\nm,m,s,s", x, sx, y, sy), Options{}, "x [m]: 1 2 3 4 | y [s]: 2 4.1 5.9 8.2", "column x_err is read"}, sigma},
		{oddFile{"at the end", file("x,y,x_unc,y_unc", x, y, sx, sy), Options{}, xy, "column x_unc is read|column y_unc is read as the standard errors of y, the target"}, sigma},
		{oddFile{"behind the target", file("x,y,x_err", x, y, sx), Options{}, xy, "column x_err is read as the standard errors of x"}, nil},
		{oddFile{"of an input alone", file("x,x_err,y", x, sx, y), Options{}, xy, "--sigma y=…,x=x_err makes use of it"}, nil},
		{oddFile{"of a target by name", file("y,y_err,x", y, sy, x), Options{Target: "y"}, xy, "column y_err is read as the standard errors of y, the target"}, sigma},
		{oddFile{"in a smaller unit", file("x [m],Δx [mm],y [s],Δy [ms]", x, "10 10 20 10", y, "200 200 300 200"), Options{}, "x [m]: 1 2 3 4 | y [s]: 2 4.1 5.9 8.2", "column Δx is read"}, sigma},
		{oddFile{"zeros", file("x,sd_x,y", x, "0 0.1 0 0.2", y), Options{}, xy, "column sd_x is read"}, nil},
		// a column of errors that the user lists, or that the caller needs, is kept
		{oddFile{"listed", file("x,x_err,y", x, sx, y), Options{Columns: []string{"x", "x_err", "y"}}, "x: 1 2 3 4 | x_err: 0.1 0.1 0.2 0.1 | y: 2 4.1 5.9 8.2", ""}, nil},
		{oddFile{"made use of", file("x,x_err,y", x, sx, y), Options{Errors: []string{"x_err"}, Known: true}, "x: 1 2 3 4 | x_err: 0.1 0.1 0.2 0.1 | y: 2 4.1 5.9 8.2", "column x counts"}, nil},
		{oddFile{"made use of, with those of the target", file("x,x_err,y,y_err", x, sx, y, sy), Options{Errors: []string{"x_err", "y_err"}, Known: true}, "x: 1 2 3 4 | x_err: 0.1 0.1 0.2 0.1 | y_err: 0.2 0.2 0.3 0.2 | y: 2 4.1 5.9 8.2", "column x counts"}, nil},
		{oddFile{"made use of, all equal", file("x,sx,y,sy", y, sx, x, sx), Options{Errors: []string{"sx", "sy"}, Known: true}, "x: 2 4.1 5.9 8.2 | sx: 0.1 0.1 0.2 0.1 | sy: 0.1 0.1 0.2 0.1 | y: 1 2 3 4", ""}, nil},
		{oddFile{"made use of, the same in all rows", file("x,sx,y", y, "0.1 0.1 0.1 0.1", x), Options{Errors: []string{"sx"}, Known: true}, "x: 2 4.1 5.9 8.2 | sx: 0.1 0.1 0.1 0.1 | y: 1 2 3 4", ""}, nil},
		{oddFile{"a formula is given", file("x,x_err,y", x, sx, y), Options{Given: true}, "x: 1 2 3 4 | x_err: 0.1 0.1 0.2 0.1 | y: 2 4.1 5.9 8.2", ""}, nil},
		// columns that look like errors but are variables
		{oddFile{"a difference of temperatures", file("T,dT,q", "300 310 320 330", "5 12 30 2", y), Options{}, "T: 300 310 320 330 | dT: 5 12 30 2 | q: 2 4.1 5.9 8.2", "column dT is a variable: if it holds standard errors of T, leave it out with --ignore dT"}, nil},
		{oddFile{"steps", file("t,dt,y", "0 0.1 0.2 0.3", "0.1 0.1 0.1 0.1", y), Options{}, "t: 0 0.1 0.2 0.3 | dt: 0.1 0.1 0.1 0.1 | y: 2 4.1 5.9 8.2", "column dt is a variable"}, nil},
		{oddFile{"a distance without x", file("dx,y", sx, y), Options{}, "dx: 0.1 0.1 0.2 0.1 | y: 2 4.1 5.9 8.2", ""}, nil},
		{oddFile{"a stress at a place", file("x,sigma_x,y", x, "120 150 90 80", y), Options{}, "x: 1 2 3 4 | sigma_x: 120 150 90 80 | y: 2 4.1 5.9 8.2", "not small and positive, so it is a variable"}, nil},
		{oddFile{"of another dimension", file("x [m],σ_x [MPa],y", x, sx, y), Options{}, "x [m]: 1 2 3 4 | σ_x [MPa]: 0.1 0.1 0.2 0.1 | y: 2 4.1 5.9 8.2", "it is a variable"}, nil},
	} {
		t.Run(c.file.name, func(t *testing.T) {
			c.file.check(t)
			table, _, err := Read(strings.NewReader(c.file.in), "t.csv", c.file.options)
			if err == nil && !slices.EqualFunc(table.Sigma, c.sigma, func(a, b float64) bool { return near(a, b) }) {
				t.Errorf("standard errors %v, want %v", table.Sigma, c.sigma)
			}
		})
	}
}

// Of many columns, only those whose name occurs in a name of errors are compared with it, and none
// of these is missed.
func TestBasesOfErrorNames(t *testing.T) {
	r := &reader{}
	add := func(name, written string) {
		h := columnReader{written: written}
		h.Name = name
		r.columns = append(r.columns, h)
	}
	for _, base := range []string{"x", "Moment", "avg_of_y", "T_mean", "Länge"} {
		add(base, base)
		short := strings.ToLower(meanOf.ReplaceAllString(base, ""))
		for _, word := range errorWords {
			for _, name := range []string{base + "_" + word, word + "_of_" + short, word + "_in_" + base, base + word, word + short} {
				add(name, name)
				add(name+"_upper", name)
			}
		}
		for _, sign := range []string{"d", "Delta_", "δ", "s_", "s", "u_"} {
			add(sign+base, sign+base)
		}
		add(base+"_err", "±")
		add("u_"+base+"_2", "u("+base+")")
	}
	errors := len(r.columns)
	for k := range 2000 {
		add("c"+strconv.Itoa(k), "")
	}
	all := make([]int, len(r.columns))
	for i := range all {
		all[i] = i
	}
	b := r.basesAmong(all)
	for i := range r.columns[:errors] {
		h := &r.columns[i]
		near := b.of(h)
		if len(near) > 40 {
			t.Errorf("%s is compared with %d columns", h.Name, len(near))
		}
		for j := range r.columns[:errors] {
			if ok, _ := h.namesErrorOf(&r.columns[j]); ok && i != j && !slices.Contains(near, j) {
				t.Errorf("%s is not compared with %s", h.Name, r.columns[j].Name)
			}
		}
	}
}

// If a column gives the same error in per cent in all rows, the errors are a share of the true
// values. A fit estimates these better than a measurement.
func TestCommonShare(t *testing.T) {
	for text, want := range map[string]float64{
		"x,y,y_err [%]\n1,2,5\n2,4,5\n3,7,5\n": 0.05,
		"x,y,y_err [%]\n1,2,5\n2,4,6\n3,7,5\n": 0,
		"x,y ± 5%\n1,2\n2,4\n3,7\n":            0.05,
		"x,y ± 0.05\n1,2\n2,4\n3,7\n":          0,
	} {
		table, _, err := Read(strings.NewReader(text), "t.csv", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if table.Sigma == nil || table.Share != want {
			t.Errorf("%q: errors %v, share %v, want %v", text, table.Sigma, table.Share, want)
		}
	}
}
