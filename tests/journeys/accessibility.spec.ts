import { AxeBuilder } from '@axe-core/playwright';
import { THEMES, createUsers, openAs, screens } from '../../tools/gallery/screens.ts';
import { expect, test } from './system.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

test('every screen passes axe in light, dark and right-to-left mode and fits the width of a phone', async ({
  browser,
  system,
}) => {
  test.setTimeout(900_000);
  const { tokens, premium } = await createUsers(system);
  const problems: string[] = [];
  for (const theme of THEMES) {
    for (const screen of screens(premium.id)) {
      const page = await openAs(browser, { system, theme, stored: tokens[screen.as] });
      await page.goto(screen.path);
      await page.getByText(screen.ready).first().waitFor({ timeout: 60_000 });
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      problems.push(
        ...violations.map(
          ({ id, nodes }) => `${screen.name} ${theme.name}: ${id} at ${String(nodes[0]?.target)}`,
        ),
      );
      await page.setViewportSize({ width: 360, height: 800 });
      const fits = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
      // A chart needs a moment to redraw at another width.
      const fitsSoon = page.waitForFunction(fits, undefined, { timeout: 15_000 });
      await fitsSoon.catch(() => problems.push(`${screen.name} ${theme.name}: scrolls horizontally at 360`));
      await page.context().close();
    }
  }
  expect(problems).toEqual([]);
});
