import type { Page } from '@playwright/test';
import { logInAdmin, register } from './client.ts';
import type { PageGlobals } from './page-globals.ts';
import { expect, test } from './system.ts';
import { overlappingTexts } from './text-overlaps.ts';

const WIDTHS = [360, 768, 769, 820, 900, 996, 1024, 1025, 1100, 1180, 1181, 1280, 1366, 1440];
const LAYOUTS = [
  { direction: 'ltr', sidebarTypes: [] },
  { direction: 'ltr', sidebarTypes: ['mini'] },
  { direction: 'ltr', sidebarTypes: ['hover', 'boxed'] },
  { direction: 'rtl', sidebarTypes: ['boxed'] },
];
const LONG = { firstName: 'Maximiliana-Alexandrina', lastName: 'Featherstonehaugh-Cholmondeley' };

/** The parts of the list that are wider than their box, and the cells that another element covers. */
const faultsOfList = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { document } = globalThis as unknown as PageGlobals;
    const faults: string[] = [];
    for (const box of document.querySelectorAll('html, main, .scroll'))
      if (box.scrollWidth > box.clientWidth) faults.push(`${box.tagName} scrolls sideways`);
    for (const cell of document.querySelectorAll('.list tbody tr:first-child > td')) {
      const [box] = cell.getClientRects();
      if (box === undefined) continue;
      const { left, right, top, bottom } = box;
      const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (found === null || !cell.contains(found)) faults.push(`${cell.textContent} is covered`);
    }
    return faults;
  });

const expectReadable = async (page: Page, email: string, where: string): Promise<void> => {
  expect(await overlappingTexts(page), where).toEqual([]);
  expect(await faultsOfList(page), where).toEqual([]);
  for (const text of [email, LONG.lastName, /^\d{4}-\d\d-\d\d$/])
    await expect(page.getByText(text).first(), where).toBeVisible();
};

test('at every width the lists of users cover no column and never scroll sideways', async ({
  page,
  system,
}) => {
  const email = `maximiliana.featherstonehaugh.${Date.now()}@a-very-long-organization-name.talentfield.io`;
  await register(system, { ...LONG, email, organizationName: 'International Federation of Talent Partners' });
  await register(system, { country: 'Saint Vincent and the Grenadines' });
  const token = await logInAdmin(system);
  await page.addInitScript((value) => localStorage.setItem('token', value), token);
  for (const layout of LAYOUTS) {
    await page.addInitScript(
      (value) => localStorage.setItem('layoutSettings', value),
      JSON.stringify(layout),
    );
    for (const path of ['/admin/user-list', '/admin/new-user']) {
      await page.goto(path);
      await page.getByRole('link', { name: LONG.lastName }).first().waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await expectReadable(page, email, `${path} at ${width} px, ${JSON.stringify(layout)}`);
      }
    }
  }
});

test('on a narrow sheet the list gives up Country first, then Organization', async ({ page, system }) => {
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
  }
});
