import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from '@playwright/test';
import { startSystem } from '@shortlist/local/system';
import { LAUNCH } from '../../tests/playwright.config.ts';
import { percentile } from './percentile.ts';

const LOADS = 5;
const CPU_SLOWDOWN = 4;
const SETTLED_MS = 1_500;

/** A text in the code of each large library, which identifies it in a chunk. */
const LIBRARIES: Record<string, string> = {
  'react-dom': 'suppressHydrationWarning',
  'react-router': 'You cannot render a <Router> inside another <Router>',
  'redux-toolkit': 'Minified Redux Toolkit error',
  'redux-saga': '@@redux-saga/',
  joi: 'alternatives.match',
  apexcharts: 'apexcharts-canvas',
};

type Shift = { value: number; hadRecentInput: boolean };
type Paint = { largest: number; shift: number };
type Script = { name: string; bytes: number; text: string };
type Load = Paint & { scripts: Script[] };
type Kind = 'largest-contentful-paint' | 'layout-shift';

const entriesOf = <Entry>(page: Page, kind: Kind): Promise<Entry[]> =>
  page.evaluate<Entry[]>(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().map((entry) => entry.toJSON())))
      .observe({ type: '${kind}', buffered: true });
    setTimeout(() => resolve([]), 200); // there are no entries of this kind
  })`);

/** Loads a page with an empty cache and a processor slowed down four times. */
const loadCold = async (browser: Browser, url: string): Promise<Load> => {
  const page = await (await browser.newContext()).newPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const pendingScripts: Promise<Script>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    const name = new URL(response.url()).pathname;
    pendingScripts.push(response.text().then((text) => ({ name, text, bytes: gzipSync(text).length })));
  });
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(SETTLED_MS);
  const paints = await entriesOf<{ startTime: number }>(page, 'largest-contentful-paint');
  const shifts = await entriesOf<Shift>(page, 'layout-shift');
  const scripts = await Promise.all(pendingScripts);
  await page.context().close();
  const unexpected = shifts.filter(({ hadRecentInput }) => !hadRecentInput);
  const shift = unexpected.reduce((sum, { value }) => sum + value, 0);
  return { largest: paints.at(-1)?.startTime ?? Number.NaN, shift, scripts };
};

const loadsOf = async (browser: Browser, url: string): Promise<Load[]> => {
  const loads: Load[] = [];
  for (let count = 0; count < LOADS; count += 1) loads.push(await loadCold(browser, url));
  return loads;
};

const paintLine = (name: string, loads: readonly Load[]): string => {
  const times = loads.map(({ largest }) => largest);
  const [min, median, max] = [0.01, 0.5, 1].map((share) => `${percentile(times, share).toFixed(0)} ms`);
  const shift = Math.max(...loads.map((load) => load.shift));
  return `${name.padEnd(22)} LCP min ${min}  median ${median}  max ${max}   CLS ${shift.toFixed(3)}`;
};

const printScripts = (scripts: readonly Script[], print: (line: string) => void): void => {
  const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1).padStart(7)} KB`;
  for (const { name, bytes } of scripts) print(`${kilobytes(bytes)}  ${name}`);
  print(
    `${kilobytes(scripts.reduce((sum, { bytes }) => sum + bytes, 0))}  of scripts in the first load, gzipped`,
  );
  for (const [library, marker] of Object.entries(LIBRARIES)) {
    const isLoaded = scripts.some(({ text }) => text.includes(marker));
    print(`${library.padEnd(15)} ${isLoaded ? 'in the first load' : 'not in the first load'}`);
  }
};

const BARE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare</title><h1>Log in</h1><p>Nothing else.</p>';

/** Serves a page without scripts: the baseline of this browser on this machine. */
const withBarePage = async <T>(work: (url: string) => Promise<T>): Promise<T> => {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(BARE),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    return await work(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

/** Measures the scripts and the paint times of the first screen, beside those of a bare page. */
export const benchWeb = async (print: (line: string) => void): Promise<void> => {
  const system = await startSystem({});
  const browser = await chromium.launch(LAUNCH);
  try {
    await loadCold(browser, `${system.publicUrl}/login`); // warm-up of the browser
    const bare = await withBarePage((url) => loadsOf(browser, url));
    const login = await loadsOf(browser, `${system.publicUrl}/login`);
    printScripts(login[0]?.scripts ?? [], print);
    print(paintLine('bare page', bare));
    print(paintLine('/login', login));
  } finally {
    await browser.close();
    await system.stop();
  }
};
