// This script is the page's part of a panel; panel.go is the part in the cell's program. The script sends the values of all
// controls and the numbers of clicks as one numbered message. It repeats the message until the program has answered. The
// answer is an attribute of the panel's state line, which is an ordinary output of the cell. Ordinary outputs are reliable.
// Scripts, comms and single messages may get lost if the page, the server or the kernel is busy, restarts or reloads.
((id, address, kernel) => {
  const root = document.getElementById(id);
  if (!root) return;
  const config = JSON.parse(document.getElementById('jupyter-config-data')?.textContent || '{}');
  if (!config.baseUrl && !document.getElementById('jupyter-config-data')) return; // a saved page has no kernel

  // Link sends messages to the kernel through a comm with the name that GoNB expects. A kernel has only one such comm at a
  // time, the one that was opened last.
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
    open() { // opens the comm, also again if another comm has replaced it
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

  // Without this, JupyterLab handles the first press in a cell that is not active: it scrolls, and the slider does not move.
  for (const event of ['mousedown', 'focusin']) root.addEventListener(event, e => e.stopPropagation());

  // The last message that the program received. A reloaded page continues from it.
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
    later = setTimeout(transmit, Math.max(0, 120 - (Date.now() - sent))); // so dragging a slider sends only a few messages
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
    if (at === WebSocket.CONNECTING && Date.now() - link.begun < 20000) return; // the server is busy; wait
    if (at !== WebSocket.OPEN || tries % 4 === 0) link.connect(); else link.open();
    transmit();
  }, 100);
  link.connect();
  changed();
})
