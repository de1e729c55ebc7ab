import type { Page } from '@playwright/test';
import { minutes } from '@shortlist/contracts/durations';
import { logInAdmin, register } from '../../harness/client.ts';
import { layoutProblems } from './layout-problems.ts';
import { expect, test } from '../../harness/system.ts';

const WIDTHS = [360, 768, 769, 820, 900, 996, 1024, 1025, 1100, 1180, 1181, 1280, 1366, 1440];
const LAYOUTS = [
  { direction: 'ltr', sidebarTypes: [] },
  { direction: 'ltr', sidebarTypes: ['mini'] },
  { direction: 'ltr', sidebarTypes: ['hover', 'boxed'] },
  { direction: 'rtl', sidebarTypes: ['boxed'] },
];
/** With the columns that the admin has added. */
const LISTS = [
  ['/admin/user-list?limit=25', ''],
  ['/admin/user-list?limit=25', 'lastSeen'],
  ['/admin/user-list?limit=25', 'planState,lastSeen'],
  ['/admin/user-list?limit=25', 'planState,creditsLeft,lastSeen'],
  ['/admin/new-user', ''],
] as const;
const LONG = { firstName: 'Maximiliana-Alexandrina', lastName: 'Featherstonehaugh-Cholmondeley' };
const DATE = /^\d{4}-\d\d-\d\d$/;

const SHEET_SCROLLS =
  "[...document.querySelectorAll('.table-scroll')].some((sheet) => sheet.scrollWidth > sheet.clientWidth)";

const expectReadable = async (page: Page, email: string, width: number): Promise<void> => {
  expect(await layoutProblems(page, width)).toEqual([]);
  expect(await page.evaluate<boolean>(SHEET_SCROLLS), `the list scrolls sideways at ${width} px`).toBe(false);
  for (const text of [email, LONG.lastName, DATE])
    await expect(page.getByText(text).first(), `at ${width} px`).toBeVisible();
};

test('the lists of users cover no column and do not scroll sideways, whatever the width and the sidebar', async ({
  page,
  system,
}) => {
  test.setTimeout(minutes(4));
  const email = `maximiliana.featherstonehaugh.${Date.now()}@a-very-long-organization-name.talentfield.io`;
  await register(system, { ...LONG, email, organizationName: 'International Federation of Talent Partners' });
  await register(system, { country: 'Saint Vincent and the Grenadines' });
  const token = await logInAdmin(system);
  await page.addInitScript((value) => localStorage.setItem('token', value), token);
  for (const layout of LAYOUTS) {
    const settings = JSON.stringify(layout);
    await page.addInitScript((value) => localStorage.setItem('layoutSettings', value), settings);
    for (const [path, columns] of LISTS)
      await test.step(`${path} ${columns} ${settings}`, async () => {
        await page.addInitScript((value) => localStorage.setItem('userColumns', value), columns);
        await page.goto(path);
        await page.getByRole('link', { name: LONG.lastName }).first().waitFor();
        for (const width of WIDTHS) await expectReadable(page, email, width);
      });
  }
});

/** The different heights of the elements, without their lines. */
const heightsOf = (page: Page, selector: string): Promise<number[]> =>
  page.evaluate<number[]>(
    `[...new Set([...document.querySelectorAll('${selector}')].map((part) => part.clientHeight))]`,
  );

test('a long name and email fit the dashboard, whose rows have one height, and so have its heads, and the page of a subscription', async ({
  page,
  system,
}) => {
  const email = `maximiliana.featherstonehaugh.${Date.now()}@a-very-long-organization-name.io`;
  await register(system);
  const { id } = await register(system, { ...LONG, email, country: 'Saint Vincent and the Grenadines' });
  const token = await logInAdmin(system);
  await page.addInitScript((value) => localStorage.setItem('token', value), token);
  await page.goto('/admin/');
  await page.getByRole('link', { name: LONG.lastName }).first().waitFor();
  for (const width of WIDTHS) {
    expect(await layoutProblems(page, width)).toEqual([]);
    // Below this width the panels stand below each other.
    for (const parts of width < 1181 ? ['.people li'] : ['.people li', '.is-even > .panel > .panel-head'])
      expect(await heightsOf(page, parts), `${parts} at ${width} px`).toHaveLength(1);
  }
  await page.goto(`/admin/subscription-management?user_id=${id}`);
  await page.getByText(email).waitFor();
  for (const width of [320, ...WIDTHS]) expect(await layoutProblems(page, width)).toEqual([]);
});

test('the longest names fit the page on which support begins to view as the user', async ({
  page,
  system,
}) => {
  const { id } = await register(system, {
    firstName: 'Wolfe'.repeat(20),
    lastName: 'Hubert '.repeat(14).trim(),
  });
  const token = await logInAdmin(system);
  await page.addInitScript((value) => localStorage.setItem('token', value), token);
  await page.goto(`/admin/view-as?user_id=${id}`);
  await page.getByRole('button', { name: /^View as Wolfe/ }).waitFor();
  for (const width of [320, ...WIDTHS]) expect(await layoutProblems(page, width)).toEqual([]);
});

test('on a narrow sheet the list gives up Country first, then Organization, the sooner the more columns are added', async ({
  page,
  system,
}) => {
  await register(system);
  const token = await logInAdmin(system);
  await page.addInitScript((value) => localStorage.setItem('token', value), token);
  await page.goto('/admin/user-list');
  const head = page.getByRole('columnheader');
  for (const [width, names] of [
    [1440, ['Full Name', 'Email', 'Organization', 'Country', 'Join Date', 'Actions']],
    [1180, ['Full Name', 'Email', 'Organization', 'Join Date', 'Actions']],
    [1040, ['Full Name', 'Email', 'Join Date', 'Actions']],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect(head).toHaveText([...names]);
    await expect(page.getByLabel('Sort by')).toBeVisible({ visible: width < 1440 });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const column of ['Plan state', 'Credits left', 'Last seen']) await page.getByLabel(column).check();
  const added = ['Plan state', 'Credits left', 'Last seen'];
  await expect(head).toHaveText(['Full Name', 'Email', 'Join Date', ...added, 'Actions']);
  await expect(page.getByLabel('Sort by')).toBeVisible();
});
