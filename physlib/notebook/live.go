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

// Interactive reports whether a person can use widgets. That is so in a cell under JupyterLab, but
// not under nbconvert or in a test, where a widget would wait for ever. PHYSLIB_HEADLESS=1 says
// that nobody does.
func Interactive() bool {
	return gonbui.IsNotebook && os.Getenv(protocol.GONB_JUPYTER_KERNEL_ID_ENV) != "" && os.Getenv("PHYSLIB_HEADLESS") == ""
}

// Area is a place below the cell whose contents change while the cell runs: a learning curve, a
// front that grows.
type Area struct {
	mu    sync.Mutex
	id    string
	drawn time.Time
	last  []any
}

// NewArea returns an empty area.
func NewArea() *Area { return &Area{id: "physlib_" + gonbui.UniqueId()} }

// Show puts things in place of what the area showed. It draws at most ten times a second, and in
// the colours of the page; the last state is always kept for [Area.Close].
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

// flush draws the last state, however short ago another was drawn.
func (a *Area) flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if Interactive() && a.last != nil {
		gonbui.UpdateHTML(a.id, page(a.last...))
		gonbui.Sync()
	}
}

// Close writes the last state as ordinary outputs. They are saved with the notebook and shown by
// pages that run no scripts.
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

// NewBar returns a line of progress that begins with label. A page shows it from the first
// [Bar.Set].
func NewBar(label string) *Bar { return &Bar{id: "physlib_" + gonbui.UniqueId(), label: label} }

// Set says how much of the work is done, from 0 to 1 (NaN or below 0: nobody knows), and what is
// being done.
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

// Done replaces the bar by the text, or removes it for "".
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
