import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** The smallest phone, a phone, a large phone, the last stacked width, the last width with a drawer, a desktop. */
export const WIDTHS = [320, 360, 390, 768, 1024, 1440];

/** High enough for most pages: only what is in the window can be checked for being covered. */
const HEIGHT = 1_600;

const SCROLLS = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

const findTexts = readFile(join(import.meta.dirname, 'unreadable-texts.js'), 'utf8');

/** Returns what is wrong with the layout of the page at its current width: overlapping or covered texts, horizontal scrolling. */
const problemsNow = async (page: Page): Promise<string[]> => {
  const problems = await page.evaluate<string[]>(await findTexts);
  const scrolls = await page.evaluate<boolean>(SCROLLS);
  return scrolls ? [...problems, 'scrolls horizontally'] : problems;
};

/** Resizes the page and returns its problems there. A chart needs a moment to redraw, so that a problem counts when it stays. */
export const layoutProblems = async (page: Page, width: number): Promise<string[]> => {
  await page.setViewportSize({ width, height: HEIGHT });
  let problems = await problemsNow(page);
  for (let attempt = 0; attempt < 20 && problems.length > 0; attempt += 1) {
    await page.waitForTimeout(100);
    problems = await problemsNow(page);
  }
  return problems.map((problem) => `${width} px: ${problem}`);
};
