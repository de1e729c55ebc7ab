import type { Browser, Page } from '@playwright/test';
import { minutes, seconds } from '@shortlist/contracts/durations';
import type { System } from '@shortlist/local/system';
import { DESKTOP, PHONE, WIDTHS } from './layout-problems.ts';
import { checkOpened } from './opened-checks.ts';
import { openedScreens } from './opened-screens.ts';
import { checkScreen, type ErrorLog, RECORD_SHIFTS, recordErrors } from './screen-checks.ts';
import { OTHER_STATES, replyWith, SUBSCRIPTION_STATES } from './screen-states.ts';
import { createUsers, type Direction, openAs, type Screen, screens } from './screens.ts';
import { expect, test } from '../../harness/system.ts';

// A trace of hundreds of screens costs more than the screens; a failure names its element.
test.use({ trace: 'off' });
// The tests are long: each has a worker of its own where there is one.
test.describe.configure({ mode: 'parallel', timeout: minutes(15) });

type RolePage = { page: Page; errorLog: ErrorLog };
type Users = Awaited<ReturnType<typeof createUsers>>;

/** Opens one page for each role: all screens of the role share the code that it has loaded and compiled. */
const openRoles = async (
  browser: Browser,
  system: System,
  { direction, stored }: { direction: Direction } & Pick<Users, 'stored'>,
): Promise<Map<Screen['as'], RolePage>> => {
  const pages = new Map<Screen['as'], RolePage>();
  for (const [role, ofRole] of Object.entries(stored)) {
    const page = await openAs(browser, { system, direction, stored: ofRole });
    page.setDefaultTimeout(seconds(20)); // otherwise a wait ends with the test, whose failure then names nothing
    await page.addInitScript(RECORD_SHIFTS);
    const errorLog = recordErrors(page, Object.values(ofRole.inBrowser));
    pages.set(role as Screen['as'], { page, errorLog });
  }
  return pages;
};

for (const direction of ['ltr', 'rtl'] as const)
  test(`every screen, ${direction}, in light and dark mode: passes axe, fits phones, tablets and desktops without overlapping, covered or cut texts, has controls that can be pressed, has no layout shift, logs no error and shows the keyboard focus`, async ({
    browser,
    system,
  }) => {
    const { stored, premium } = await createUsers(system);
    const pages = await openRoles(browser, system, { direction, stored });
    const problems: string[] = [];
    for (const screen of screens(premium.id)) {
      const { page, errorLog } = pages.get(screen.as) as RolePage;
      problems.push(...(await checkScreen(page, screen, { direction, widths: WIDTHS, errorLog })));
    }
    expect(problems).toEqual([]);
  });

const isRefusedRead = (error: string): boolean => error.includes('Failed to load resource');

const STATES = [
  ['of the subscription', SUBSCRIPTION_STATES],
  ['of the account, of lists and of reads', OTHER_STATES],
] as const;

for (const [kind, states] of STATES)
  for (const direction of ['ltr', 'rtl'] as const)
    test(`every state ${kind}, ${direction}, passes the same checks on a phone and a desktop`, async ({
      browser,
      system,
    }) => {
      const widths = [PHONE.width, DESKTOP.width];
      const { stored } = await createUsers(system);
      const pages = await openRoles(browser, system, { direction, stored });
      const problems: string[] = [];
      for (const state of states) {
        const { page, errorLog } = pages.get(state.as) as RolePage;
        await replyWith(page, state.replies);
        const unexpected = (): string[] => errorLog().filter((error) => !isRefusedRead(error));
        problems.push(...(await checkScreen(page, state, { direction, widths, errorLog: unexpected })));
      }
      expect(problems).toEqual([]);
    });

for (const direction of ['ltr', 'rtl'] as const)
  test(`what opens over a screen, ${direction}, in light and dark mode: passes axe, fits phones and desktops, has controls that can be pressed, keeps the keyboard focus and gives it back when Escape closes it`, async ({
    browser,
    system,
  }) => {
    const { stored, premium } = await createUsers(system);
    const pages = await openRoles(browser, system, { direction, stored });
    const problems: string[] = [];
    for (const opened of openedScreens(premium.id)) {
      const { page, errorLog } = pages.get(opened.as) as RolePage;
      await replyWith(page, opened.replies);
      const unexpected = (): string[] => errorLog().filter((error) => !isRefusedRead(error));
      problems.push(...(await checkOpened(page, opened, { direction, errorLog: unexpected })));
    }
    expect(problems).toEqual([]);
  });
