import {
  askByBrowser,
  askByDevice,
  type AskingByBrowser,
  type AskingByDevice,
  type Fields,
  type Post,
  refusal,
} from './grants.ts';
import { ShortlistError } from './shortlist-error.ts';
import { exclusively, stored, type Storage } from './storage.ts';

export type ConnectionOptions = {
  /** Of the installation, such as `https://app.shortlist.example`. */
  url: string | undefined;
  /** Of the app, which the operator of the installation registers. */
  clientId: string | undefined;
  /** Keeps the tokens, which are secrets of the user: a file that nobody else reads, the storage of an extension. */
  storage: Storage;
  /** For tests and proxies. */
  fetch?: typeof fetch;
  /** The time in milliseconds, for tests. */
  now?: () => number;
};

/** A user's permission for one installation of an app, by OAuth 2.1. Its tokens renew themselves. */
export type Connection = {
  isConnected: () => Promise<boolean>;
  /** For an app without a browser: shows the code, and waits until its user has decided. */
  connectDevice: (asking: AskingByDevice) => Promise<void>;
  /** In an extension, `open` is `chrome.identity.launchWebAuthFlow`. */
  connectBrowser: (asking: AskingByBrowser) => Promise<void>;
  /** Forgets the tokens, and ends the connection at the server. */
  disconnect: () => Promise<void>;
  /** An access token; another one than `refused`. */
  token: (refused?: string) => Promise<string>;
  /** Of what the client stores, which is another for each user. */
  name: () => Promise<string>;
};

type Tokens = { access: string; refresh: string; expiresAt: number };

const ATTEMPT_MS = 10_000;
/** A token is renewed before it ends on its way. */
const EARLY_MS = 60_000;
/** The start of an access token, which names its user. */
const TAG_LENGTH = 20;

const notConnected = (): ShortlistError =>
  refusal('not_connected', 'The app is not connected. Connect it, and ask its user to approve.');

const createPost =
  (base: string, clientId: string, send: typeof fetch): Post =>
  async (path, fields) => {
    const body = new URLSearchParams({ client_id: clientId, ...fields });
    const signal = AbortSignal.timeout(ATTEMPT_MS);
    const init = { method: 'POST', body, signal, credentials: 'omit', redirect: 'error' } as const;
    const response = await send(`${base}/oauth/${path}`, init).catch((cause: unknown) => {
      const title = 'Shortlist cannot be reached.';
      throw new ShortlistError({ code: 'network.unreachable', status: 0, title, cause });
    });
    const text = await response.text();
    const reply = (text.startsWith('{') ? JSON.parse(text) : {}) as Fields;
    if (response.ok) return reply;
    throw refusal(reply['error'] ?? 'unexpected_reply', reply['error_description'] ?? '', response.status);
  };

/** The user ended the connection, or the app is disabled, which ends it for good. */
const ENDED = ['oauth.invalid_grant', 'oauth.invalid_client'];

const isEnded = (error: unknown): boolean => error instanceof ShortlistError && ENDED.includes(error.code);

/** Throws a TypeError without an address or a client id. */
export const createConnection = (options: ConnectionOptions): Connection => {
  const { url, clientId, storage, fetch: send = (...input) => fetch(...input), now = Date.now } = options;
  if (!url || !clientId)
    throw new TypeError('createConnection needs the url of the installation and a client id');
  const base = url.replace(/\/+$/, '');
  const post = createPost(base, clientId, send);
  const name = `shortlist:connection:${clientId}`;
  const cell = stored<Tokens | null>(storage, name, null);
  const alone = exclusively(name);

  const keep = async (reply: Fields): Promise<Tokens> => {
    const { access_token: access = '', refresh_token: refresh = '', expires_in: seconds } = reply;
    const tokens = { access, refresh, expiresAt: now() + Number(seconds) * 1_000 };
    await cell.write(tokens);
    return tokens;
  };

  /** Alone: of two renewals with the same token, the second would end the connection. */
  const renew = async ({ refresh }: Tokens): Promise<Tokens> => {
    try {
      return await keep(await post('token', { grant_type: 'refresh_token', refresh_token: refresh }));
    } catch (error) {
      if (!isEnded(error)) throw error;
      await cell.write(null);
      throw notConnected();
    }
  };

  return {
    isConnected: async () => (await cell.read()) !== null,
    connectDevice: async (asking) => void (await keep(await askByDevice(post, asking))),
    connectBrowser: async (asking) => void (await keep(await askByBrowser({ base, clientId, post }, asking))),
    disconnect: () =>
      alone(async () => {
        const tokens = await cell.read();
        await cell.write(null);
        if (tokens !== null) await post('revoke', { token: tokens.refresh });
      }),
    token: (refused) =>
      alone(async () => {
        const tokens = await cell.read();
        if (tokens === null) throw notConnected();
        const works = tokens.access !== refused && tokens.expiresAt - EARLY_MS > now();
        return (works ? tokens : await renew(tokens)).access;
      }),
    name: async () => `shortlist:${(await cell.read())?.access.slice(0, TAG_LENGTH) ?? clientId}`,
  };
};
