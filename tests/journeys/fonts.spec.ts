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

const BUTTONS = { '/login': 'Log In', '/forgot-password': 'Send link' };

for (const [path, button] of Object.entries(BUTTONS))
  test(`the font of ${path} comes late on a slow network, replaces its stand-in and moves no line`, async ({
    browser,
    system,
  }) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\.woff2$/, async (route) => {
      await released;
      await route.continue();
    });
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
