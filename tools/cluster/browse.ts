import { chromium } from '@playwright/test';
import { join } from 'node:path';
import { register } from '../../tests/journeys/client.ts';
import { logInByForm } from '../../tests/journeys/log-in-page.ts';
import { LAUNCH } from '../../tests/playwright.config.ts';
import type { Parts, Scenario } from './scenarios.ts';

const walk = async ({ target, product }: Parts): Promise<string> => {
  const password = 'a long enough one';
  const { email } = await register(product, { password });
  const browser = await chromium.launch(LAUNCH);
  try {
    const page = await browser.newPage({
      baseURL: product.publicUrl,
      viewport: { width: 1440, height: 900 },
    });
    await logInByForm(page, { email, password });
    await page.getByRole('heading', { name: 'Account Management Panel' }).waitFor();
    await page.screenshot({ path: join(target.directory, 'home.png') });
    return 'the browser logs in and shows Home';
  } finally {
    await browser.close();
  }
};

export const browse: Scenario = { name: 'the pages in a browser', run: walk };
