import { createContext, useContext } from 'react';

/** What leaves the page; an argument of the app, so that tests can see where it went. */
export type Browser = {
  assign: (url: string) => void;
  /** Leaves without keeping this page in the history, for a page that only forwards. */
  replace: (url: string) => void;
  reload: () => void;
};

/** Only web addresses: a reply must not be able to run a script. */
const isWebAddress = (url: string): boolean => {
  try {
    return ['https:', 'http:'].includes(new URL(url, window.location.origin).protocol);
  } catch {
    return false;
  }
};

export const realBrowser: Browser = {
  assign: (url) => {
    if (isWebAddress(url)) window.location.assign(url);
  },
  replace: (url) => {
    if (isWebAddress(url)) window.location.replace(url);
  },
  reload: () => window.location.reload(),
};

export const BrowserContext = createContext<Browser>(realBrowser);

export const useBrowser = (): Browser => useContext(BrowserContext);
