import type { Page } from '@playwright/test';
import { expect, test } from '../../harness/system.ts';
import { RECORD_SHIFTS } from './screen-checks.ts';

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

for (const { path, button, standIn, scale } of cases)
  test(`the font of ${path} comes late on a slow network, replaces ${standIn} and moves no line`, async ({
    browser,
    system,
  }) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\.woff2$/, async (route) => {
      await released;
      await route.continue();
    });
    await scaleStandIns(page, scale);
    await page.addInitScript(RECORD_SHIFTS);
    // The load event waits for the font.
    await page.goto(`${system.publicUrl}${path}`, { waitUntil: 'commit' });
    await expect(page.getByRole('button', { name: button })).toBeEnabled();
    const isLoaded = () => page.evaluate<boolean>(`document.fonts.check('${FAMILY}')`);
    // Longer than browsers give a font that is optional.
    await page.waitForTimeout(1_000);
    expect(await isLoaded()).toBe(false);
    const before = await page.evaluate<TextBox[]>(TEXT_BOXES);
    release();
    await expect.poll(isLoaded).toBe(true);
    const after = await page.evaluate<TextBox[]>(TEXT_BOXES);
    expect(before.length).toBeGreaterThan(5);
    expect(after).toEqual(before);
    expect(await page.evaluate<string[]>('window.shifts')).toEqual([]);
    await page.close();
  });
