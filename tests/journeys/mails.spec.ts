import { join } from 'node:path';
import { exampleMails } from '@shortlist/worker/mail/example-mails';
import axe, { type AxeResults } from 'axe-core';
import { expect, type Page, test } from '@playwright/test';
import { layoutProblems } from './layout-problems.ts';

const PHONE = 360;
/** The width at which most programs for mail show a message. */
const WINDOW = 600;
/** Between them, these have every kind of line, and with it every color of the layout. */
const COLORED = new Set(['welcome', 'receipt']);
const RULES = { type: 'rule', values: ['color-contrast', 'target-size', 'document-title', 'html-has-lang'] };

/** The folder of `make gallery`. */
const { GALLERY } = process.env;

const violations = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const found = await page.evaluate<AxeResults['violations']>(
    `axe.run(document, ${JSON.stringify({ runOnly: RULES })}).then(({ violations }) => violations)`,
  );
  return found.map(({ id, nodes }) => `${id} at ${String(nodes[0]?.target)}`);
};

const takeScreenshots = async (page: Page, name: string): Promise<void> => {
  if (GALLERY === undefined) return;
  for (const width of [PHONE, WINDOW]) {
    await page.setViewportSize({ width, height: 600 });
    await page.screenshot({ path: join(GALLERY, 'mails', `${name}-${width}.png`), fullPage: true });
  }
};

for (const colorScheme of ['light', 'dark'] as const)
  test(`every mail, ${colorScheme}, fits a phone, has enough contrast and loads nothing`, async ({
    page,
  }) => {
    const problems: string[] = [];
    page.on('request', (request) => problems.push(`loads ${request.url()}`));
    await page.emulateMedia({ colorScheme });
    for (const [name, { html }] of exampleMails()) {
      await page.setContent(html);
      const found = await layoutProblems(page, PHONE);
      if (COLORED.has(name)) found.push(...(await violations(page)));
      problems.push(...found.map((problem) => `${name}: ${problem}`));
      await takeScreenshots(page, `${name}-${colorScheme}`);
    }
    expect(problems).toEqual([]);
  });
