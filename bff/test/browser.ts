import { uuidv7 } from 'uuidv7';
import type { SessionRole } from '../src/session/sessions.ts';
import { answering, type Bff, type RawReply, send } from './support.ts';

export type Browser = {
  /** Takes the cookies of an answer. */
  take: (reply: RawReply) => void;
  forget: () => void;
  cookie: () => string;
  xsrf: () => string;
  /** What a page of ours sends with a change; `xsrf: null` leaves its token out. */
  headers: (change?: { xsrf: string | null }) => Record<string, string>;
  logIn: (role?: SessionRole) => Promise<void>;
  isIn: () => Promise<boolean>;
};

/** A browser that has logged in by the door, as far as its cookies and its token go. */
export const createBrowser = async (bff: Bff, role: SessionRole): Promise<Browser> => {
  const jar = new Map<string, string>();
  let token = '';
  const take = ({ headers }: RawReply): void => {
    for (const line of headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
      jar.set(name, value);
    }
  };
  const cookie = (): string => [...jar].map((pair) => pair.join('=')).join('; ');
  const xsrf = (): string => jar.get('XSRF-TOKEN') ?? '';
  const browser: Browser = {
    take,
    forget: () => jar.clear(),
    cookie,
    xsrf,
    headers: (change = { xsrf: xsrf() }) => ({
      authorization: `Bearer ${token}`,
      cookie: cookie(),
      ...(change.xsrf === null ? {} : { 'x-xsrf-token': change.xsrf }),
    }),
    logIn: async (as = role) => {
      const id = uuidv7();
      bff.upstream.reply = answering(() => ({ data: { id }, planState: { version: 1 } }));
      const reply = await send(bff.port, as === 'user' ? '/login' : '/super-admin-authentication', {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: cookie(), 'x-xsrf-token': xsrf() },
        body: '{"email":"ana@talent.test","password":"secret1"}',
      });
      const body = JSON.parse(reply.body) as { data?: { token: string }; credentials?: { token: string } };
      token = body.data?.token ?? body.credentials?.token ?? '';
      take(reply);
    },
    isIn: async () => (await bff.sessions.check(token)) !== null,
  };
  take(await send(bff.port, '/api/config'));
  await browser.logIn();
  return browser;
};
