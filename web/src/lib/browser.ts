import { createContext, useContext } from 'react';

/** Navigation away from the application. An argument of the app, so that tests can observe it. */
export type Browser = {
  assign: (url: string) => void;
  /** Replaces the current history entry. */
  replace: (url: string) => void;
  reload: () => void;
};

/** Only http and https: a URL in a response must not run a script. */
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
