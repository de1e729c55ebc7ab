import type { Problem } from './replies.ts';
import { isRepeated, pauseMs } from './retry.rules.ts';
import { ShortlistError } from './shortlist-error.ts';

export type CallOptions = {
  /** Ends the call, which then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** After which the call with all its repetitions is given up; the client's unless given. */
  timeoutMs?: number | undefined;
};

export type ApiRequest = {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: object;
  headers?: Record<string, string>;
};
export type ApiReply<Body> = { status: number; headers: Headers; body: Body };
export type Send = <Body>(request: ApiRequest, options?: CallOptions) => Promise<ApiReply<Body>>;

export type SendParts = {
  url: string;
  /** Returns the key or an access token; another one than `refused`, if there is one. */
  token: (refused?: string) => Promise<string>;
  fetch: typeof fetch;
  timeoutMs: number;
  /** Of one attempt. */
  attemptMs: number;
  /** After the first attempt. */
  retries: number;
};

const NO_BODY = 304;

const isJson = (response: Response): boolean =>
  /^application\/(problem\+)?json\b/i.test(response.headers.get('content-type') ?? '');

const unexpected = ({ status }: Response): ShortlistError =>
  new ShortlistError({
    code: 'network.unexpected_reply',
    status,
    title: 'The response is not from Shortlist. Check the address and any proxy in between.',
  });

const secondsOf = (response: Response): number | undefined => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
};

/** Throws the error of a reply that is not a success. */
const read = async <Body>(response: Response): Promise<ApiReply<Body>> => {
  const { status, headers } = response;
  if (status === NO_BODY) return { status, headers, body: undefined as Body };
  if (!isJson(response)) throw unexpected(response);
  const body: unknown = await response.json();
  if (response.ok) return { status, headers, body: body as Body };
  const problem = body as Partial<Problem>;
  if (typeof problem.code !== 'string') throw unexpected(response);
  throw new ShortlistError({
    ...(problem as Problem),
    status,
    retryAfterSeconds: secondsOf(response),
  });
};

const asError = (error: unknown, isTimeout: boolean): ShortlistError => {
  if (error instanceof ShortlistError) return error;
  const [code, title] = isTimeout
    ? ['network.timeout', 'Shortlist took too long to reply.']
    : ['network.unreachable', 'Shortlist cannot be reached.'];
  return new ShortlistError({ code, status: 0, title, cause: error });
};

const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });

const addressOf = (url: string, { path, query = {} }: ApiRequest): URL => {
  const address = new URL(`${url.replace(/\/+$/, '')}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) address.searchParams.set(name, String(value));
  return address;
};

/** Sends requests: each attempt has a limit of time, as has the call, and a failure that passes by itself is followed by another attempt. */
export const createSend = (parts: SendParts): Send => {
  const fetchWith = (token: string, request: ApiRequest, signal: AbortSignal): Promise<Response> => {
    const { method, body, headers } = request;
    return parts.fetch(addressOf(parts.url, request), {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal,
    });
  };

  /** A refused token is renewed, once: the server knows of an end before we do. */
  const attempt = async <Body>(request: ApiRequest, signal: AbortSignal): Promise<ApiReply<Body>> => {
    const token = await parts.token();
    const response = await fetchWith(token, request, signal);
    const renewed = response.status === 401 ? await parts.token(token) : token;
    return read<Body>(renewed === token ? response : await fetchWith(renewed, request, signal));
  };

  /** Attempts once, and returns the error of a failed attempt. Throws the reason of a signal that has ended the call. */
  const tryOnce = async <Body>(
    request: ApiRequest,
    signal: AbortSignal | undefined,
    limitMs: number,
  ): Promise<ApiReply<Body> | ShortlistError> => {
    const limit = AbortSignal.timeout(Math.ceil(limitMs));
    try {
      return await attempt<Body>(request, signal ? AbortSignal.any([signal, limit]) : limit);
    } catch (cause) {
      signal?.throwIfAborted();
      return asError(cause, limit.aborted);
    }
  };

  const isLast = ({ tries, at, endsAt }: Record<'tries' | 'at' | 'endsAt', number>): boolean =>
    tries >= parts.retries || at >= endsAt;

  return async <Body>(request: ApiRequest, { signal, timeoutMs = parts.timeoutMs }: CallOptions = {}) => {
    signal?.throwIfAborted();
    const endsAt = performance.now() + timeoutMs;
    for (let tries = 0; ; tries += 1) {
      const leftMs = Math.max(1, endsAt - performance.now());
      const result = await tryOnce<Body>(request, signal, Math.min(parts.attemptMs, leftMs));
      if (!(result instanceof ShortlistError)) return result;
      const pause = pauseMs(tries, Math.random(), result.retryAfterSeconds);
      if (!isRepeated(result) || isLast({ tries, at: performance.now() + pause, endsAt })) throw result;
      await wait(pause, signal);
    }
  };
};
