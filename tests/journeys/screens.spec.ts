import { minutes } from '@shortlist/contracts/durations';
import { sample, seed } from '@shortlist/kit/testing/sample';
import { expect, test as base } from '../../harness/system.ts';
import { galleryOf } from './gallery.ts';
import { createUsers, openRoles, type RolePage, type Users } from './gallery-users.ts';
import { checkLayer } from './layer-checks.ts';
import { checkScreen } from './screen-checks.ts';
import type { State } from './show-state.ts';

/** The users of the gallery, once for each worker. */
const test = base.extend<object, { users: Users }>({
  users: [
    async ({ system }, use) => use(await createUsers(system)),
    { scope: 'worker', timeout: minutes(2) },
  ],
});

/**
 * Every screen, and half of the states of screens and of what opens over them, other ones each day. All in a long run and in `make gallery`: a
 * state shares most of its parts with its screen and with other states.
 */
const chosenOf = (states: readonly State[]): State[] => {
  if (process.env['GALLERY'] !== undefined) return [...states];
  const isScreen = ({ replies, opens }: State): boolean => replies === undefined && opens === undefined;
  const others = states.filter((state) => !isScreen(state));
  const chosen = new Set(sample(others, Math.ceil(others.length / 2)));
  return states.filter((state) => isScreen(state) || chosen.has(state));
};

/** The scripts of the checks themselves, which the frame of an email refuses as it refuses all. */
const IN_FRAME = /in 'about:srcdoc'|The document is sandboxed/;

/** Returns everything that is wrong with a state. The browser logs reads that bff refuses, as those of users who do not exist. */
const checkState = async ({ page, setReplies, errorLog }: RolePage, state: State): Promise<string[]> => {
  setReplies(state.replies ?? {});
  const problems = state.opens ? await checkLayer(page, state, state.opens) : await checkScreen(page, state);
  const errors = errorLog()
    .filter((error) => state.replies === undefined || !error.includes('Failed to load resource'))
    .filter((error) => !IN_FRAME.test(error));
  return [...problems, ...errors].map((problem) => `${state.name}: ${problem}`);
};

// A trace of hundreds of screens costs more than the screens; a failure names its element.
test.use({ trace: 'off' });
// The tests are long: each has a worker of its own where there is one.
test.describe.configure({ mode: 'parallel', timeout: minutes(15) });

for (const kind of Object.keys(galleryOf('')))
  test(`${kind} passes axe in light and dark mode, fits phones and desktops in both directions without overlapping, covered or cut texts, has controls that can be pressed, has no layout shift, logs no error and shows the keyboard focus; what opens keeps the focus, and gives it back when Escape closes it, seed ${seed}`, async ({
    browser,
    system,
    users,
  }) => {
    const pages = await openRoles(browser, system, users);
    const problems: string[] = [];
    for (const state of chosenOf(galleryOf(users.premium.id)[kind] ?? []))
      problems.push(...(await checkState(pages[state.as], state)));
    expect(problems).toEqual([]);
  });
