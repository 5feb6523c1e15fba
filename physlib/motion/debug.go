package motion

import (
	"fmt"
	"math"
	"os"
	"syscall"
	"time"

	"github.com/physlib/lab/physlib/discover"
)

var debug = os.Getenv("ODE_DEBUG") != ""

func (h *hunt) dump(pass int) {
	for k := range h.pools {
		fmt.Printf("pass %d eq %s at %.1fs cpu %.1f: %d candidates\n", pass, h.tr.Target(k), time.Since(h.began).Seconds(), cpu(), len(h.pools[k].list))
		for i, c := range h.pools[k].list {
			mark := " "
			if c == h.best[k] {
				mark = ">"
			}
			mis := math.NaN()
			if c.shot != nil {
				mis = c.shot.misfit(h.d, k) / h.d.scale[k]
			}
			if i < 8 || c == h.best[k] {
				fmt.Printf("  %s bits %.1f engine %.1f alone %.1f joint %.1f misfit %.2g %s   [%s]\n", mark, c.bits, c.law.Score, c.alone, c.joint, mis, c.tree.Format(h.names, 4), c.law.Display(4))
			}
		}
	}
}

var lastDump time.Time

func dumpProgress(eq string, p discover.Progress, chi float64) {
	if time.Since(lastDump) < 4*time.Second {
		return
	}
	lastDump = time.Now()
	fmt.Printf("    .. %s %.1fs cpu %.1f %s evals %d chi %.3g %s\n", eq, p.Elapsed.Seconds(), cpu(), p.Stage, p.Evaluations, chi, p.Best.Display(4))
}

func cpu() float64 {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return float64(r.Utime.Sec) + float64(r.Utime.Usec)/1e6
}
