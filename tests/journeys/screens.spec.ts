import type { Browser, Page } from '@playwright/test';
import { minutes } from '@shortlist/contracts/durations';
import type { System } from '@shortlist/local/system';
import { checkScreen, type ErrorLog, RECORD_SHIFTS, recordErrors } from './screen-checks.ts';
import { createUsers, type Direction, openAs, type Screen, screens } from './screens.ts';
import { expect, test } from '../../harness/system.ts';

// A trace of hundreds of screens costs more than the screens; a failure names its element.
test.use({ trace: 'off' });

type RolePage = { page: Page; errorLog: ErrorLog };

/** Opens one page for each role: all screens of the role share the code that it has loaded and compiled. */
const openRoles = async (
  browser: Browser,
  system: System,
  { direction, tokens }: { direction: Direction } & Pick<Awaited<ReturnType<typeof createUsers>>, 'tokens'>,
): Promise<Map<Screen['as'], RolePage>> => {
  const pages = new Map<Screen['as'], RolePage>();
  for (const [role, stored] of Object.entries(tokens)) {
    const page = await openAs(browser, { system, direction, stored });
    await page.addInitScript(RECORD_SHIFTS);
    const errorLog = recordErrors(page, Object.values(stored));
    pages.set(role as Screen['as'], { page, errorLog });
  }
  return pages;
};

for (const direction of ['ltr', 'rtl'] as const)
  test(`every screen, ${direction}, in light and dark mode: passes axe, fits phones, tablets and desktops without overlapping or covered texts, has no layout shift, logs no error and shows the keyboard focus`, async ({
    browser,
    system,
  }) => {
    // One test opens every screen, which takes minutes on a busy machine.
    test.setTimeout(minutes(15));
    const { tokens, premium } = await createUsers(system);
    const pages = await openRoles(browser, system, { direction, tokens });
    const problems: string[] = [];
    for (const screen of screens(premium.id)) {
      const { page, errorLog } = pages.get(screen.as) as RolePage;
      problems.push(...(await checkScreen(page, screen, { direction, errorLog })));
    }
    expect(problems).toEqual([]);
  });
