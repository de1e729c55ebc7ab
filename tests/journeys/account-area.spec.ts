import type { Page } from '@playwright/test';
import type { System } from '@shortlist/local/system';
import {
  type Look,
  makePeople,
  openAs,
  type Screen,
  screens,
  type Tokens,
} from '../../tools/gallery/screens.ts';
import { expect, test } from './system.ts';

const WIDTHS = [360, 768, 1440];
const COLLAPSED_UNDER = 1025;
/** Light and dark, left to right and right to left: what one look hides the other shows. */
const LOOKS: Look[] = (['light', 'dark'] as const).flatMap((scheme) =>
  (['ltr', 'rtl'] as const).map((dir) => ({ name: `${scheme} ${dir}`, scheme, dir })),
);

type Watched = { problems: string[]; addresses: string[] };

/** Notes what the page complains of, and where it asked. */
const watch = (page: Page): Watched => {
  const watched: Watched = { problems: [], addresses: [] };
  page.on('console', (message) => {
    if (message.type() === 'error') watched.problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => watched.problems.push(`uncaught: ${error.message}`));
  page.on('request', (request) => watched.addresses.push(request.url()));
  return watched;
};

/**
 * Run in the page from its first moment on: what of it moved without anybody having done anything. The footer may: it stands
 * at the end of what comes. Below a thousandth lies an icon that gives way to a name.
 */
const COUNT_JUMPS = `
  window.jumps = [];
  const isFooter = ({ node }) => node?.classList?.contains('foot');
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (value > 0.001 && !hadRecentInput && !sources.every(isFooter))
        window.jumps.push(value.toFixed(3) + ' ' + sources.map(({ node }) => node?.className || node?.nodeName));
  }).observe({ type: 'layout-shift', buffered: true });`;

const OVERFLOW = `
  document.documentElement.scrollWidth > document.documentElement.clientWidth
    ? document.documentElement.scrollWidth + ' wide' : null`;

/** Whether what the keyboard has come to shows that it has: an outline, or a shadow in its place. */
const FOCUS_MISSING = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body) return 'the keyboard came to nothing';
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
  const isShown = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  return isShown ? null : 'no focus is shown at ' + at.outerHTML.slice(0, 80);
})()`;

const TABS = 4;

const atWidth = async (page: Page, screen: Screen, width: number): Promise<string[]> => {
  const found: string[] = [];
  await page.setViewportSize({ width, height: 900 });
  const tooWide = await page.evaluate<string | null>(OVERFLOW);
  if (tooWide !== null) found.push(tooWide);
  const links = page.getByRole('navigation', { name: 'Account' });
  if (screen.as !== 'anonymous' && (await links.isVisible()) === width < COLLAPSED_UNDER)
    found.push(width < COLLAPSED_UNDER ? 'the sidebar is open' : 'the sidebar is away');
  return found;
};

const byKeyboard = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  for (let tab = 0; tab < TABS; tab += 1) {
    await page.keyboard.press('Tab');
    const missing = await page.evaluate<string | null>(FOCUS_MISSING);
    if (missing !== null) found.push(missing);
  }
  return found;
};

type Visit = { system: System; screen: Screen; look: Look; tokens: Tokens };

const visit = async (page: Page, { screen, tokens }: Visit, watched: Watched): Promise<string[]> => {
  await page.addInitScript(COUNT_JUMPS);
  await page.setViewportSize({ width: WIDTHS.at(-1) ?? 0, height: 900 });
  await page.goto(screen.path);
  await page.getByText(screen.ready).first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  const jumps = await page.evaluate<string[]>('window.jumps');
  const found = jumps.map((jump) => `moved by ${jump}`);
  found.push(...(await byKeyboard(page)));
  for (const width of WIDTHS)
    found.push(...(await atWidth(page, screen, width)).map((what) => `${what} at ${width}`));
  const token = tokens[screen.as]['endUserToken'];
  if (token !== undefined && watched.addresses.some((address) => address.includes(token)))
    found.push('S10 its token is in an address');
  return [...found, ...watched.problems];
};

const ofAccountArea = ({ as }: Screen): boolean => as !== 'admin';

for (const look of LOOKS)
  test(`every screen of the account area, ${look.name}: fits each width, does not jump, complains of nothing, shows where the keyboard is`, async ({
    browser,
    system,
  }) => {
    const { tokens, premium } = await peopleOf(system);
    const found: string[] = [];
    for (const screen of screens(premium.id).filter(ofAccountArea)) {
      const page = await openAs(browser, { system, look, stored: tokens[screen.as] });
      const problems = await visit(page, { system, screen, look, tokens }, watch(page));
      found.push(...problems.map((problem) => `${screen.name}: ${problem}`));
      await page.context().close();
    }
    expect(found).toEqual([]);
  });

let people: ReturnType<typeof makePeople> | null = null;
const peopleOf = (system: System): ReturnType<typeof makePeople> => (people ??= makePeople(system));
