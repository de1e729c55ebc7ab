import { uuidv7 } from 'uuidv7';
import type { SessionRole } from '../src/session/session.ts';
import { type Bff, respondAsAccount } from './support.ts';
import { bearer, type RawResponse } from './requests.ts';

/** The cookies of a browser, by name. */
export type Jar = Map<string, string>;

export const cookieOf = (jar: Jar): string => [...jar].map((pair) => pair.join('=')).join('; ');

/** Stores and removes cookies as a response says. */
export const store = (jar: Jar, { headers }: Pick<RawResponse, 'headers'>): void => {
  for (const line of headers['set-cookie'] ?? []) {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
    if (line.includes('Max-Age=0')) jar.delete(name);
    else jar.set(name, value);
  }
};

/** The headers of a request from one of our pages. */
export const fromPage = (jar: Jar, more: Record<string, string> = {}): Record<string, string> => ({
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
  ...(jar.size === 0 ? {} : { cookie: cookieOf(jar), 'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '' }),
  ...more,
});

/** The session token in the response to a log-in of a user or an admin. */
export const tokenIn = ({ json }: RawResponse): string => {
  const { data, credentials } = json as Record<'data' | 'credentials', { token: string } | undefined>;
  return data?.token ?? credentials?.token ?? '';
};

/** Creates a logged-in browser, reduced to its cookies and its session token. */
export const createBrowser = async (bff: Bff, role: SessionRole) => {
  const jar: Jar = new Map();
  let token = '';
  const xsrf = (): string => jar.get('XSRF-TOKEN') ?? '';
  const browser = {
    storeCookies: (response: RawResponse): void => store(jar, response),
    clearCookies: (): void => jar.clear(),
    cookie: (): string => cookieOf(jar),
    xsrf,
    /** The headers that our pages send with a change; `xsrf: null` omits the XSRF token. */
    headers: (change: { xsrf: string | null } = { xsrf: xsrf() }): Record<string, string> => ({
      ...bearer(token),
      cookie: cookieOf(jar),
      ...(change.xsrf === null ? {} : { 'x-xsrf-token': change.xsrf }),
    }),
    logIn: async (as = role): Promise<void> => {
      bff.upstream.respond = respondAsAccount(uuidv7());
      const response = await bff.call(as === 'user' ? 'login' : 'adminLogin', {
        headers: { cookie: cookieOf(jar), 'x-xsrf-token': xsrf() },
        body: { email: 'ana@talent.test', password: 'secret1' },
      });
      token = tokenIn(response);
      store(jar, response);
    },
    isLoggedIn: async (): Promise<boolean> => (await bff.sessions.check(token)) !== null,
  };
  store(jar, await bff.call('config'));
  await browser.logIn();
  return browser;
};
export type Browser = Awaited<ReturnType<typeof createBrowser>>;
