import { AxeBuilder } from '@axe-core/playwright';
import { LOOKS, makePeople, openAs, screens } from '../../tools/gallery/screens.ts';
import { expect, test } from './system.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

test('no screen has anything for axe to find, in light, dark and right to left, and none is wider than a phone', async ({
  browser,
  system,
}) => {
  test.setTimeout(900_000);
  const { tokens, premium } = await makePeople(system);
  const found: string[] = [];
  for (const look of LOOKS) {
    for (const screen of screens(premium.id)) {
      const page = await openAs(browser, { system, look, stored: tokens[screen.as] });
      await page.goto(screen.path);
      await page.getByText(screen.ready).first().waitFor({ timeout: 60_000 });
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      found.push(
        ...violations.map(
          ({ id, nodes }) => `${screen.name} ${look.name}: ${id} at ${String(nodes[0]?.target)}`,
        ),
      );
      await page.setViewportSize({ width: 360, height: 800 });
      const fits = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
      // A chart takes a moment to draw itself anew in another width.
      const fitsSoon = page.waitForFunction(fits, undefined, { timeout: 15_000 });
      await fitsSoon.catch(() => found.push(`${screen.name} ${look.name}: wider than the page at 360`));
      await page.context().close();
    }
  }
  expect(found).toEqual([]);
});
