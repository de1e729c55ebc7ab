import { findBrowser, findBrowserWithExtensions } from '@shortlist/local/host/browsers';

const executablePath = findBrowser();

/** The Chromium of the machine, started without background requests to other hosts. */
export const LAUNCH = {
  ...(executablePath === undefined ? {} : { executablePath }),
  args: [
    '--no-sandbox',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
  ],
};

/** The browser that loads extensions. Undefined when the machine has none. */
export const BROWSER_WITH_EXTENSIONS = findBrowserWithExtensions();
