import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from '@playwright/test';
import { LAUNCH } from '../../harness/browser.ts';
import { logInAdmin, register } from '../../harness/client.ts';
import { listen } from './listen.ts';
import { percentile, type Print } from './measure.ts';
import { withSystem } from './surroundings.ts';

const LOADS = 5;
const CPU_SLOWDOWN = 4;
const SETTLED_MS = 2_500;
const BARE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare</title><h1>Log in</h1><p>Nothing else.</p>';

type Load = { largestPaint: number; shift: number; scriptBytes: number };

const entriesOf = <Entry>(page: Page, kind: string): Promise<Entry[]> =>
  page.evaluate<Entry[]>(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().map((entry) => entry.toJSON())))
      .observe({ type: '${kind}', buffered: true });
    setTimeout(() => resolve([]), 200); // there are no entries of this kind
  })`);

/** What the browser remembers of a session, by the names of web/src/lib/storage.ts. */
type Stored = Partial<Record<'endUserToken' | 'token', string>>;

/** Loads a page with an empty cache and a processor slowed down four times. */
const loadCold = async (browser: Browser, url: string, stored: Stored = {}): Promise<Load> => {
  const page = await (await browser.newContext()).newPage();
  await page.addInitScript(`Object.assign(localStorage, ${JSON.stringify(stored)})`);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.push(response.text().then((text) => gzipSync(text).length));
  });
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(SETTLED_MS);
  const paints = await entriesOf<{ startTime: number }>(page, 'largest-contentful-paint');
  const shifts = await entriesOf<{ value: number; hadRecentInput: boolean }>(page, 'layout-shift');
  const scriptBytes = (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0);
  await page.context().close();
  const shift = shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0);
  return { largestPaint: paints.at(-1)?.startTime ?? Number.NaN, shift, scriptBytes };
};

const measure = async (browser: Browser, name: string, url: string, stored?: Stored): Promise<string> => {
  const loads: Load[] = [];
  while (loads.length < LOADS) loads.push(await loadCold(browser, url, stored));
  const paint = percentile(
    loads.map(({ largestPaint }) => largestPaint),
    0.5,
  );
  const shift = Math.max(...loads.map((load) => load.shift));
  const kilobytes = (loads[0]?.scriptBytes ?? 0) / 1024;
  return `P15 ${name.padEnd(16)} LCP ${paint.toFixed(0)} ms   CLS ${shift.toFixed(3)}   ${kilobytes.toFixed(1)} KB of script, gzipped`;
};

const USER_PAGES = ['/', '/credits', '/security'];
const ADMIN_PAGES = ['/admin/user-list'];

/** P15 Measures the scripts and the paint times of the first screen and of four others, beside those of a page without scripts. */
export const benchWeb = (print: Print): Promise<void> =>
  withSystem({}, async (system) => {
    const { publicUrl } = system;
    const user = { endUserToken: (await register(system)).token };
    const admin = { token: await logInAdmin(system) };
    const bare = await listen((_request, response) =>
      response.setHeader('content-type', 'text/html').end(BARE),
    );
    const browser = await chromium.launch(LAUNCH);
    try {
      await loadCold(browser, `${publicUrl}/login`); // warm-up of the browser
      print(await measure(browser, 'bare page', bare.url));
      print(await measure(browser, '/login', `${publicUrl}/login`));
      for (const path of USER_PAGES) print(await measure(browser, path, `${publicUrl}${path}`, user));
      for (const path of ADMIN_PAGES) print(await measure(browser, path, `${publicUrl}${path}`, admin));
    } finally {
      await browser.close();
      bare.close();
    }
  });
