import { existsSync } from 'node:fs';
import { environment } from './config.ts';

const find = (...names: string[]): string | undefined =>
  names.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

/** Returns the browser of journeys. The one without a window of its own comes first: it needs half of the processor time. */
export const findBrowser = (): string | undefined =>
  environment().CHROMIUM ?? find('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome');

/** Returns the browser that loads extensions: neither the one without a window nor Chrome does. */
export const findBrowserWithExtensions = (): string | undefined => find('chromium', 'chromium-browser');
