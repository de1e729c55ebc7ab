import { uuidv7 } from 'uuidv7';
import type { SessionRole } from '../src/session/session.ts';
import { NO_FACTORS, OWNER } from './factors-reply.ts';
import { respondWith, type Bff, type RawResponse } from './support.ts';

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
  const jar = new Map<string, string>();
  let token = '';
  const storeCookies = ({ headers }: RawResponse): void => {
    for (const line of headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
      jar.set(name, value);
    }
  };
  const cookie = (): string => [...jar].map((pair) => pair.join('=')).join('; ');
  const xsrf = (): string => jar.get('XSRF-TOKEN') ?? '';
  const browser: Browser = {
    storeCookies,
    clearCookies: () => jar.clear(),
    cookie,
    xsrf,
    headers: (change = { xsrf: xsrf() }) => ({
      authorization: `Bearer ${token}`,
      cookie: cookie(),
      ...(change.xsrf === null ? {} : { 'x-xsrf-token': change.xsrf }),
    }),
    logIn: async (as = role) => {
      const id = uuidv7();
      bff.upstream.respond = respondWith(() => ({
        data: { id, admin: OWNER },
        planState: { version: 1 },
        factors: NO_FACTORS,
      }));
      const response = await bff.call(as === 'user' ? 'login' : 'adminLogin', {
        headers: { cookie: cookie(), 'x-xsrf-token': xsrf() },
        body: { email: 'ana@talent.test', password: 'secret1' },
      });
      const { data, credentials } = response.json as Record<
        'data' | 'credentials',
        { token: string } | undefined
      >;
      token = data?.token ?? credentials?.token ?? '';
      storeCookies(response);
    },
    isLoggedIn: async () => (await bff.sessions.check(token)) !== null,
  };
  storeCookies(await bff.call('config'));
  await browser.logIn();
  return browser;
};
