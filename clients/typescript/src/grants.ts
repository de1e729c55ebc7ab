import { ShortlistError } from './shortlist-error.ts';

export type Fields = Record<string, string>;
/** Posts to an address below `/oauth/`. Throws `oauth.<error>`, and `network.unreachable`. */
export type Post = (path: string, fields: Fields) => Promise<Fields>;

export type DeviceCode = { userCode: string; verificationUri: string; verificationUriComplete: string };

/** `scopes`: what the app may do. `deviceName`: what its user calls the machine. */
export type Asking = { scopes: readonly string[]; deviceName?: string; signal?: AbortSignal };
export type AskingByDevice = Asking & { onCode: (code: DeviceCode) => void };
export type AskingByBrowser = Asking & {
  redirectUri: string;
  /** Shows the page, and returns the address to which it has led. */
  open: (url: string) => Promise<string | undefined>;
};

const INTERVAL_MS = 5_000;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** After these the app asks again. */
const WAITING = ['oauth.authorization_pending', 'oauth.slow_down', 'network.unreachable'];

export const refusal = (error: string, title: string, status = 0): ShortlistError =>
  new ShortlistError({ code: `oauth.${error}`, title, status });

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    setTimeout(resolve, ms);
  });

const fieldsOf = ({ scopes, deviceName }: Asking): Fields => ({
  scope: scopes.join(' '),
  ...(deviceName ? { device_name: deviceName } : {}),
});

/** The reply, or that the user has not decided yet. */
const tryOnce = async (post: Post, fields: Fields): Promise<Fields | { slower: boolean }> => {
  try {
    return await post('token', fields);
  } catch (error) {
    const { code } = error as ShortlistError;
    if (!WAITING.includes(code)) throw error;
    return { slower: code === 'oauth.slow_down' };
  }
};

/** The device grant (RFC 8628). Returns the reply with the tokens. */
export const askByDevice = async (
  post: Post,
  { onCode, signal, ...asking }: AskingByDevice,
): Promise<Fields> => {
  const code = await post('device', fieldsOf(asking));
  onCode({
    userCode: code['user_code'] ?? '',
    verificationUri: code['verification_uri'] ?? '',
    verificationUriComplete: code['verification_uri_complete'] ?? '',
  });
  const fields = { grant_type: DEVICE_GRANT, device_code: code['device_code'] ?? '' };
  for (let intervalMs = INTERVAL_MS; ;) {
    await pause(intervalMs, signal);
    const reply = await tryOnce(post, fields);
    if (!('slower' in reply)) return reply;
    if (reply.slower) intervalMs += INTERVAL_MS;
  }
};

type Server = { base: string; clientId: string; post: Post };

const challengeOf = async (verifier: string): Promise<string> =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));

/** The code in the reply. Another server, or another request, could have sent it (RFC 9207). */
const codeIn = (
  address: string | undefined,
  { state, issuer }: { state: string; issuer: string },
): string => {
  const reply = address === undefined ? new URLSearchParams() : new URL(address).searchParams;
  const code = reply.get('code');
  if (code === null)
    throw refusal(reply.get('error') ?? 'access_denied', 'The user did not approve the connection.');
  if (reply.get('state') === state && reply.get('iss') === issuer) return code;
  throw refusal('wrong_reply', 'The response does not belong to this request.');
};

/** The code grant with PKCE (RFC 7636). Returns the reply with the tokens. */
export const askByBrowser = async (
  { base, clientId, post }: Server,
  { redirectUri, open, ...asking }: AskingByBrowser,
): Promise<Fields> => {
  const [verifier, state] = [randomText(), randomText()];
  const query = new URLSearchParams({
    ...fieldsOf(asking),
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
  });
  const address = await open(`${base}/oauth/authorize?${query}`);
  return post('token', {
    grant_type: 'authorization_code',
    code: codeIn(address, { state, issuer: new URL(base).origin }),
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
};
