package notebook

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/dataset"
)

// Context ends when the interrupt button is pressed, or when the kernel is gone. GoNB gives the
// cell five seconds after the button before it kills it.
func Context() context.Context { return cell() }

var cell = sync.OnceValue(func() context.Context {
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt)
	ctx, end := context.WithCancel(ctx)
	context.AfterFunc(gone, end)
	return ctx
})

// gone ends when the kernel that started this program has ended, by a restart or otherwise. A
// program that prints nothing would not notice and would go on, holding the lock of its training
// folder. It has as much time to end as after the button.
var gone, leave = context.WithCancel(context.Background())

func init() {
	if !gonbui.IsNotebook {
		return
	}
	kernel := os.Getppid()
	go func() {
		for os.Getppid() == kernel {
			time.Sleep(time.Second)
		}
		leave()
		time.Sleep(5 * time.Second)
		os.Exit(1)
	}()
}

// Check ends the cell where err is not nil: with the error in one line and no stack. Nothing of
// what was shown is lost.
func Check(err error) {
	if err == nil {
		return
	}
	gonbui.Sync()
	fmt.Fprintln(os.Stderr, strings.ReplaceAll(err.Error(), "\n", "; "))
	os.Exit(1)
}

// Must returns x, or the end of the cell as by [Check]: notebook.Must(dataset.Example("kepler"))
// with two results.
func Must[T any](x T, err error) T {
	Check(err)
	return x
}

// Read returns the table in a file, as [dataset.ReadFile] reads it; its warnings are printed. What
// is wrong with the file ends the cell with one line that names row and column. Paths are relative
// to the notebook.
func Read(path string, o ...dataset.Options) *dataset.Table {
	t, warnings, err := dataset.ReadFile(path, append(o, dataset.Options{})[0])
	Check(err)
	for _, w := range warnings {
		fmt.Println("warning:", w)
	}
	return t
}

// Example returns an embedded table of real measurements, see [dataset.Example].
func Example(name string) *dataset.Table {
	t, _, err := dataset.Example(name)
	Check(err)
	return t
}

// Sample returns a table of n measurements of a law of the Feynman benchmark, always the same. law
// is its number, such as I.12.2, or its title. noise is that of the target, relative to its size.
func Sample(law string, n int, noise float64) *dataset.Table {
	problems, err := corpus.Suite("feynman")
	Check(err)
	for _, p := range problems {
		if p.ID != law && p.Title != law {
			continue
		}
		t, err := p.Sample(n, rand.New(rand.NewPCG(1, 2)))
		Check(err)
		dataset.AddNoise(t, noise, rand.New(rand.NewPCG(3, 4)))
		return t
	}
	Check(fmt.Errorf("no law of the Feynman benchmark is called %q; give a number such as I.12.2", law))
	return nil
}
