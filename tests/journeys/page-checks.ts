import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOnly } from 'axe-core';
import { DESKTOP } from './layout-problems.ts';

export const WCAG: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
};
/** The rules whose result depends on colors: in dark mode nothing else differs. */
export const COLOR_RULES: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
/** The rule whose result depends on positions: in a page from right to left nothing else differs. */
export const POSITION_RULES: RunOnly = { type: 'rule', values: ['target-size'] };

/** Reads what the page has logged as an error since the last call. */
export type ErrorLog = () => string[];

/** Records the errors of a page, and requests whose URL contains a token. */
export const recordErrors = (page: Page, tokens: readonly string[]): ErrorLog => {
  let errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    if (tokens.some((token) => request.url().includes(token))) errors.push('S10 a URL contains the token');
  });
  return () => {
    const recorded = errors;
    errors = [];
    return recorded;
  };
};

/**
 * Runs in the page from its start and records layout shifts without user input. On a desktop the footer may move, since content loads
 * above it: of what moves together with it, only the others count. Shifts below 0.001 are ignored: an icon replaced by a name causes them.
 */
export const RECORD_SHIFTS = `
  window.shifts = [];
  const isFooter = ({ node }) => innerWidth >= 769 && node?.classList?.contains('page-footer');
  const scoreOf = ({ previousRect: from, currentRect: to }) => {
    const width = Math.max(from.right, to.right) - Math.min(from.left, to.left);
    const height = Math.max(from.bottom, to.bottom) - Math.min(from.top, to.top);
    const distance = Math.max(Math.abs(to.left - from.left), Math.abs(to.top - from.top));
    return ((width * height) / (innerWidth * innerHeight)) * (distance / Math.max(innerWidth, innerHeight));
  };
  new PerformanceObserver((list) => {
    for (const { value: all, hadRecentInput, sources } of list.getEntries()) {
      const others = sources.filter((source) => !isFooter(source));
      const value = others.length === sources.length ? all : others.reduce((sum, source) => sum + scoreOf(source), 0);
      if (value > 0.001 && !hadRecentInput)
        window.shifts.push({ value, nodes: others.map(({ node }) => node?.className || node?.nodeName).join() });
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Returns the rules that the page, or the element of an expression in it, breaks. */
export const violations = async (page: Page, runOnly: RunOnly, context = 'document'): Promise<string[]> => {
  const found = await page.evaluate<AxeResults['violations']>(
    `axe.run(${context}, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })}).then(({ violations }) => violations)`,
  );
  return found.map(({ id, nodes }) => `${id} at ${String(nodes[0]?.target)}`);
};

/** Checks that the focused element shows its focus by an outline or a shadow, or its label by an outline. */
export const FOCUS_MISSING = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body) return 'no element has the focus';
  const hasOutline = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  };
  const label = at.closest('label');
  const isShown = hasOutline(at) || getComputedStyle(at).boxShadow !== 'none' || (label && hasOutline(label));
  return isShown ? null : 'no visible focus on ' + at.outerHTML.slice(0, 80);
})()`;

/** With less motion colors change at once, not by a transition, in whose middle a contrast would be measured. */
export const AT_ONCE = { reducedMotion: 'reduce' } as const;

export const CONTROLS = 'a[href]:visible, button:visible, input:visible, select:visible, textarea:visible';

/** The folder of `make gallery`. */
const { GALLERY } = process.env;

export const takeScreenshots = async (page: Page, name: string, width: number): Promise<void> => {
  if (GALLERY === undefined) return;
  await page.setViewportSize({ width, height: DESKTOP.height });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, ...AT_ONCE });
    await page.screenshot({ path: join(GALLERY, `${name}-${colorScheme}-${width}.png`) });
  }
};
