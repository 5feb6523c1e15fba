package notebook

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/comms"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Panel is a box of sliders, dropdowns and buttons above an area that is redrawn when one of them
// changes.
//
//	p := notebook.NewPanel()
//	noise := p.Log("noise", 1e-4, 1, 0.01)
//	p.Loop(func(ctx context.Context, a *notebook.Area) { a.Show(search(ctx, noise())) })
//
// A panel exists while its cell runs. So a cell has one panel, and the cells below wait until Close
// is pressed.
type Panel struct {
	id       string // id of the box's HTML element
	live     bool
	controls []string      // their HTML
	changed  chan struct{} // capacity 1: several pending changes count as one
	clicked  [len(buttons)]chan struct{}

	mu       sync.Mutex
	values   []int   // values of the controls; for a dropdown, the index of its option
	received message // the last message received from the page
	state    string
	busy     bool
}

// Indices of the buttons.
const (
	runs = iota
	cancels
	closes
)

var buttons = [...]string{"Run", "Cancel", "Close"}

// message is the only kind of message from the page. It holds the values of the controls and the
// number of clicks on each button. The page repeats it until the panel's state contains it. The
// numbers of messages and of clicks only increase, so lost or late messages do no harm.
//
// GoNB's own widgets are not used, for two reasons. They send each change only once, and not always
// in order. And they need a script on the page that may never run.
type message struct {
	Seq    int64 `json:"seq"`
	Values []int `json:"values"`
	Clicks []int `json:"clicks"`
}

// panelScript is the script of a panel on the page.
//
//go:embed panel.js
var panelScript string

// panelStyle is the style sheet of a panel.
//
//go:embed panel.css
var panelStyle string

// NewPanel returns an empty panel, which [Panel.Loop] shows. If nobody can use it (see
// [Interactive]), nothing is shown and all controls keep their initial values.
func NewPanel() *Panel {
	p := &Panel{id: "physlib_panel_" + gonbui.UniqueId(), live: Interactive(), changed: make(chan struct{}, 1)}
	for i := range p.clicked {
		p.clicked[i] = make(chan struct{}, 1)
	}
	return p
}

// Int adds an integer slider. It returns a function that reads the slider.
func (p *Panel) Int(label string, low, high, value int) func() int {
	return p.slider(label, low, high, value, nil)
}

// Choose adds a slider over a list of values, such as 1, 2, 4, 8. It starts at value, or at the
// first if value is not in the list.
func (p *Panel) Choose(label string, values []int, value int) func() int {
	if len(values) == 0 {
		return func() int { return value }
	}
	at := p.slider(label, 0, len(values)-1, max(slices.Index(values, value), 0), func(i int) string { return fmt.Sprint(values[i]) })
	return func() int { return values[at()] }
}

// Float adds a slider from low to high in 100 equal steps. It returns a function that reads the
// slider.
func (p *Panel) Float(label string, low, high, value float64) func() float64 {
	of := func(i int) float64 { return low + (high-low)*float64(i)/100 }
	return p.exact(label, int(math.Round(100*(value-low)/(high-low))), of, value)
}

// Log adds a slider from low to high, both positive, in 100 steps of equal ratio. It returns a
// function that reads the slider.
func (p *Panel) Log(label string, low, high, value float64) func() float64 {
	of := func(i int) float64 { return low * math.Pow(high/low, float64(i)/100) }
	return p.exact(label, int(math.Round(100*math.Log(value/low)/math.Log(high/low))), of, value)
}

// exact adds a slider of 100 steps. In its initial position it has exactly the given value, which
// may lie between two steps.
func (p *Panel) exact(label string, first int, of func(int) float64, value float64) func() float64 {
	first = min(max(first, 0), 100)
	real := func(i int) float64 {
		if i != first {
			return of(i)
		}
		return value
	}
	at := p.slider(label, 0, 100, first, func(i int) string { return fmt.Sprintf("%.3g", real(i)) })
	return func() float64 { return real(at()) }
}

// Select adds a dropdown. It starts at value, or at the first option if value is not an option.
func (p *Panel) Select(label string, options []string, value string) func() string {
	if len(options) == 0 {
		return func() string { return value }
	}
	first := max(slices.Index(options, value), 0)
	var b strings.Builder
	for i, o := range options {
		selected := ""
		if i == first {
			selected = " selected"
		}
		fmt.Fprintf(&b, `<option value="%d"%s>%s</option>`, i, selected, html.EscapeString(o))
	}
	at := p.add(label, first, `<select id="%s" data-value>`+strings.ReplaceAll(b.String(), "%", "%%")+`</select>`)
	return func() string { return options[min(max(at(), 0), len(options)-1)] }
}

// slider adds an integer slider. If show is not nil, the page shows the text show(i) for i.
func (p *Panel) slider(label string, low, high, value int, show func(int) string) func() int {
	value = min(max(value, low), high)
	texts := ""
	if show != nil {
		all := make([]string, 0, high-low+1)
		for i := low; i <= high; i++ {
			all = append(all, show(i))
		}
		list, _ := json.Marshal(all)
		texts = ` data-texts="` + strings.ReplaceAll(html.EscapeString(string(list)), "%", "%%") + `"`
	}
	at := p.add(label, value, fmt.Sprintf(`<input type="range" id="%%s" min="%d" max="%d" step="1" value="%d" data-value%s><output></output>`, low, high, value, texts))
	return func() int { return min(max(at(), low), high) }
}

// add adds a control, given as HTML with %s for its id, and returns a function that reads it.
func (p *Panel) add(label string, value int, control string) func() int {
	at, id := len(p.values), widgetID(label)
	p.values = append(p.values, value)
	p.controls = append(p.controls, fmt.Sprintf(`<div class="row"><label for="%s">%s</label>`+control+`</div>`, id, html.EscapeString(label), id))
	return func() int {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.values[at]
	}
}

// widgetID returns an id that is unique on the page and contains the label, by which tests find it.
func widgetID(label string) string {
	word := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, label)
	return "physlib_" + word + "_" + gonbui.UniqueId()
}

// page returns the panel as HTML with its script. address is where the script sends messages.
func (p *Panel) page(address string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<div id="%s" class="physlib-panel" data-lm-suppress-shortcuts="true"><style>%s</style><div class="rows">%s</div><div class="buttons">`, p.id, panelStyle, strings.Join(p.controls, ""))
	for i, name := range buttons {
		busy := ""
		if i == cancels {
			// Marks a button that is enabled only while the panel is busy.
			busy = ` data-busy="1" disabled`
		}
		fmt.Fprintf(&b, `<button id="%s"%s>%s</button>`, widgetID(name), busy, name)
	}
	names, _ := json.Marshal([]string{p.id, address, os.Getenv(protocol.GONB_JUPYTER_KERNEL_ID_ENV)})
	fmt.Fprintf(&b, `<span class="note"></span></div><script>%s(...%s);</script></div>`, strings.TrimSpace(panelScript), names)
	return b.String()
}

// receive applies a message of the page, notifies the loop of changes, and replies with the state.
func (p *Panel) receive(text string) {
	var m message
	if json.Unmarshal([]byte(text), &m) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if m.Seq > p.received.Seq && len(m.Values) == len(p.values) && len(m.Clicks) == len(buttons) {
		if !slices.Equal(m.Values, p.values) {
			copy(p.values, m.Values)
			poke(p.changed)
		}
		for i, n := range m.Clicks {
			before := 0
			if p.received.Clicks != nil {
				before = p.received.Clicks[i]
			}
			if n > before {
				poke(p.clicked[i])
			}
		}
		p.received = m
	}
	p.writeState()
}

// poke sends on c unless it already holds a value.
func poke(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// writeState sends the page the state and the last message that the panel received. The panel's
// script shows the state next to the buttons. The caller holds the lock.
func (p *Panel) writeState() {
	answer, _ := json.Marshal(p.received)
	busy := ""
	if p.busy {
		busy = ` data-busy="1"`
	}
	gonbui.UpdateHTML(p.id+"_state", fmt.Sprintf(`<div id="%s_s" class="physlib-state" hidden%s data-answer="%s">%s</div>`, p.id, busy, html.EscapeString(string(answer)), html.EscapeString(p.state)))
}

// say sets the state.
func (p *Panel) say(state string, busy bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state, p.busy = state, busy
	p.writeState()
}

// Loop shows the panel and calls draw. It calls draw again whenever a slider moves or Run is
// pressed, after ending the context of the running draw. Cancel ends the running draw and keeps its
// output. Close, or Jupyter's interrupt button, ends the panel. If nobody can use the panel, draw
// is called once.
func (p *Panel) Loop(draw func(ctx context.Context, a *Area)) {
	a := NewArea()
	if !p.live {
		draw(Context(), a)
		a.Close()
		return
	}
	address := "/" + p.id
	p.say("", true)
	gonbui.UpdateHTML(p.id+"_box", p.page(address))
	comms.Subscribe(address, func(_ string, text string) { p.receive(text) })
	p.serve(draw, a)
	gonbui.UpdateHTML(p.id+"_box", "")
	gonbui.UpdateHTML(p.id+"_state", fmt.Sprintf(`<div id="%s_s" data-closed="1"><i>closed; run the cell again to go on</i></div>`, p.id))
	a.Close()
}

// serve runs draw as the controls request, until the panel is closed.
func (p *Panel) serve(draw func(ctx context.Context, a *Area), a *Area) {
	done := make(chan struct{}, 1)
	begin := func() (halt func()) {
		p.say("working …", true)
		return start(draw, a, done)
	}
	halt, busy := begin(), true
	for {
		again := false
		select {
		case <-p.clicked[runs]:
			again = true
		case <-p.changed:
			again = true
		case <-done:
			busy = false
			p.say("done", false)
		case <-p.clicked[cancels]:
			halt()
			if busy {
				busy = false
				p.say("cancelled: what was found until then", false)
			}
		case <-p.clicked[closes]:
			halt()
			return
		case <-Context().Done():
			halt()
			return
		}
		if again {
			halt()
			select {
			case <-done: // draw may have ended by itself in the meantime
			default:
			}
			halt, busy = begin(), true
		}
	}
}

// start runs draw in a new goroutine, which sends to done unless its context has ended. halt ends
// the context and waits for draw to return.
func start(draw func(ctx context.Context, a *Area), a *Area, done chan<- struct{}) (halt func()) {
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
