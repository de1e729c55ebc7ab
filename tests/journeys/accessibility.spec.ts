import { AxeBuilder } from '@axe-core/playwright';
import { layoutProblems, WIDTHS } from '../../tools/gallery/layout-problems.ts';
import { THEMES, createUsers, openScreen, screens } from '../../tools/gallery/screens.ts';
import { expect, test } from './system.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

test('every screen passes axe in light, dark and right-to-left mode', async ({ browser, system }) => {
  test.setTimeout(900_000);
  const { tokens, premium } = await createUsers(system);
  const problems: string[] = [];
  for (const theme of THEMES) {
    for (const screen of screens(premium.id)) {
      const page = await openScreen(browser, { system, theme, tokens }, screen);
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      problems.push(
        ...violations.map(
          ({ id, nodes }) => `${screen.name} ${theme.name}: ${id} at ${String(nodes[0]?.target)}`,
        ),
      );
      await page.context().close();
    }
  }
  expect(problems).toEqual([]);
});

test('no screen has overlapping or covered texts or scrolls horizontally at the widths of phones, tablets and desktops', async ({
  browser,
  system,
}) => {
  test.setTimeout(900_000);
  const { tokens, premium } = await createUsers(system);
  const problems: string[] = [];
  // Colors do not change the layout.
  for (const theme of THEMES.filter(({ scheme }) => scheme === 'light')) {
    for (const screen of screens(premium.id)) {
      const page = await openScreen(browser, { system, theme, tokens }, screen);
      for (const width of WIDTHS)
        problems.push(
          ...(await layoutProblems(page, width)).map((problem) => `${screen.name} ${theme.name} ${problem}`),
        );
      await page.context().close();
    }
  }
  expect(problems).toEqual([]);
});
