// A page that stays open in a browser while releases change, with a session of a cookie.
import { type Browser, chromium, type Page } from '@playwright/test';
import { minutes, seconds } from '@shortlist/contracts/durations';
import type { Installation } from '@shortlist/local/system';
import { LAUNCH } from '../../harness/browser.ts';
import { newUser, signUp } from '../../harness/client.ts';

export type OpenPage = {
  /** Opens the screen of a link of the sidebar. Returns whether it opened at once, or after the page asked for a reload. */
  follow: (link: string) => Promise<'went on' | 'asked to reload'>;
  close: () => Promise<void>;
};

const LIMIT_MS = seconds(20);
const ASKS_TO_RELOAD = 'This page could not be loaded';

const logIn = async (page: Page, { publicUrl, ...system }: Installation): Promise<void> => {
  const user = newUser();
  await signUp({ publicUrl, ...system }, user);
  await page.goto(`${publicUrl}/login`);
  await page.locator('.prerendered').waitFor({ state: 'detached' });
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Log In', exact: true }).click();
  await page.getByRole('link', { name: 'Credits' }).waitFor();
};

const open = async (browser: Browser, system: Installation): Promise<OpenPage> => {
  const page = await browser.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  await logIn(page, system);
  return {
    follow: async (link) => {
      await page.getByRole('link', { name: link, exact: true }).click();
      const heading = page.getByRole('heading', { level: 1, name: link });
      const problem = page.getByText(ASKS_TO_RELOAD);
      await heading.or(problem).first().waitFor();
      if (!(await problem.isVisible())) return 'went on';
      await page.getByRole('button', { name: 'Try again' }).click();
      await heading.waitFor({ timeout: minutes(1) });
      return 'asked to reload';
    },
    close: () => browser.close(),
  };
};

/** Logs a new user in and leaves the first page open. */
export const openPage = async (system: Installation): Promise<OpenPage> => {
  const browser = await chromium.launch(LAUNCH);
  try {
    return await open(browser, system);
  } catch (error) {
    await browser.close();
    throw error;
  }
};
