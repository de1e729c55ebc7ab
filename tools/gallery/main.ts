// make gallery: takes screenshots of every screen, in .local/gallery.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { LOCAL_DIRECTORY } from '@shortlist/local/local-files';
import { startSystem, type System } from '@shortlist/local/system';
import { LAUNCH } from '../../tests/playwright.config.ts';
import { type Theme, THEMES, createUsers, openAs, type Screen, screens, type Tokens } from './screens.ts';

const FOLDER = join(LOCAL_DIRECTORY, 'gallery');
const WIDTHS = [360, 768, 1440];

type Gallery = { browser: Browser; system: System; tokens: Tokens };

const takeScreenshots = async (
  { browser, system, tokens }: Gallery,
  screen: Screen,
  theme: Theme,
): Promise<void> => {
  const page = await openAs(browser, { system, theme, stored: tokens[screen.as] });
  await page.goto(screen.path);
  await page.getByText(screen.ready).first().waitFor();
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(FOLDER, `${screen.name}-${theme.name}-${width}.png`) });
  }
  await page.context().close();
};

const main = async (): Promise<void> => {
  await mkdir(FOLDER, { recursive: true });
  const system = await startSystem({});
  const browser = await chromium.launch(LAUNCH);
  try {
    const { tokens, premium } = await createUsers(system);
    const gallery = { browser, system, tokens };
    for (const theme of THEMES)
      for (const screen of screens(premium.id)) await takeScreenshots(gallery, screen, theme);
    process.stdout.write(`screenshots: ${FOLDER}\n`);
  } finally {
    await browser.close();
    await system.stop();
  }
};

await main();
