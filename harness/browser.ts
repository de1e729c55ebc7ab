import { existsSync } from 'node:fs';

/** The browser without a window of its own first: it needs half of the processor time. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);
const executablePath = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path));

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

/** The browser that loads extensions: neither the one without a window nor Chrome does. Undefined when the machine has none. */
export const BROWSER_WITH_EXTENSIONS = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) =>
  existsSync(path),
);
