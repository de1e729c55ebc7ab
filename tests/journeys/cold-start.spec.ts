import type { Page } from '@playwright/test';
import { minutes } from '@shortlist/contracts/durations';
import { expect, test } from '../../harness/system.ts';
import { screensOf } from './gallery.ts';
import { createUsers, openRole } from './gallery-users.ts';
import { PHONE } from './layout-problems.ts';
import { showState, type State } from './show-state.ts';

/** Scripts, styles and fonts; each is a request that a phone far away waits for. */
const MOST_FILES = 15;

const MOST_SHIFT = 0.02;

/** What every page loads; the other scripts are those of the page. */
const FIRST_SCRIPTS = /\/assets\/(?:index|vendor|start|rolldown-runtime)-/;

/** Records the text and the place of each heading that the page has had. */
const RECORD_HEADINGS = `
  window.headings = [];
  new MutationObserver(() => {
    const heading = document.querySelector('.shell-page h1');
    if (heading === null) return;
    const seen = heading.textContent + ' at ' + Math.round(heading.getBoundingClientRect().top + scrollY);
    if (window.headings.at(-1) !== seen) window.headings.push(seen);
  }).observe(document, { childList: true, subtree: true });`;

/** Counts the files of a page that nothing has been loaded for before. */
const countFiles = (page: Page): (() => string[]) => {
  const files: string[] = [];
  page.on('request', (request) => {
    if (['script', 'stylesheet', 'font'].includes(request.resourceType())) files.push(request.url());
  });
  return () => files;
};

/** Opens a screen whose own scripts come late. Returns what is wrong with it until it has loaded. */
const problemsOf = async (page: Page, state: State): Promise<string[]> => {
  const files = countFiles(page);
  await page.addInitScript(RECORD_HEADINGS);
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    if (!FIRST_SCRIPTS.test(route.request().url())) await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await page.setViewportSize(PHONE);
  await showState(page, state);
  const headings = await page.evaluate<string[]>('window.headings');
  const shifts = await page.evaluate<{ value: number }[]>('window.shifts');
  const shift = shifts.reduce((sum, { value }) => sum + value, 0);
  const problems: string[] = [];
  if (files().length > MOST_FILES) problems.push(`${files().length} files`);
  if (headings.length > 1) problems.push(`its heading changes: ${headings.join(', ')}`);
  if (shift >= MOST_SHIFT) problems.push(`layout shift of ${shift.toFixed(3)}`);
  return problems.map((problem) => `${state.name}: ${problem}`);
};

test.use({ trace: 'off' });

test('a first visit to any page takes fifteen files at most, and its heading stays where it stood before the code of the page came', async ({
  browser,
  system,
}) => {
  test.setTimeout(minutes(6));
  const users = await createUsers(system);
  const problems: string[] = [];
  for (const state of screensOf(users.premium.id)) {
    const { page } = await openRole(browser, system, users, state.as);
    problems.push(...(await problemsOf(page, state)));
    await page.context().close();
  }
  expect(problems).toEqual([]);
});
