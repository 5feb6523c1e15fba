// The test that notebooks/browser runs: node browser.mjs CHROMIUM FOLDER [01] [08], in the checkout's root.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { chromium } from 'playwright-core';

const [, , executable, shots, ...only] = process.argv;
const wanted = name => only.length === 0 || only.includes(name);
const slow = Number(process.env.SLOW || 1); // multiplies all limits, for busy machines
const port = await new Promise(done => {
  const s = createServer().listen(0, '127.0.0.1', () => { const { port } = s.address(); s.close(() => done(port)); });
});
const token = 'test' + Math.random().toString(36).slice(2);
const server = spawn('.venv/bin/jupyter', ['lab', '--no-browser', '--allow-root', '--ip=127.0.0.1', `--port=${port}`, '--ServerApp.port_retries=0',
  '--ServerApp.root_dir=.', `--IdentityProvider.token=${token}`, '--LabApp.expose_app_in_browser=True'], { stdio: ['ignore', 'pipe', 'pipe'] });
let log = '';
for (const out of [server.stdout, server.stderr]) out.on('data', d => { log += d; });
const stop = () => server.kill('SIGTERM');
process.on('exit', stop);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

let failed = 0;
const began = Date.now();
const check = (ok, what) => {
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}`);
  if (!ok) failed++;
};

let browser;
try {
  for (let i = 0; ; i++) {
    if (await fetch(`http://127.0.0.1:${port}/api`).then(r => r.ok, () => false)) break;
    if (i > 240 * slow || server.exitCode !== null) throw new Error('JupyterLab does not start');
    await new Promise(r => setTimeout(r, 250));
  }
  browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 1500 } });
  page.setDefaultTimeout(120000 * slow);
  const outside = [];
  page.on('request', r => { if (!r.url().includes(`127.0.0.1:${port}`) && /^https?:/.test(r.url())) outside.push(r.url()); });

  const command = (id, args) => page.evaluate(([id, args]) => window.jupyterapp.commands.execute(id, args).then(() => null), [id, args || {}]);
  const open = async name => {
    await page.goto(`http://127.0.0.1:${port}/lab/tree/notebooks/build/browser/${name}?token=${token}&reset`);
    await page.waitForSelector('.jp-NotebookPanel .jp-Cell');
    await page.waitForFunction(() => window.jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.connectionStatus === 'connected');
    await page.waitForTimeout(1000);
    await command('notebook:clear-all-cell-outputs'); // nothing kept may pass for something new
  };
  const cell = i => page.locator('.jp-Notebook .jp-Cell').nth(i);
  const output = i => cell(i).locator('.jp-Cell-outputWrapper');
  const show = async (i, name) => { await output(i).scrollIntoViewIfNeeded(); await page.waitForTimeout(500); await page.screenshot({ path: `${shots}/${name}.png` }); };
  // JupyterLab renders cells as they come into view: go through them all
  const walk = async () => { for (let n = await page.locator('.jp-Notebook .jp-Cell').count(), i = 0; i < n; i++) { await cell(i).scrollIntoViewIfNeeded(); await page.waitForTimeout(80); } };
  const theme = name => command('apputils:change-theme', { theme: name });
  const indexOf = text => page.evaluate(text => window.jupyterapp.shell.currentWidget.content.widgets.findIndex(w => w.model.sharedModel.source.includes(text)), text);

  const until = async (what, f, limit = 60000) => {
    const end = Date.now() + limit * slow;
    for (;;) {
      if (await f().catch(() => false)) { check(true, what); return true; }
      if (Date.now() > end) {
        check(false, what);
        await page.screenshot({ path: `${shots}/failure-${failed}.png` }).catch(() => {});
        return false;
      }
      await page.waitForTimeout(50);
    }
  };

  // A first law
  if (wanted('01')) {
    await open('01-first-law.ipynb');
    command('notebook:run-all-cells').catch(() => {});
    await page.waitForFunction(() => {
      const cells = window.jupyterapp.shell.currentWidget.content.widgets.filter(w => w.model.type === 'code');
      return cells.every(w => typeof w.model.executionCount === 'number' && w.prompt !== '*' && w.model.executionState !== 'running');
    }, null, { timeout: 300000 * slow });
    await walk();
    const search = await indexOf('notebook.Discover(planets()');
    await until('01: the laws are typeset', async () => await output(search).locator('mjx-container').count() > 0, 10000);
    await until('01: the search tells what it did', async () => /candidates were evaluated/.test(await output(search).textContent()), 10000);
    const front = await indexOf('notebook.Front(found()');
    await until('01: the front is drawn', async () => await output(front).locator('canvas, svg').count() > 0, 10000);
    const against = await indexOf('notebook.Against(planets()');
    await until('01: law and residuals are drawn', async () => await output(against).locator('canvas, svg, img').count() >= 2, 10000);
    const mistake = await indexOf('mistake.csv');
    check(/row 3, column 1/.test(await output(mistake).textContent()) && !/goroutine/.test(await output(mistake).textContent()), '01: a mistake in a table is one message');
    for (const [name, file] of [['JupyterLab Light', 'light'], ['JupyterLab Dark', 'dark']]) {
      await theme(name);
      await show(search, `01-law-${file}`);
      await show(against, `01-plots-${file}`);
    }
    // what lies under the pointer
    const plot = await output(front).locator('canvas, svg').first().boundingBox();
    await cell(front).scrollIntoViewIfNeeded();
    if (plot) {
      for (let x = 40; x < plot.width - 10; x += 4) await page.mouse.move(plot.x + x, plot.y + plot.height * 0.75);
    }
    await theme('JupyterLab Light');
  }

  // Explore
  if (wanted('08')) {
    await open('08-explore.ipynb');
    const panel = await indexOf('p.Select("units"');
    command('notebook:run-all-cells').catch(() => {});
    const widget = label => page.locator(`[id^="physlib_${label}"]`).last();
    await widget('noise').waitFor();
    // JupyterLab draws a front on a canvas; its menu has an svg of its own, which never changes
    const picture = () => output(panel).evaluate(el => [...el.querySelectorAll('canvas'), ...el.querySelectorAll('svg:not(summary svg)')]
      .map(p => p.toDataURL?.() ?? p.innerHTML).join(''));
    // looks once: a locator would wait for an element that is being drawn again
    const law = () => output(panel).evaluate(el => el.querySelector('math')?.textContent ?? '');
    const state = async () => output(panel).locator('[id$="_s"]').innerText();
    const set = (label, v) => widget(label).evaluate((el, v) => { el.value = v; el.dispatchEvent(new Event('input')); el.dispatchEvent(new Event('change')); }, String(v));

    await until('08: a law and a front appear', async () => (await law()) !== '' && (await picture()) !== '');
    await until('08: the first search ends', async () => (await state()) === 'done');
    await set('time-budget', 5); // a busy machine finds no law in the 5 s that the panel begins with
    await until('08: a longer search ends', async () => (await state()) === 'done' && (await picture()) !== '', 120000);
    let before = await picture(), had = await law();
    await show(panel, '08-panel-light');
    let t = Date.now();
    await widget('noise').scrollIntoViewIfNeeded();
    const noise = await widget('noise').boundingBox(); // a real drag
    await page.mouse.move(noise.x + noise.width / 2, noise.y + noise.height / 2);
    await page.mouse.down();
    for (let i = 0; i <= 20; i++) await page.mouse.move(noise.x + noise.width / 2 + i * noise.width / 40, noise.y + noise.height / 2);
    await page.mouse.up();
    await until('08: a slider that is dragged changes the picture', async () => (await picture()) !== '' && (await picture()) !== before);
    console.log(`          after ${Date.now() - t} ms`);
    had = await law();
    t = Date.now();
    await widget('law').selectOption('0');
    await until('08: another law in the dropdown changes the law', async () => (await law()) !== '' && (await law()) !== had);
    console.log(`          after ${Date.now() - t} ms`);
    // a long search: without units, and no short law to settle for
    await widget('units').selectOption('1');
    await set('noise', 0);
    await widget('who-searches').selectOption('1');
    await set('time-budget', 5);
    await widget('law').selectOption({ label: 'Interference of two intensities' });
    await until('08: a long search shows what it has', async () => (await state()) === 'working …' && /^Int/.test(await law()) && (await picture()) !== '');
    t = Date.now();
    await widget('Cancel').click();
    await until('08: Cancel ends it', async () => (await state()).startsWith('cancelled'), 5000);
    console.log(`          after ${Date.now() - t} ms`);
    await until('08: what was found stays', async () => (await law()) !== '' && (await picture()) !== '', 5000);
    await show(panel, '08-cancelled-light');
    await theme('JupyterLab Dark');
    await show(panel, '08-panel-dark');
    await theme('JupyterLab Light');
    await widget('Close').click();
    await until('08: Close leaves the last state', async () => /closed; run the cell again/.test(await output(panel).innerText()) && (await output(panel).locator('canvas, svg, img').count()) > 0);

    // the network's panel was waiting for the first one to be closed
    const second = await indexOf('p.Choose("LoRA rank"');
    await widget('LoRA-rank').waitFor();
    await until('08: the network proposes', async () => (await output(second).locator('math').count()) > 0, 120000);
    const networkState = async () => output(second).locator('[id$="_s"]').innerText();
    await until('08: its first run ends', async () => (await networkState()) === 'done', 120000);
    const text = async () => output(second).innerText();
    const told = await text();
    await set('K-candidates', 1);
    await until('08: another K gives another result', async () => (await networkState()) === 'done' && (await text()) !== told, 120000);
    await show(second, '08-network-light');
    await command('notebook:interrupt-kernel');
    await until('08: the interrupt button ends a panel', async () => /closed; run the cell again/.test(await text()), 15000);
    check(!/signal|ERROR/.test(await text()), '08: and the cell ends without an error');
  }

  check(outside.length === 0, `nothing is loaded from elsewhere${outside.length ? ': ' + outside.slice(0, 3) : ''}`);
} catch (e) {
  check(false, e.message.split('\n')[0]);
  await browser?.contexts()[0]?.pages()[0]?.screenshot({ path: `${shots}/failure.png` }).catch(() => {});
  console.log(log.slice(-1500));
} finally {
  await browser?.close();
  stop();
  await new Promise(done => { server.on('exit', done); setTimeout(done, 8000); });
}
process.exit(failed ? 1 : 0);
