import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { controlProblems, DESKTOP, layoutProblems, PHONE, type Size, WIDTHS } from './layout-problems.ts';
import {
  AT_ONCE,
  COLOR_RULES,
  CONTROLS,
  FOCUS_MISSING,
  POSITION_RULES,
  takeScreenshots,
  violations,
  WCAG,
} from './page-checks.ts';
import { type Direction, setDirection, showState, type State } from './show-state.ts';

const COLLAPSED_UNDER = 1025;

type Shift = { value: number; nodes: string };

/** On a phone the buttons of the top bar make room for the user's picture, which is less than this. */
const SHIFT_ON_PHONE = 0.02;

/** Returns the layout shifts while a screen loads. */
const loadAt = async (page: Page, state: State, size: Size): Promise<string[]> => {
  await page.setViewportSize(size);
  await page.emulateMedia({ reducedMotion: 'no-preference' }); // the screen before has left it at less
  await showState(page, state);
  const shifts = await page.evaluate<Shift[]>('window.shifts');
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  if (size === PHONE && total < SHIFT_ON_PHONE) return [];
  return shifts.map(({ value, nodes }) => `${size.width} px: layout shift of ${value.toFixed(3)} ${nodes}`);
};

const TABS = 4;

/** Each of the schemes has a focus of its own; a state has that of its screen. */
const checkFocus = async (page: Page, { replies }: State): Promise<string[]> => {
  const problems: string[] = [];
  const controls = await page.locator(CONTROLS).count(); // behind the last one, the key leaves the page
  for (let tab = 0; tab < Math.min(TABS, controls); tab += 1) {
    await page.keyboard.press('Tab');
    for (const colorScheme of replies === undefined ? (['dark', 'light'] as const) : (['light'] as const)) {
      await page.emulateMedia({ colorScheme, ...AT_ONCE });
      const missing = await page.evaluate<string | null>(FOCUS_MISSING);
      if (missing !== null) problems.push(`${missing} in ${colorScheme} mode`);
    }
  }
  return problems;
};

const checkSidebar = async (page: Page, { as, isAlone }: State, width: number): Promise<string[]> => {
  if (as === 'anonymous' || isAlone) return [];
  const isOpen = await page
    .getByRole('navigation', { name: as === 'admin' ? 'Admin-Panel' : 'Account' })
    .isVisible();
  if (isOpen === width >= COLLAPSED_UNDER) return [];
  return [isOpen ? `the sidebar is open at ${width} px` : `the sidebar is missing at ${width} px`];
};

const axeProblems = async (page: Page, direction: Direction): Promise<string[]> => {
  if (direction === 'rtl') return violations(page, POSITION_RULES);
  const problems = await violations(page, WCAG);
  await page.emulateMedia({ colorScheme: 'dark', ...AT_ONCE });
  const dark = await violations(page, COLOR_RULES);
  await page.emulateMedia({ colorScheme: 'light', ...AT_ONCE });
  return [...problems, ...dark.map((problem) => `dark: ${problem}`)];
};

/** A state has the parts of its screen, which is checked at every width in both directions. */
const widthsOf = ({ replies }: State, direction: Direction): readonly number[] => {
  if (replies === undefined) return WIDTHS;
  return direction === 'ltr' ? [PHONE.width, DESKTOP.width] : [PHONE.width];
};

const checkWidths = async (page: Page, state: State, direction: Direction): Promise<string[]> => {
  const problems: string[] = [];
  const widths = widthsOf(state, direction);
  for (const width of widths) {
    problems.push(...(await layoutProblems(page, width)), ...(await checkSidebar(page, state, width)));
    await takeScreenshots(page, `${state.name}-${direction}`, width);
  }
  return [...problems, ...(await controlProblems(page, widths))];
};

/** Where a page is loaded in a direction: a screen on a phone and in both directions on a desktop, a state of it once. */
const loadsOf = ({ replies }: State, direction: Direction): readonly Size[] => {
  if (replies !== undefined) return direction === 'ltr' ? [PHONE] : [];
  return direction === 'ltr' ? [PHONE, DESKTOP] : [DESKTOP];
};

/** Returns everything that is wrong with a screen in both directions. */
export const checkScreen = async (page: Page, state: State): Promise<string[]> => {
  const problems: string[] = [];
  for (const direction of ['ltr', 'rtl'] as const) {
    await setDirection(page, direction);
    const sizes = loadsOf(state, direction);
    for (const size of sizes) problems.push(...(await loadAt(page, state, size)));
    if (sizes.length > 0) await page.evaluate(axe.source);
    await page.emulateMedia({ colorScheme: 'light', ...AT_ONCE });
    await page.setViewportSize(DESKTOP);
    if (direction === 'ltr') problems.push(...(await checkFocus(page, state)));
    problems.push(...(await axeProblems(page, direction)), ...(await checkWidths(page, state, direction)));
  }
  return problems;
};
