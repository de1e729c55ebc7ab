// The request to a user's own system: signed, within a time limit, and never to an address that is not public.
import { createHmac } from 'node:crypto';
import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { TryError, WebhookTry } from '@shortlist/contracts/api/webhooks';
import { seconds } from '@shortlist/contracts/durations';
import { isPublicAddress, mayBePublic } from '@shortlist/kit/http/public-address';
import type { Clock } from '@shortlist/kit/process/clock';
import { Agent, request } from 'undici';

/** `any`: also plain HTTP and private networks, only for trying out the product. */
export type WebhookTargets = 'public' | 'any';
export type WebhookMessage = { id: string; url: string; payload: string; secrets: readonly string[] };
/** Sends a message once. Never throws: a try without a response has an error. */
export type Receiver = {
  send: (message: WebhookMessage) => Promise<WebhookTry>;
  close: () => Promise<void>;
};

const CONNECT_MS = seconds(5);
/** The time limit from the start of a try to the response's status. */
const TRY_MS = seconds(10);

class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
  readonly code = 'PRIVATE_ADDRESS';
}

type Resolve = typeof lookup;

/**
 * Resolves a name for the connection, which uses one of these addresses, so that the result cannot change in between. A single non-public
 * address is enough to refuse all.
 */
const lookupPublic =
  (resolve: Resolve): LookupFunction =>
  (host, options, callback) =>
    resolve(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      if (error || first === undefined) return callback(error ?? new Error('no address'), []);
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new PrivateAddress(host), []);
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });

/** The signature of Standard Webhooks: `v1,` and the HMAC-SHA-256 of id, time and body, for each secret. */
const signatureOf = ({ id, payload, secrets }: WebhookMessage, timestamp: number): string =>
  secrets
    .map((secret) => Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64'))
    .map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ');

const ERRORS: Record<string, TryError> = {
  PRIVATE_ADDRESS: 'private_address',
  ENOTFOUND: 'name',
  EAI_AGAIN: 'name',
  ECONNREFUSED: 'refused',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
};

const errorOf = (cause: unknown): TryError => {
  const { name = '', code = '' } = cause as { name?: string; code?: string };
  if (name === 'TimeoutError') return 'timeout';
  if (/^(ERR_TLS|CERT|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'certificate';
  return ERRORS[code] ?? 'connection';
};

const headersOf = (message: WebhookMessage, now: Date) => {
  const timestamp = Math.floor(now.getTime() / 1_000);
  return {
    'content-type': 'application/json',
    'user-agent': 'Shortlist-Webhooks',
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(message, timestamp),
  };
};

/** Sends messages. Redirects are not followed and connections not reused, so that each try resolves the name again. */
export const createReceiver = ({
  clock,
  targets,
  tryMs = TRY_MS,
  resolve = lookup,
}: {
  clock: Clock;
  targets: WebhookTargets;
  tryMs?: number;
  /** Replaces the system's resolver in tests. */
  resolve?: Resolve;
}): Receiver => {
  const isStrict = targets === 'public';
  const dispatcher = new Agent({
    pipelining: 0,
    connect: { timeout: CONNECT_MS, lookup: isStrict ? lookupPublic(resolve) : resolve },
  });

  const post = async (message: WebhookMessage): Promise<number> => {
    const url = new URL(message.url);
    if (isStrict && (url.protocol !== 'https:' || !mayBePublic(url))) throw new PrivateAddress(url.host);
    const { statusCode, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: headersOf(message, clock()),
      body: message.payload,
      signal: AbortSignal.timeout(tryMs),
    });
    // The response body is not read: it is irrelevant, and may be endless.
    body.on('error', () => undefined).destroy();
    return statusCode;
  };

  return {
    send: async (message) => {
      const at = clock().toISOString();
      const start = performance.now();
      const ended = (result: Pick<WebhookTry, 'status' | 'error'>): WebhookTry => ({
        at,
        ...result,
        milliseconds: Math.round(performance.now() - start),
      });
      return post(message).then(
        (status) => ended({ status, error: null }),
        (cause: unknown) => ended({ status: null, error: errorOf(cause) }),
      );
    },
    close: () => dispatcher.destroy(),
  };
};
