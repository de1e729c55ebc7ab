import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from '@playwright/test';
import { LAUNCH } from '../../harness/browser.ts';
import { listen } from './listen.ts';
import { percentile, type Print } from './measure.ts';
import { withSystem } from './surroundings.ts';

const LOADS = 5;
const CPU_SLOWDOWN = 4;
const SETTLED_MS = 1_500;
const BARE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare</title><h1>Log in</h1><p>Nothing else.</p>';

type Load = { largestPaint: number; shift: number; scriptBytes: number };

const entriesOf = <Entry>(page: Page, kind: string): Promise<Entry[]> =>
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

const measure = async (browser: Browser, name: string, url: string): Promise<string> => {
  const loads: Load[] = [];
  while (loads.length < LOADS) loads.push(await loadCold(browser, url));
  const paint = percentile(
    loads.map(({ largestPaint }) => largestPaint),
    0.5,
  );
  const shift = Math.max(...loads.map((load) => load.shift));
  const kilobytes = (loads[0]?.scriptBytes ?? 0) / 1024;
  return `P15 ${name.padEnd(10)} LCP ${paint.toFixed(0)} ms   CLS ${shift.toFixed(3)}   ${kilobytes.toFixed(1)} KB of script, gzipped`;
};

/** P15 Measures the scripts and the paint times of the first screen, beside those of a page without scripts. */
export const benchWeb = (print: Print): Promise<void> =>
  withSystem({}, async ({ publicUrl }) => {
    const bare = await listen((_request, response) =>
      response.setHeader('content-type', 'text/html').end(BARE),
    );
    const browser = await chromium.launch(LAUNCH);
    try {
      await loadCold(browser, `${publicUrl}/login`); // warm-up of the browser
      print(await measure(browser, 'bare page', bare.url));
      print(await measure(browser, '/login', `${publicUrl}/login`));
    } finally {
      await browser.close();
      bare.close();
    }
  });
