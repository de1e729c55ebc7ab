import type { Page } from '@playwright/test';
import axe, { type AxeResults } from 'axe-core';
import { expect, test } from '../../harness/system.ts';

/** Redoc's logo: the policy of the page does not let the browser load it. */
const BLOCKED = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const isBlocked = (text: string): boolean =>
  text === BLOCKED || (text.includes(BLOCKED) && text.includes('has been blocked'));

/** Opens the reference. Returns what went wrong on the page, and what it wanted from other hosts. */
const openReference = async (page: Page, publicUrl: string, hash = ''): Promise<string[]> => {
  const problems: string[] = [];
  const add = (problem: string): void => void (isBlocked(problem) || problems.push(problem));
  page.on('console', (message) => message.type() === 'error' && add(message.text()));
  page.on('pageerror', ({ message }) => add(message));
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(publicUrl).host && !request.url().startsWith('data:'))
      add(request.url());
  });
  await page.goto(`${publicUrl}/api/v1/reference${hash}`);
  await expect(page.getByRole('heading', { name: 'Charge credits' })).toBeVisible();
  return problems;
};

const contrastProblems = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const run = `axe.run(document, { runOnly: ['color-contrast'] }).then(({ violations }) => violations)`;
  const violations = await page.evaluate<AxeResults['violations']>(run);
  return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html));
};

for (const colorScheme of ['light', 'dark'] as const)
  test(`the reference is readable in the ${colorScheme} scheme, and loads nothing from other hosts`, async ({
    browser,
    system,
  }) => {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const problems = await openReference(page, system.publicUrl);
    const background = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    expect(background).toBe(colorScheme === 'dark' ? 'rgb(23, 28, 27)' : 'rgb(255, 255, 255)');
    await expect
      .poll(() => page.evaluate("[...document.fonts].map(({ family, status }) => family + ' ' + status)"))
      .toEqual(['Hanken Grotesk Variable loaded']);
    for (const name of ['curl', 'TypeScript'])
      await expect(page.getByRole('tab', { name }).first()).toBeVisible();
    expect(await contrastProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(problems).toEqual([]);
    await context.close();
  });

test('the type of an error leads to its explanation', async ({ page, system }) => {
  const refused = await fetch(`${system.publicUrl}/api/v1/me`);
  const { type, title } = (await refused.json()) as { type: string; title: string };
  expect(type).toBe('/api/v1/reference#client.key_missing');
  const problems = await openReference(page, system.publicUrl, new URL(type, system.publicUrl).hash);
  await expect(page.getByText(title).first()).toBeInViewport();
  expect(problems).toEqual([]);
});
