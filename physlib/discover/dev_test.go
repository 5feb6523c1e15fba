package discover

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/dataset"
)

func TestDev(t *testing.T) {
	id := os.Getenv("DEVID")
	if id == "" {
		t.Skip("development only")
	}
	noise, _ := strconv.ParseFloat(os.Getenv("NOISE"), 64)
	for _, suite := range []string{"feynman", "bonus", "textbook", "classic", "nguyen", "strogatz"} {
		ps, _ := corpus.Suite(suite)
		for _, p := range ps {
			if p.ID != id {
				continue
			}
			tab, _ := p.Sample(1000, rand.New(rand.NewPCG(1, 2)))
			dataset.AddNoise(tab, noise, rand.New(rand.NewPCG(3, 4)))
			start := time.Now()
			last := ""
			s := Settings{Time: 20 * time.Second, NoUnits: os.Getenv("NOUNITS") != "", Progress: func(p Progress) {
				if p.Stage != last {
					last = p.Stage
					b := p.Best.Infix()
					fmt.Printf("%6.2f %-30s n=%d %.1f %s\n", time.Since(start).Seconds(), p.Stage, p.Evaluations, p.Best.Score, b)
				}
			}}
			r, err := Discover(context.Background(), tab, s)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Println("TRUE", p.Law)
			fmt.Println("BEST", r.Best.Infix(), r.Stopped, r.Elapsed, r.Verdict)
			for _, l := range r.Front {
				fmt.Printf("   %.1f %.1f %.4g %v %s\n", l.Score, l.Complexity, l.RMSE, l.UnitsOK, l.Infix())
			}
		}
	}
}
