import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** The smallest phone, a phone, a large phone, the last stacked width, the last width with a drawer, a desktop. */
export const WIDTHS = [320, 360, 390, 768, 1024, 1440];

/** High enough for most pages: only what is in the window can be checked for being covered. */
const HEIGHT = 1_600;

export type Size = { width: number; height: number };

export const PHONE: Size = { width: 390, height: 844 };
export const DESKTOP: Size = { width: 1440, height: 900 };
export const SMALLEST_PHONE: Size = { width: 320, height: 568 };

const SCROLLS = '({ scrollWidth, clientWidth }) => scrollWidth > clientWidth';

const readScript = (name: string): Promise<string> => readFile(join(import.meta.dirname, name), 'utf8');
const findTexts = readScript('unreadable-texts.js');
const findControls = readScript('unusable-controls.js');

/** An expression of an element in the page. */
type ElementExpression = string;

/** Calls a function of the page, given as its text, with an element there. */
const callInPage = <Result>(page: Page, script: string, element: ElementExpression): Promise<Result> =>
  page.evaluate<Result>(`(${script.trim().replace(/;$/, '')})(${element})`);

/** Returns the texts that overlap, are covered or cut, and whether the page scrolls horizontally, at its current width. */
const problemsOfTexts = async (page: Page, layer: ElementExpression = 'null'): Promise<string[]> => {
  const problems = await callInPage<string[]>(page, await findTexts, layer);
  const scrolls = await callInPage<boolean>(page, SCROLLS, `${layer} ?? document.documentElement`);
  return scrolls ? [...problems, 'scrolls horizontally'] : problems;
};

const problemsOfControls = async (page: Page, layer: ElementExpression = 'null'): Promise<string[]> =>
  callInPage<string[]>(page, await findControls, layer);

/** Resizes the page and returns its problems there. A chart needs a moment to redraw, so that a problem counts when it stays. */
const lastingProblems = async (
  page: Page,
  size: Size,
  find: (page: Page) => Promise<string[]>,
): Promise<string[]> => {
  await page.setViewportSize(size);
  let problems = await find(page);
  for (let attempt = 0; attempt < 20 && problems.length > 0; attempt += 1) {
    await page.waitForTimeout(100);
    problems = await find(page);
  }
  return problems.map((problem) => `${size.width} px: ${problem}`);
};

/** Returns what is wrong with the layout of the page at a width. */
export const layoutProblems = (page: Page, width: number): Promise<string[]> =>
  lastingProblems(page, { width, height: HEIGHT }, problemsOfTexts);

/** Returns the controls that are hard or impossible to press in windows of these widths, on phones and a desktop. */
export const controlProblems = async (page: Page, widths: readonly number[]): Promise<string[]> => {
  const problems: string[] = [];
  const sizes = [SMALLEST_PHONE, PHONE, DESKTOP].filter(({ width }) => widths.includes(width));
  for (const size of sizes) problems.push(...(await lastingProblems(page, size, problemsOfControls)));
  return problems;
};

/** Returns what is wrong with the layout of an open layer at a size, apart from what is behind it. */
export const layerProblems = async (page: Page, size: Size, layer: ElementExpression): Promise<string[]> => [
  ...(await lastingProblems(page, size, (at) => problemsOfControls(at, layer))),
  ...(await lastingProblems(page, { ...size, height: HEIGHT }, (at) => problemsOfTexts(at, layer))),
];
