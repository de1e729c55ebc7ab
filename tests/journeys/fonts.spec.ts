import type { Page } from '@playwright/test';
import { register } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { DESKTOP } from './layout-problems.ts';
import { RECORD_SHIFTS } from './page-checks.ts';

/** The top and the height of each element with a text. */
const TEXT_BOXES = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const boxes = [];
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (data.trim() === '' || parentElement.closest('[hidden], .visually-hidden') !== null) continue;
    const { top, height } = parentElement.getBoundingClientRect();
    boxes.push({ text: data.trim().slice(0, 40), top: Math.round(top), height: Math.round(height) });
  }
  return boxes;
})()`;

type TextBox = { text: string; top: number; height: number };

const FAMILY = '16px "Hanken Grotesk Variable"';

const BUTTONS = { '/login': 'Log In', '/forgot-password': 'Send link', '/register': 'Sign Up' };

/** Stand-ins are as wide as the font on average; in a single text, Arial and its doubles are up to 4 % wider. */
const STAND_INS = { 'its stand-in': 1, 'a stand-in 5 % wider': 1.05 };

/** Scales the width of the stand-ins, whose lines stay as high as they are. */
const scaleStandIns = async (page: Page, scale: number): Promise<void> => {
  await page.route(/\.css$/, async (route) => {
    const response = await route.fetch();
    const styles = await response.text();
    const body = styles.replace(
      /(size-adjust|ascent-override|descent-override):([\d.]+)%/g,
      (_rule, name: string, percent: string) =>
        `${name}:${name === 'size-adjust' ? Number(percent) * scale : Number(percent) / scale}%`,
    );
    await route.fulfill({ response, body });
  });
};

const cases = Object.entries(BUTTONS).flatMap(([path, button]) =>
  Object.entries(STAND_INS).map(([standIn, scale]) => ({ path, button, standIn, scale })),
);

const isLoaded = (page: Page): Promise<boolean> => page.evaluate(`document.fonts.check('${FAMILY}')`);

/** Opens a page whose font waits for `release`. */
const openWithLateFont = async (page: Page, url: string): Promise<() => Promise<void>> => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\.woff2$/, async (route) => {
    await released;
    await route.continue();
  });
  // The load event waits for the font.
  await page.goto(url, { waitUntil: 'commit' });
  return async () => {
    release();
    await expect.poll(() => isLoaded(page)).toBe(true);
  };
};

for (const { path, button, standIn, scale } of cases)
  test(`the font of ${path} comes late on a slow network, replaces ${standIn} and moves no line`, async ({
    browser,
    system,
  }) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await scaleStandIns(page, scale);
    await page.addInitScript(RECORD_SHIFTS);
    const releaseFont = await openWithLateFont(page, `${system.publicUrl}${path}`);
    await expect(page.getByRole('button', { name: button })).toBeEnabled();
    // Longer than browsers give a font that is optional.
    await page.waitForTimeout(1_000);
    expect(await isLoaded(page)).toBe(false);
    const before = await page.evaluate<TextBox[]>(TEXT_BOXES);
    await releaseFont();
    const after = await page.evaluate<TextBox[]>(TEXT_BOXES);
    expect(before.length).toBeGreaterThan(5);
    expect(after).toEqual(before);
    expect(await page.evaluate<string[]>('window.shifts')).toEqual([]);
    await page.close();
  });

/** The height of the bar about an unconfirmed address, with addresses of many lengths. */
const BAR_HEIGHTS = `(() => {
  const address = document.querySelector('.frame-bar bdi');
  return Array.from({ length: 40 }, (_, length) => {
    address.textContent = 'a'.repeat(length) + '@talent.test';
    return address.closest('.frame-bar').offsetHeight;
  });
})()`;

test('a font that comes late wraps no bar about an unconfirmed address, however long that is', async ({
  browser,
  system,
}) => {
  const { token } = await register(system);
  const page = await browser.newPage({ viewport: DESKTOP });
  await page.addInitScript((value) => localStorage.setItem('endUserToken', value), token);
  const releaseFont = await openWithLateFont(page, system.publicUrl);
  await page.locator('.frame-bar bdi').waitFor();
  expect(await isLoaded(page)).toBe(false);
  const before = await page.evaluate<number[]>(BAR_HEIGHTS);
  await releaseFont();
  expect(await page.evaluate<number[]>(BAR_HEIGHTS)).toEqual(before);
  await page.close();
});
