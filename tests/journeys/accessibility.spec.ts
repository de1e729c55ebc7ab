import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContext, Page } from '@playwright/test';
import { layoutProblems, WIDTHS } from '../../tools/gallery/layout-problems.ts';
import {
  createUsers,
  openContext,
  type Screen,
  screens,
  showScreen,
  THEMES,
} from '../../tools/gallery/screens.ts';
import { expect, test } from './system.ts';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The rules of WCAG whose result depends on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

// A trace of hundreds of screens costs more than the screens; a failure names its element.
test.use({ trace: 'off' });

const violations = async (page: Page, options: { onlyColors?: boolean } = {}): Promise<string[]> => {
  // No screen has a frame: the other mode opens a page for each result to combine those of frames.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const results = await (options.onlyColors ? axe.withRules(COLOR_RULES) : axe.withTags(WCAG)).analyze();
  return results.violations.map(({ id, nodes }) => `${id} at ${String(nodes[0]?.target)}`);
};

/** Checks a page in light and, by the preference of the browser, in dark mode; only colors differ between them. */
const checkPage = async (page: Page): Promise<string[]> => {
  const problems = await violations(page);
  for (const width of WIDTHS) problems.push(...(await layoutProblems(page, width)));
  // With less motion colors change at once, not by a transition.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const inDark = await violations(page, { onlyColors: true });
  return [...problems, ...inDark.map((problem) => `dark: ${problem}`)];
};

for (const theme of THEMES.filter(({ scheme }) => scheme === 'light'))
  test(`every screen, ${theme.dir}, passes axe in light and dark mode, and has no overlapping or covered texts and no horizontal scrolling at the widths of phones, tablets and desktops`, async ({
    browser,
    system,
  }) => {
    // One test opens every screen, which takes minutes on a busy machine.
    test.setTimeout(900_000);
    const { tokens, premium } = await createUsers(system);
    // One for each role: its pages share the loaded code.
    const contexts = new Map<Screen['as'], BrowserContext>();
    for (const [role, stored] of Object.entries(tokens))
      contexts.set(role as Screen['as'], await openContext(browser, { system, theme, stored }));
    const problems: string[] = [];
    for (const screen of screens(premium.id)) {
      const page = (await contexts.get(screen.as)?.newPage()) as Page;
      await showScreen(page, screen);
      problems.push(...(await checkPage(page)).map((problem) => `${screen.name}: ${problem}`));
      await page.close();
    }
    expect(problems).toEqual([]);
  });
