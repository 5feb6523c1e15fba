package motion

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
)

func TestZ2(t *testing.T) {
	f := os.Getenv("Z2")
	if f == "" {
		t.Skip()
	}
	tab, _, err := dataset.ReadFile(f, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tr, _, err := Read(tab, Options{Order: 1})
	if err != nil {
		t.Fatal(err)
	}
	res, err := Discover(context.Background(), tr, Settings{Time: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range res.Equations {
		fmt.Println(e.Law.Tree.Infix(e.Law.Vars))
	}
}
