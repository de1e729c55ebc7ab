// make gallery: takes screenshots of every screen, in .local/gallery, and reports overlapping or covered texts and horizontal scrolling.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { LOCAL_DIRECTORY } from '@shortlist/local/host/config';
import { startSystem, type System } from '@shortlist/local/system';
import { LAUNCH } from '../../tests/playwright.config.ts';
import { layoutProblems, WIDTHS } from './layout-problems.ts';
import {
  createUsers,
  openAs,
  type Screen,
  screens,
  showScreen,
  type Theme,
  THEMES,
  type Tokens,
} from './screens.ts';

const FOLDER = join(LOCAL_DIRECTORY, 'gallery');

type Gallery = { browser: Browser; system: System; tokens: Tokens };

const takeScreenshots = async (
  { browser, system, tokens }: Gallery,
  screen: Screen,
  theme: Theme,
): Promise<string[]> => {
  const problems: string[] = [];
  const page = await openAs(browser, { system, theme, stored: tokens[screen.as] });
  await showScreen(page, screen);
  for (const width of WIDTHS) {
    problems.push(...(await layoutProblems(page, width)));
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(FOLDER, `${screen.name}-${theme.name}-${width}.png`) });
  }
  await page.context().close();
  return problems.map((problem) => `${screen.name}, ${theme.name}, ${problem}`);
};

const main = async (): Promise<void> => {
  await mkdir(FOLDER, { recursive: true });
  const system = await startSystem({});
  const browser = await chromium.launch(LAUNCH);
  try {
    const { tokens, premium } = await createUsers(system);
    const gallery = { browser, system, tokens };
    const problems: string[] = [];
    for (const theme of THEMES)
      for (const screen of screens(premium.id))
        problems.push(...(await takeScreenshots(gallery, screen, theme)));
    process.stdout.write([`screenshots: ${FOLDER}`, ...problems, ''].join('\n'));
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    await browser.close();
    await system.stop();
  }
};

await main();
