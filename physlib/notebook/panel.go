package notebook

import (
	"context"
	"fmt"
	"html"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/comms"
	"github.com/janpfeifer/gonb/gonbui/dom"
	"github.com/janpfeifer/gonb/gonbui/widgets"
)

// Panel is a box of sliders, dropdowns and buttons above an area that is drawn again when one of them is moved.
//
//	p := notebook.NewPanel()
//	noise := p.Log("noise", 1e-4, 1, 0.01)
//	p.Loop(func(ctx context.Context, a *notebook.Area) { a.Show(search(ctx, noise())) })
//
// A panel lives while its cell runs, so a cell has one panel, and cells below wait until Close is pressed.
type Panel struct {
	div     string // id of the box on the page
	live    bool
	changed chan struct{} // of capacity 1: a burst of moves is one change
}

// NewPanel shows an empty panel. Where nobody can answer (see [Interactive]) nothing is shown and all values stay what they
// were at first.
func NewPanel() *Panel {
	p := &Panel{div: "physlib_panel_" + gonbui.UniqueId(), live: Interactive(), changed: make(chan struct{}, 1)}
	if p.live {
		gonbui.DisplayHTMLF(`<div id="%s" style="border:1px solid var(--jp-border-color2);border-radius:6px;padding:8px 12px"></div>`, p.div)
		gonbui.Sync()
	}
	return p
}

// Int adds a slider of whole numbers; the function that it returns reads it.
func (p *Panel) Int(label string, low, high, value int) func() int {
	return p.slider(label, low, high, value, func(i int) string { return fmt.Sprint(i) })
}

// Choose adds a slider over a few values, such as 1, 2, 4, 8; value is one of them, or else the first is taken.
func (p *Panel) Choose(label string, values []int, value int) func() int {
	if len(values) == 0 {
		return func() int { return value }
	}
	at := p.slider(label, 0, len(values)-1, max(slices.Index(values, value), 0), func(i int) string { return fmt.Sprint(values[i]) })
	return func() int { return values[at()] }
}

// Float adds a slider from low to high in 100 steps.
func (p *Panel) Float(label string, low, high, value float64) func() float64 {
	of := func(i int) float64 { return low + (high-low)*float64(i)/100 }
	at := p.slider(label, 0, 100, int(math.Round(100*(value-low)/(high-low))), func(i int) string { return fmt.Sprintf("%.3g", of(i)) })
	return p.exact(at, of, value)
}

// Log adds a slider from low to high in 100 steps of equal ratio; both are positive.
func (p *Panel) Log(label string, low, high, value float64) func() float64 {
	of := func(i int) float64 { return low * math.Pow(high/low, float64(i)/100) }
	at := p.slider(label, 0, 100, int(math.Round(100*math.Log(value/low)/math.Log(high/low))), func(i int) string { return fmt.Sprintf("%.3g", of(i)) })
	return p.exact(at, of, value)
}

// exact reads a slider in steps, and the value it began with as it was given while it stands there.
func (p *Panel) exact(at func() int, of func(int) float64, value float64) func() float64 {
	first := at()
	return func() float64 {
		if i := at(); i != first {
			return of(i)
		}
		return value
	}
}

// Select adds a dropdown; value is one of the options, or else the first is chosen.
func (p *Panel) Select(label string, options []string, value string) func() string {
	first := max(slices.Index(options, value), 0)
	if !p.live {
		return func() string { return options[first] }
	}
	w, _ := p.row(label)
	s := p.ask(w, func() built {
		return widgets.Select(options).SetDefault(first).AppendTo(w).WithHtmlId(widgetID(label))
	}).(*widgets.SelectBuilder)
	at := p.follow(s.Listen(), first, func(int) {})
	return func() string { return options[at()] }
}

// slider adds a slider over whole numbers, which stands for others: show writes them.
func (p *Panel) slider(label string, low, high, value int, show func(int) string) func() int {
	value = min(max(value, low), high)
	if !p.live {
		return func() int { return value }
	}
	w, v := p.row(label)
	s := p.ask(w, func() built {
		return widgets.Slider(low, high, value).AppendTo(w).WithHtmlId(widgetID(label))
	}).(*widgets.SliderBuilder)
	dom.SetInnerText(v, show(value))
	return p.follow(s.Listen(), value, func(i int) { dom.SetInnerText(v, show(i)) })
}

// built is a widget of GoNB's: Done puts it on the page and waits for its first answer.
type built any

// ask makes a widget and puts it into place until it answers. The script that connects a widget is on the page for a moment
// only, and is lost where the page is busy or has scrolled away: then the widget is made anew.
func (p *Panel) ask(place string, widget func() built) built {
	for wait := 3 * time.Second; ; wait = min(2*wait, 20*time.Second) {
		w, answered := widget(), make(chan struct{})
		go func() {
			switch w := w.(type) {
			case *widgets.SelectBuilder:
				w.Done()
			case *widgets.SliderBuilder:
				w.Done()
			case *widgets.ButtonBuilder:
				w.Done()
			}
			close(answered)
		}()
		select {
		case <-answered:
			return w
		case <-Context().Done(): // nobody waits for the answer any more
			gonbui.Sync()
			os.Exit(0)
		case <-time.After(wait):
			dom.SetInnerHtml(place, "")
		}
	}
}

// row adds a labelled line and returns the ids of the places for its widget and its value.
func (p *Panel) row(label string) (widget, value string) {
	widget, value = "physlib_w_"+gonbui.UniqueId(), "physlib_v_"+gonbui.UniqueId()
	dom.Append(p.div, fmt.Sprintf(`<div style="display:inline-block;min-width:26em;padding:2px 0"><label style="display:inline-block;min-width:11em">%s</label><span id="%s"></span> <code id="%s"></code></div>`,
		html.EscapeString(label), widget, value))
	return widget, value
}

// widgetID is an id that tests find by the label, and that no other widget of the page has.
func widgetID(label string) string {
	word := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, label)
	return "physlib_" + word + "_" + gonbui.UniqueId()
}

// follow keeps the latest number of a channel. A widget's own Value may lag behind what it sends, and "input" and "change"
// both send: equal values are one.
func (p *Panel) follow(ch *comms.AddressChan[int], now int, changed func(int)) func() int {
	var mu sync.Mutex
	ch.LatestOnly()
	go func() {
		for x := range ch.C {
			mu.Lock()
			same := x == now
			now = x
			mu.Unlock()
			if !same {
				changed(x)
				p.poke()
			}
		}
	}()
	return func() int {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
}

func (p *Panel) poke() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// Loop calls draw, and again whenever something was moved or Run is pressed; the context of a draw that is under way ends
// first. Cancel ends the draw under way and leaves what it has shown; Close, or Jupyter's interrupt button, ends the panel.
// Where nobody can answer draw is called once.
func (p *Panel) Loop(draw func(ctx context.Context, a *Area)) {
	a := NewArea()
	if !p.live {
		draw(Context(), a)
		a.Close()
		return
	}
	dom.Append(p.div, `<div id="`+p.div+`_b" style="padding-top:6px"></div>`)
	state := func(text string) { // an output of its own: scripts that set a text may be lost while much is drawn
		gonbui.UpdateHTML(p.div+"_state", `<div id="`+p.div+`_s" style="color:var(--jp-content-font-color2);padding-left:12px">`+text+`</div>`)
	}
	run, cancelled, closed := p.button("Run"), p.button("Cancel"), p.button("Close")
	p.poke()
	done := make(chan struct{}, 1)
	halt := func() {} // ends the draw under way and waits for it
	busy := false
	for {
		select {
		case <-run:
			p.poke()
		case <-p.changed:
			halt()
			select {
			case <-done: // it had ended by itself, just before
			default:
			}
			state("working …")
			halt, busy = p.start(draw, a, done), true
		case <-done:
			busy = false
			state("done")
		case <-cancelled:
			if halt(); busy {
				state("cancelled: what was found until then")
			}
		case <-closed:
			halt()
			state("")
			p.end(a)
			return
		case <-Context().Done():
			halt()
			state("")
			p.end(a)
			return
		}
	}
}

// start draws in a goroutine of its own, which tells done when it came to its end by itself. halt ends it earlier.
func (p *Panel) start(draw func(ctx context.Context, a *Area), a *Area, done chan<- struct{}) (halt func()) {
	ctx, end := context.WithCancel(Context())
	ended := make(chan struct{})
	go func() {
		draw(ctx, a)
		a.flush()
		if ctx.Err() == nil {
			done <- struct{}{}
		}
		close(ended)
	}()
	return func() {
		end()
		<-ended
	}
}

// end leaves the last state without the widgets.
func (p *Panel) end(a *Area) {
	dom.SetInnerHtml(p.div, "<i>closed; run the cell again to go on</i>")
	a.Close()
}

// button adds a button and returns its clicks.
func (p *Panel) button(label string) <-chan int {
	place := p.div + "_" + label
	dom.Append(p.div+"_b", `<span id="`+place+`"></span> `)
	b := p.ask(place, func() built { return widgets.Button(label).AppendTo(place).WithHtmlId(widgetID(label)) })
	return b.(*widgets.ButtonBuilder).Listen().C
}
