import type { Page } from '@playwright/test';
import type { System } from '@shortlist/local/system';
import {
  type Theme,
  createUsers,
  openAs,
  type Screen,
  screens,
  type Tokens,
} from '../../tools/gallery/screens.ts';
import { expect, test } from './system.ts';

const WIDTHS = [360, 768, 1440];
const COLLAPSED_UNDER = 1025;
const THEMES: Theme[] = (['ltr', 'rtl'] as const).map((dir) => ({ name: dir, scheme: 'light', dir }));

// A trace of each screen costs more than the screen; a problem names its element.
test.use({ trace: 'off' });

type PageLog = { problems: string[]; addresses: string[] };

/** Records the errors of a page and the URLs that it requests. */
const recordPage = (page: Page): PageLog => {
  const pageLog: PageLog = { problems: [], addresses: [] };
  page.on('console', (message) => {
    if (message.type() === 'error') pageLog.problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => pageLog.problems.push(`uncaught: ${error.message}`));
  page.on('request', (request) => pageLog.addresses.push(request.url()));
  return pageLog;
};

/**
 * Runs in the page from its start and records layout shifts without user input. The footer may move, since content loads above
 * it. Shifts below 0.001 are ignored: an icon replaced by a name causes them.
 */
const RECORD_SHIFTS = `
  window.shifts = [];
  const isFooter = ({ node }) => node?.classList?.contains('page-footer');
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (value > 0.001 && !hadRecentInput && !sources.every(isFooter))
        window.shifts.push(value.toFixed(3) + ' ' + sources.map(({ node }) => node?.className || node?.nodeName));
  }).observe({ type: 'layout-shift', buffered: true });`;

const OVERFLOW = `
  document.documentElement.scrollWidth > document.documentElement.clientWidth
    ? document.documentElement.scrollWidth + ' wide' : null`;

/** Checks that the focused element shows its focus by an outline or a shadow. */
const FOCUS_MISSING = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body) return 'no element has the focus';
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
  const isShown = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  return isShown ? null : 'no visible focus on ' + at.outerHTML.slice(0, 80);
})()`;

const TABS = 4;
const CONTROLS = 'a[href]:visible, button:visible, input:visible, select:visible, textarea:visible';

const checkWidth = async (page: Page, screen: Screen, width: number): Promise<string[]> => {
  const problems: string[] = [];
  await page.setViewportSize({ width, height: 900 });
  const tooWide = await page.evaluate<string | null>(OVERFLOW);
  if (tooWide !== null) problems.push(tooWide);
  const links = page.getByRole('navigation', { name: 'Account' });
  if (screen.as !== 'anonymous' && (await links.isVisible()) === width < COLLAPSED_UNDER)
    problems.push(width < COLLAPSED_UNDER ? 'the sidebar is open' : 'the sidebar is missing');
  return problems;
};

const checkFocus = async (page: Page): Promise<string[]> => {
  const problems: string[] = [];
  const controls = await page.locator(CONTROLS).count(); // behind the last one, the key leaves the page
  for (let tab = 0; tab < Math.min(TABS, controls); tab += 1) {
    await page.keyboard.press('Tab');
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      const missing = await page.evaluate<string | null>(FOCUS_MISSING);
      if (missing !== null) problems.push(`${missing} in ${colorScheme} mode`);
    }
  }
  return problems;
};

type Visit = { system: System; screen: Screen; theme: Theme; tokens: Tokens };

const visit = async (page: Page, { screen, tokens }: Visit, pageLog: PageLog): Promise<string[]> => {
  await page.addInitScript(RECORD_SHIFTS);
  await page.setViewportSize({ width: WIDTHS.at(-1) ?? 0, height: 900 });
  await page.goto(screen.path);
  await page.getByText(screen.ready).first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  const shifts = await page.evaluate<string[]>('window.shifts');
  const problems = shifts.map((shift) => `layout shift of ${shift}`);
  problems.push(...(await checkFocus(page)));
  for (const width of WIDTHS)
    problems.push(...(await checkWidth(page, screen, width)).map((problem) => `${problem} at ${width}`));
  const token = tokens[screen.as]['endUserToken'];
  if (token !== undefined && pageLog.addresses.some((address) => address.includes(token)))
    problems.push('S10 a URL contains the token');
  return [...problems, ...pageLog.problems];
};

const isInAccountArea = ({ as }: Screen): boolean => as !== 'admin';

for (const theme of THEMES)
  test(`every screen of the account area, ${theme.dir}, in light and dark mode: fits each width, has no layout shift, logs no error and shows the keyboard focus`, async ({
    browser,
    system,
  }) => {
    // One test opens every screen, which takes minutes on a busy machine.
    test.slow();
    const { tokens, premium } = await usersOf(system);
    const problems: string[] = [];
    for (const screen of screens(premium.id).filter(isInAccountArea)) {
      const page = await openAs(browser, { system, theme, stored: tokens[screen.as] });
      const screenProblems = await visit(page, { system, screen, theme, tokens }, recordPage(page));
      problems.push(...screenProblems.map((problem) => `${screen.name}: ${problem}`));
      await page.context().close();
    }
    expect(problems).toEqual([]);
  });

let users: ReturnType<typeof createUsers> | null = null;
const usersOf = (system: System): ReturnType<typeof createUsers> => (users ??= createUsers(system));
