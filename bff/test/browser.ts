import { uuidv7 } from 'uuidv7';
import type { SessionRole } from '../src/session/session.ts';
import { cookieOf, type Jar, store, tokenIn } from './cookie-jar.ts';
import { bearer } from './requests.ts';
import { respondAsAccount, type Bff, type RawResponse } from './support.ts';

export type Browser = {
  /** Stores the cookies of a response. */
  storeCookies: (response: RawResponse) => void;
  clearCookies: () => void;
  cookie: () => string;
  xsrf: () => string;
  /** The headers that our pages send with a change; `xsrf: null` omits the XSRF token. */
  headers: (change?: { xsrf: string | null }) => Record<string, string>;
  logIn: (role?: SessionRole) => Promise<void>;
  isLoggedIn: () => Promise<boolean>;
};

/** Creates a logged-in browser, reduced to its cookies and its session token. */
export const createBrowser = async (bff: Bff, role: SessionRole): Promise<Browser> => {
  const jar: Jar = new Map();
  let token = '';
  const cookie = (): string => cookieOf(jar);
  const xsrf = (): string => jar.get('XSRF-TOKEN') ?? '';
  const browser: Browser = {
    storeCookies: (response) => store(jar, response),
    clearCookies: () => jar.clear(),
    cookie,
    xsrf,
    headers: (change = { xsrf: xsrf() }) => ({
      ...bearer(token),
      cookie: cookie(),
      ...(change.xsrf === null ? {} : { 'x-xsrf-token': change.xsrf }),
    }),
    logIn: async (as = role) => {
      bff.upstream.respond = respondAsAccount(uuidv7());
      const response = await bff.call(as === 'user' ? 'login' : 'adminLogin', {
        headers: { cookie: cookie(), 'x-xsrf-token': xsrf() },
        body: { email: 'ana@talent.test', password: 'secret1' },
      });
      token = tokenIn(response);
      store(jar, response);
    },
    isLoggedIn: async () => (await bff.sessions.check(token)) !== null,
  };
  store(jar, await bff.call('config'));
  await browser.logIn();
  return browser;
};
