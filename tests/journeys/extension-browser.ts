import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BrowserContext, chromium, type Page, type Worker } from '@playwright/test';
import type { System } from '@shortlist/local/system';
import { BROWSER_WITH_EXTENSIONS, LAUNCH } from '../../harness/browser.ts';
import { expect, test } from '../../harness/system.ts';

const BUILD = join(import.meta.dirname, '../../clients/example-extension/build.ts');
const run = promisify(execFile);

/** Of the `key` in its manifest. */
const EXTENSION_ID = 'koamnpeknmcckebhdnmaijgcdbkncadd';
export const EXTENSION_REDIRECT = `https://${EXTENSION_ID}.chromiumapp.org/`;

export type ExtensionBrowser = {
  context: BrowserContext;
  /** Its service worker. */
  background: Worker;
  /** Its popup, in a tab. */
  openPopup: () => Promise<Page>;
  /** Starts the browser again, with what it has stored. */
  restart: () => Promise<ExtensionBrowser>;
  close: () => Promise<void>;
};

/** The path of the browser. Null on a machine without it, which leaves this to CI. */
export const findBrowser = (): string | null => {
  if (BROWSER_WITH_EXTENSIONS !== undefined) return BROWSER_WITH_EXTENSIONS;
  const description = 'Chromium, which loads extensions, is missing: apt-get install chromium';
  expect(process.env.CI, description).toBeUndefined();
  test.info().annotations.push({ type: 'not run', description });
  return null;
};

type Build = { executablePath: string; folder: string; publicUrl: string };

const startBrowser = async (build: Build): Promise<ExtensionBrowser> => {
  const { executablePath, folder, publicUrl } = build;
  const extension = join(folder, 'extension');
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath,
    baseURL: publicUrl,
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [...LAUNCH.args, `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
  });
  const background = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  return {
    context,
    background,
    openPopup: async () => {
      const page = await context.newPage();
      await page.goto(`chrome-extension://${EXTENSION_ID}/popup.html`);
      return page;
    },
    restart: async () => {
      await context.close();
      return startBrowser(build);
    },
    close: async () => {
      await context.close();
      await rm(folder, { recursive: true });
    },
  };
};

/** Builds the example extension, and starts a browser with a profile of its own that has loaded it. */
export const startExtension = async (
  { publicUrl }: Pick<System, 'publicUrl'>,
  { executablePath, clientId }: { executablePath: string; clientId: string },
): Promise<ExtensionBrowser> => {
  const folder = await mkdtemp(join(tmpdir(), 'extension-'));
  await run(process.execPath, [BUILD, publicUrl, clientId, join(folder, 'extension')]);
  return startBrowser({ executablePath, folder, publicUrl });
};
