package notebook

import (
	"fmt"
	"html"
	"os"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Interactive reports whether a person can use widgets, as in a cell under JupyterLab. It is false
// under nbconvert and in a test, where a widget would wait forever. It is also false with
// PHYSLIB_HEADLESS=1.
func Interactive() bool {
	return gonbui.IsNotebook && os.Getenv(protocol.GONB_JUPYTER_KERNEL_ID_ENV) != "" && os.Getenv("PHYSLIB_HEADLESS") == ""
}

// Area is a region below the cell whose contents change while the cell runs, such as a learning
// curve or a growing front.
type Area struct {
	mu    sync.Mutex
	id    string
	drawn time.Time
	last  []any
}

// NewArea returns an empty area.
func NewArea() *Area { return &Area{id: "physlib_" + gonbui.UniqueId()} }

// Show replaces the contents of the area, in the colours of the page. It draws at most ten times a
// second and skips contents in between. If the last contents were skipped, [Area.Close] draws them.
func (a *Area) Show(things ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last = things
	if !Interactive() || time.Since(a.drawn) < 100*time.Millisecond {
		return
	}
	gonbui.UpdateHTML(a.id, page(things...))
	a.drawn = time.Now()
}

// flush draws the last contents even if less than 100 ms have passed since the last drawing.
func (a *Area) flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if Interactive() && a.last != nil {
		gonbui.UpdateHTML(a.id, page(a.last...))
		gonbui.Sync()
	}
}

// Close turns the last contents into ordinary outputs of the cell. These are saved with the
// notebook, and pages without scripts show them.
func (a *Area) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if Interactive() {
		gonbui.UpdateHTML(a.id, "")
	}
	Show(a.last...)
	a.last = nil
}

// Bar is a line of progress below the cell.
type Bar struct {
	mu    sync.Mutex
	id    string
	label string
	drawn time.Time
	done  bool
}

// NewBar returns a line of progress that begins with label. The page shows it from the first call
// of [Bar.Set].
func NewBar(label string) *Bar { return &Bar{id: "physlib_" + gonbui.UniqueId(), label: label} }

// Set shows the fraction of the work that is done, from 0 to 1, and a text. NaN or a negative
// number means that the fraction is unknown.
func (b *Bar) Set(done float64, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done || !Interactive() || time.Since(b.drawn) < 100*time.Millisecond {
		return
	}
	b.drawn = time.Now()
	value := fmt.Sprintf(` value="%.4f"`, done)
	if !(done >= 0) {
		value = ""
	}
	gonbui.UpdateHTML(b.id, fmt.Sprintf(`<div>%s <progress%s style="width:16em;vertical-align:middle"></progress> <code>%s</code></div>`,
		html.EscapeString(b.label), value, html.EscapeString(text)))
}

// Done removes the bar and prints the text, unless it is empty.
func (b *Bar) Done(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done {
		return
	}
	b.done = true
	if Interactive() {
		gonbui.UpdateHTML(b.id, "")
	}
	if text != "" {
		fmt.Println(text)
	}
}
