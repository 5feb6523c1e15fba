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

// Context returns a context that ends when the interrupt button is pressed or the kernel ends.
// After the button is pressed, GoNB gives the cell five seconds to end, and then kills it.
func Context() context.Context { return cell() }

var cell = sync.OnceValue(func() context.Context {
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt)
	ctx, end := context.WithCancel(ctx)
	context.AfterFunc(gone, end)
	return ctx
})

// gone ends when the kernel that started this program has ended, for example by a restart. Without
// it, a program that prints nothing would continue to run, and hold the lock of its training
// folder. When gone ends, the program has five seconds to end, as after the interrupt button.
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

// Check ends the cell if err is not nil. It prints the error in one line, without a stack trace,
// after all output so far.
func Check(err error) {
	if err == nil {
		return
	}
	gonbui.Sync()
	fmt.Fprintln(os.Stderr, strings.ReplaceAll(err.Error(), "\n", "; "))
	os.Exit(1)
}

// Must returns x. If err is not nil, it ends the cell as [Check] does. It can wrap a call with two
// results, as in notebook.Must(corpus.Suite("feynman")).
func Must[T any](x T, err error) T {
	Check(err)
	return x
}

// Read returns the table in a file, as [dataset.ReadFile] does, and prints its warnings. If the
// file is wrong, the cell ends with one line that names row and column. Paths are relative to the
// notebook.
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

// Sample returns a table of n simulated measurements of a law of the Feynman benchmark. law is the
// number of the law, such as I.12.2, or its title. noise is the standard deviation of the noise in
// the target, relative to the root mean square of the target. Equal arguments give equal tables.
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
