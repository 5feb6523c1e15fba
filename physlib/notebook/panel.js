// The page's half of a panel (panel.go is the other). It sends all values and counts of clicks as one numbered message, and again
// until the cell's program has answered: the answer is an attribute of the panel's line of state, an ordinary output, since
// scripts, comms and single messages may get lost where page, server or kernel are busy, restart or reload.
((id, address, kernel) => {
  const root = document.getElementById(id);
  if (!root) return;
  const config = JSON.parse(document.getElementById('jupyter-config-data')?.textContent || '{}');
  if (!config.baseUrl && !document.getElementById('jupyter-config-data')) return; // a page that was saved

  // Link speaks to the kernel by a comm of the name that GoNB knows. A kernel has one at a time: the last that was opened.
  class Link {
    connect() {
      this.close();
      const url = new URL((config.wsUrl || config.baseUrl || '/') + 'api/kernels/' + kernel + '/channels', location.href);
      url.protocol = url.protocol.replace('http', 'ws');
      url.searchParams.set('session_id', crypto.randomUUID?.() || String(Math.random()));
      if (config.token) url.searchParams.set('token', config.token);
      const socket = this.socket = new WebSocket(url);
      this.begun = Date.now();
      socket.onopen = () => this.open();
      socket.onmessage = e => {
        if (typeof e.data !== 'string' || e.data.length > 5000 || !e.data.includes('"comm_msg"')) return;
        const { comm_id, data } = JSON.parse(e.data).content;
        if (comm_id !== this.comm) return;
        if (data?.address === '#comm_open_ack') { this.ready = true; this.waiting?.(); this.waiting = null; }
        if (data?.address === '#heartbeat/ping') this.send('#heartbeat/pong', true);
      };
    }
    open() { // or open anew, where another comm has taken our place
      this.ready = false;
      this.comm = 'physlib-' + Math.random().toString(36).slice(2);
      this.raw('comm_open', { comm_id: this.comm, target_name: 'gonb_comm', kernel_id: kernel, data: {} });
    }
    raw(type, content) {
      if (this.socket?.readyState !== WebSocket.OPEN) return;
      const msg_id = Math.random().toString(36).slice(2);
      const header = { msg_id, msg_type: type, username: '', session: '', date: new Date().toISOString(), version: '5.3' };
      this.socket.send(JSON.stringify({ header, msg_id, msg_type: type, parent_header: {}, metadata: {}, content, channel: 'shell', buffers: [] }));
    }
    send(to, value) {
      const go = () => this.raw('comm_msg', { comm_id: this.comm, data: { address: to, value } });
      if (this.ready || to[0] === '#') go(); else this.waiting = go;
    }
    close() { this.ready = false; if (this.socket) { this.socket.onopen = this.socket.onmessage = null; this.socket.close(); this.socket = null; } }
  }

  const widgets = [...root.querySelectorAll('[data-value]')], buttons = [...root.querySelectorAll('button')], note = root.querySelector('.note');
  const line = () => document.getElementById(id + '_s');
  const answer = () => JSON.parse(line()?.dataset.answer || '{}');
  const label = w => {
    const out = w.parentNode.querySelector('output');
    if (out) out.textContent = w.dataset.texts ? JSON.parse(w.dataset.texts)[w.value - w.min] : w.value;
  };

  // Else JupyterLab takes the first press in a cell that is not the active one for its own, scrolls, and the slider stands still.
  for (const event of ['mousedown', 'focusin']) root.addEventListener(event, e => e.stopPropagation());

  // What the program heard last: a page that was reloaded goes on from there.
  const was = answer();
  let seq = was.seq || 0;
  const clicks = was.clicks || buttons.map(() => 0);
  widgets.forEach((w, i) => { if (was.values) w.value = was.values[i]; label(w); });

  const link = new Link();
  let tries = 0, sent = 0, since = 0;
  const transmit = () => {
    sent = Date.now();
    link.send(address, JSON.stringify({ seq, values: widgets.map(w => Number(w.value)), clicks }));
  };
  let later = 0;
  const changed = () => {
    seq = Math.max(Date.now(), seq + 1);
    tries = 0;
    since = Date.now();
    clearTimeout(later);
    later = setTimeout(transmit, Math.max(0, 120 - (Date.now() - sent))); // a drag is a few messages
  };
  for (const w of widgets) for (const event of ['input', 'change']) w.addEventListener(event, () => { label(w); changed(); });
  buttons.forEach((b, i) => b.addEventListener('click', () => { clicks[i]++; changed(); }));

  const timer = setInterval(() => {
    const state = line();
    if (state?.dataset.closed) { clearInterval(timer); link.close(); return; }
    if (!root.isConnected || !state) return;
    for (const b of buttons) if (b.dataset.busy) b.disabled = state.dataset.busy !== '1';
    const heard = (answer().seq || 0) >= seq, lost = !heard && Date.now() - since > 15000;
    const text = lost ? 'The cell does not answer. If it is not running any more, run it again.' : state.textContent;
    if (note.textContent !== text) note.textContent = text;
    note.classList.toggle('lost', lost);
    if (heard) { tries = 0; return; }
    if (Date.now() - sent < Math.min(700 * 2 ** tries, 5000)) return;
    tries++;
    const at = link.socket?.readyState;
    if (at === WebSocket.CONNECTING && Date.now() - link.begun < 20000) return; // a busy server
    if (at !== WebSocket.OPEN || tries % 4 === 0) link.connect(); else link.open();
    transmit();
  }, 100);
  link.connect();
  changed();
})
