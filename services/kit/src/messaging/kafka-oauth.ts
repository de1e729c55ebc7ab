type OAuthClient = { url: string; clientId: string; clientSecret: string; scope: string };
type TokenReply = { access_token: string; expires_in?: number };

const TIMEOUT_MS = 5_000;
/** The share of a token's time after which a new one is requested. */
const RENEW_AFTER = 0.8;

const isReply = (body: unknown): body is TokenReply =>
  typeof body === 'object' &&
  body !== null &&
  'access_token' in body &&
  typeof body.access_token === 'string';

const requestToken = async ({ url, clientId, clientSecret, scope }: OAuthClient): Promise<TokenReply> => {
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope === '' ? {} : { scope }) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok || !isReply(body))
    throw new Error(`the token endpoint replied with status ${response.status} and no token`);
  return body;
};

/**
 * Returns a function that gets an access token by the client credentials grant (RFC 6749, section 4.4) and keeps it for most of its
 * time. Its errors contain neither token nor secret.
 */
export const createTokenSource = (client: OAuthClient): (() => Promise<{ value: string }>) => {
  let current: { value: string; renewAt: number } | null = null;
  return async () => {
    if (current !== null && performance.now() < current.renewAt) return { value: current.value };
    const { access_token: value, expires_in: seconds = 0 } = await requestToken(client);
    current = { value, renewAt: performance.now() + seconds * 1_000 * RENEW_AFTER };
    return { value };
  };
};
