// make gallery: pictures of every screen in .local/gallery, to be looked at.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { LOCAL_DIRECTORY } from '@shortlist/local/local-files';
import { startSystem, type System } from '@shortlist/local/system';
import { LAUNCH } from '../../tests/playwright.config.ts';
import { type Look, LOOKS, makePeople, openAs, type Screen, screens, type Tokens } from './screens.ts';

const FOLDER = join(LOCAL_DIRECTORY, 'gallery');
const WIDTHS = [360, 768, 1440];

type Sitting = { browser: Browser; system: System; tokens: Tokens };

const picture = async ({ browser, system, tokens }: Sitting, screen: Screen, look: Look): Promise<void> => {
  const page = await openAs(browser, { system, look, stored: tokens[screen.as] });
  await page.goto(screen.path);
  await page.getByText(screen.ready).first().waitFor();
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(FOLDER, `${screen.name}-${look.name}-${width}.png`) });
  }
  await page.context().close();
};

const main = async (): Promise<void> => {
  await mkdir(FOLDER, { recursive: true });
  const system = await startSystem({});
  const browser = await chromium.launch(LAUNCH);
  try {
    const { tokens, premium } = await makePeople(system);
    const sitting = { browser, system, tokens };
    for (const look of LOOKS) for (const screen of screens(premium.id)) await picture(sitting, screen, look);
    process.stdout.write(`Look in ${FOLDER}\n`);
  } finally {
    await browser.close();
    await system.stop();
  }
};

await main();
