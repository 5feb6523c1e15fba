package group_test

import (
	"context"
	"fmt"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/group"
)

// A stone is dropped on the Earth and on the Moon. Both share the height at the start, but not the
// factor of t**2, which is half the acceleration.
func ExampleDiscover() {
	t, h := dataset.Column{Name: "t"}, dataset.Column{Name: "h"}
	groups := group.Groups{Names: []string{"Earth", "Moon"}}
	for i := range 20 {
		body, time := i%2, 0.03*float64(i/2+1)
		acceleration := []float64{9.81, 1.62}[body]
		e := []float64{0.001, 0, -0.001}[i%3]
		groups.Of = append(groups.Of, body)
		t.Values, h.Values = append(t.Values, time), append(h.Values, 1.73-acceleration/2*time*time+e)
	}
	table := &dataset.Table{Vars: []dataset.Column{t}, Target: h}
	result, err := group.Discover(context.Background(), table, groups, group.Settings{
		Search: discover.Settings{Evaluations: 500, Time: -1},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, name := range groups.Names {
		fmt.Println(name+":", result.Best.Groups[i].Target, "=", result.Best.Groups[i].Display(3))
	}
	fmt.Println("shared:", result.Best.Shared) // first the factor, then the height at the start
	// Output:
	// Earth: h = 1.73005 - 4.9026*t**2
	// Moon: h = 1.73005 - 0.8122*t**2
	// shared: [false true]
}
