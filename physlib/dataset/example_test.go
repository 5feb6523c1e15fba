package dataset_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
)

func ExampleRead() {
	file := "l [cm];T [s]\n25;1,003\n50;1,419\n100;2,006\n"
	t, _, err := dataset.Read(strings.NewReader(file), "pendulum.csv", dataset.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Rows(), "rows of", t.Target.Name, "against", t.Vars[0].Name)
	fmt.Println(t.Vars[0].SI(), "m")

	_, _, err = dataset.Read(strings.NewReader("l [cm],T [s]\n25,1.003\n50,1.4l9\n"), "pendulum.csv", dataset.Options{})
	fmt.Println(err)
	// Output:
	// 3 rows of T against l
	// [0.25 0.5 1] m
	// pendulum.csv: row 3, column 2 (T): "1.4l9" is not a number; a cell holds one number; write its unit into the header, as in v [m/s]; or leave the column out with --ignore T
}

func ExampleExample() {
	t, info, _ := dataset.Example("kepler")
	fmt.Println(info.Law)
	fmt.Println(t.Target.Name, t.Target.Unit, t.Vars[0].Name, t.Vars[0].Unit, t.Rows())
	// Output:
	// T = k*a**(3/2)
	// T d a AU 8
}

func ExampleParseConstant() {
	c, err := dataset.ParseConstant("c=299792458[m/s]")
	fmt.Println(c.Name, c.Value, c.Unit.Dim, err)
	// Output: c 2.99792458e+08 m s^-1 <nil>
}

func ExampleTable_Split() {
	t, _, _ := dataset.Example("kepler")
	part, rest := t.Split(0.75, rand.New(rand.NewPCG(1, 2)))
	fmt.Println(part.Rows(), rest.Rows())
	// Output: 6 2
}
