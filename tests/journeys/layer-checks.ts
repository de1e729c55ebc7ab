import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { DESKTOP, layerProblems, PHONE, type Size, SMALLEST_PHONE } from './layout-problems.ts';
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
import {
  type Direction,
  type Layer,
  openerOf,
  type Opening,
  openLayer,
  perform,
  setDirection,
  showState,
  type State,
} from './show-state.ts';

type LayerRules = {
  selector: string;
  /** The key that moves the focus in it. */
  moves: 'Tab' | 'ArrowDown';
  /** What is behind it cannot be used. */
  isModal?: true;
  /** The focus stays in what has opened it, which names the active choice. */
  keepsFocus?: true;
  /** It is in the page, where pressing the same again closes it. */
  isInPage?: true;
  sizes: readonly Size[];
};

const SIZES = [SMALLEST_PHONE, PHONE, DESKTOP];
/** The drawer closes where the sidebar is beside the page. */
const DRAWER_SIZES = [SMALLEST_PHONE, PHONE, { width: 1024, height: 768 }];

const LAYERS: Record<Layer, LayerRules> = {
  dialog: { selector: '.dialog', moves: 'Tab', isModal: true, sizes: SIZES },
  settings: { selector: '.settings-sheet', moves: 'Tab', isModal: true, sizes: SIZES },
  drawer: { selector: '.drawer', moves: 'Tab', isModal: true, sizes: DRAWER_SIZES },
  menu: { selector: '.menu-list', moves: 'ArrowDown', sizes: SIZES },
  choices: { selector: '.combobox-list:not([hidden])', moves: 'ArrowDown', keepsFocus: true, sizes: SIZES },
  details: { selector: 'details[open]', moves: 'Tab', isInPage: true, sizes: SIZES },
};

/** The element of a layer, the topmost of its kind, as an expression of the page. */
const elementOf = ({ selector }: LayerRules): string =>
  `[...document.querySelectorAll('${selector}')].at(-1)`;

/** Whether a part of a layer is beyond the window, where nobody can scroll to it. */
const isBeyondWindow = (page: Page, rules: LayerRules): Promise<boolean> =>
  page.evaluate<boolean>(`(({ left, right, top, bottom }) =>
    Math.round(Math.min(left, top)) < 0 || Math.round(right) > innerWidth || Math.round(bottom) > innerHeight
  )(${elementOf(rules)}.getBoundingClientRect())`);

const placeProblems = async (page: Page, rules: LayerRules): Promise<string[]> => {
  const isScrolled = rules.isModal && (await page.evaluate<boolean>(`${elementOf(rules)}.scrollTop > 0`));
  return [
    ...(!rules.isInPage && (await isBeyondWindow(page, rules)) ? ['reaches beyond the window'] : []),
    ...(isScrolled ? ['does not open at its beginning'] : []),
  ];
};

/** Where the focus is, if it is not in the layer. */
const strayFocus = (rules: LayerRules): string => `(() => {
  const at = document.activeElement;
  return ${elementOf(rules)}.contains(at) ? null : 'the focus is outside, at ' + at.outerHTML.slice(0, 80);
})()`;

/** More than the controls of most layers, so that the focus goes around once. */
const MOVES = 14;

const focusProblemNow = async (page: Page, rules: LayerRules): Promise<string | null> => {
  const stray = rules.keepsFocus ? null : await page.evaluate<string | null>(strayFocus(rules));
  return stray ?? page.evaluate<string | null>(FOCUS_MISSING);
};

/** The focus is in a modal layer from the start, no key leads out of it, and each control that has it shows it. */
const focusProblems = async (page: Page, rules: LayerRules, size: Size): Promise<string[]> => {
  const controls = await page.locator(rules.selector).last().locator(CONTROLS).count();
  const stray = rules.isModal ? await page.evaluate<string | null>(strayFocus(rules)) : null;
  const problems = stray === null ? [] : [`at first ${stray}`];
  const moves = Math.min(rules.isInPage ? controls - 1 : controls + 1, MOVES);
  await page.emulateMedia({ colorScheme: size === SMALLEST_PHONE ? 'dark' : 'light', ...AT_ONCE });
  for (let move = 0; move < moves; move += 1) {
    await page.keyboard.press(rules.moves);
    const problem = await focusProblemNow(page, rules);
    if (problem !== null) problems.push(problem);
  }
  await page.emulateMedia({ colorScheme: 'light', ...AT_ONCE });
  return problems;
};

type Look = { name: string; direction: Direction; size: Size };

/** At other sizes than the first, and from right to left, nothing but positions differs. */
const axeProblems = async (page: Page, rules: LayerRules, { direction, size }: Look): Promise<string[]> => {
  const context = rules.isModal ? elementOf(rules) : 'document';
  if (direction === 'rtl' || size !== rules.sizes[0]) return violations(page, POSITION_RULES, context);
  const problems = await violations(page, WCAG, context);
  await page.emulateMedia({ colorScheme: 'dark', ...AT_ONCE });
  const ofDark = await violations(page, COLOR_RULES, context);
  await page.emulateMedia({ colorScheme: 'light', ...AT_ONCE });
  return [...problems, ...ofDark.map((problem) => `dark: ${problem}`)];
};

/** Closes the layer, and returns whether it stayed open or the focus is not back at what had opened it. */
const closeProblems = async (page: Page, opening: Opening): Promise<string[]> => {
  const { selector, isInPage } = LAYERS[opening.layer];
  const opener = openerOf(page, opening);
  await perform(page, opening.beforeClose);
  if (isInPage) await opener.click();
  else await page.keyboard.press('Escape');
  const layer = page.locator(selector);
  const isClosed = await layer.waitFor({ state: 'detached', timeout: 5_000 }).then(
    () => true,
    () => false,
  );
  if (!isClosed) return ['Escape does not close it'];
  const focused = await opener.and(page.locator(':focus')).count();
  return focused === 1 ? [] : ['does not give the focus back to what has opened it'];
};

const openAt = async (page: Page, opening: Opening, size: Size): Promise<void> => {
  await page.setViewportSize(size);
  await openLayer(page, opening);
  await page.locator(LAYERS[opening.layer].selector).last().waitFor();
};

const checkAt = async (page: Page, opening: Opening, look: Look): Promise<string[]> => {
  const { name, direction, size } = look;
  const rules = LAYERS[opening.layer];
  const reason = await openAt(page, opening, size).then(() => null, String);
  if (reason !== null) return [`${size.width} px: does not open: ${reason.slice(0, 200)}`];
  const problems = await placeProblems(page, rules);
  await takeScreenshots(page, `${name}-${direction}`, size.width);
  await page.setViewportSize(size);
  if (direction === 'ltr') problems.push(...(await focusProblems(page, rules, size)));
  problems.push(...(await axeProblems(page, rules, look)));
  const ofLayout = await layerProblems(page, size, elementOf(rules));
  await page.setViewportSize(size);
  problems.push(...(await closeProblems(page, opening)));
  return [...problems.map((problem) => `${size.width} px: ${problem}`), ...ofLayout];
};

/** Opens what opens over a screen, in both directions and at each size, and returns everything that is wrong with it. */
export const checkLayer = async (page: Page, state: State, opening: Opening): Promise<string[]> => {
  const problems: string[] = [];
  await page.emulateMedia({ colorScheme: 'light', ...AT_ONCE });
  await setDirection(page, 'ltr');
  await showState(page, state);
  await page.evaluate(axe.source);
  for (const direction of ['ltr', 'rtl'] as const) {
    await setDirection(page, direction);
    // From right to left, the smallest phone differs from a phone in nothing that the other direction does not show.
    for (const size of LAYERS[opening.layer].sizes.slice(direction === 'ltr' ? 0 : 1))
      problems.push(...(await checkAt(page, opening, { name: state.name, direction, size })));
  }
  return problems;
};
