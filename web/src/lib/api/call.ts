import { IDEMPOTENCY_HEADER } from '@shortlist/contracts/api/credits';
import { type Endpoint, fillPath } from '@shortlist/contracts/api/endpoint';
import { publicEndpoints, XSRF_COOKIE, XSRF_HEADER } from '@shortlist/contracts/api/public';
import { clientError, errorFrom } from './api-error.ts';

const hex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** A W3C `traceparent` header with which a trace begins in the browser. The server decides whether it is recorded. */
const newTraceparent = (): string => `00-${hex(16)}-${hex(8)}-00`;

/**
 * Signals from API calls to the session: the server has rejected or accepted a token, or has refused what the page took for
 * allowed.
 */
export type SessionSignal = { kind: 'rejected' | 'used' | 'restricted'; token: string };

const SIGNAL = 'shortlist:session';

export const emitSessionSignal = (signal: SessionSignal): void => {
  window.dispatchEvent(new CustomEvent<SessionSignal>(SIGNAL, { detail: signal }));
};

export const onSessionSignal = (handle: (signal: SessionSignal) => void): (() => void) => {
  const listener = (event: Event): void => {
    if (event instanceof CustomEvent) handle(event.detail as SessionSignal);
  };
  window.addEventListener(SIGNAL, listener);
  return () => window.removeEventListener(SIGNAL, listener);
};

/** An endpoint has refused a request until the user proves again who they are. */
export type StepUpRequest = { token: string; settle: (isProven: boolean) => void };

const STEP_UP = 'shortlist:step-up';

/** Resolves to whether the user has proven who they are; false when the dialog was closed, or nothing shows one. */
export const requestStepUp = (token: string): Promise<boolean> =>
  new Promise((resolve) => {
    const detail: StepUpRequest = { token, settle: resolve };
    const isHandled = !window.dispatchEvent(
      new CustomEvent<StepUpRequest>(STEP_UP, { detail, cancelable: true }),
    );
    if (!isHandled) resolve(false);
  });

export const onStepUp = (handle: (request: StepUpRequest) => void): (() => void) => {
  const listener = (event: Event): void => {
    if (!(event instanceof CustomEvent)) return;
    event.preventDefault();
    handle(event.detail as StepUpRequest);
  };
  window.addEventListener(STEP_UP, listener);
  return () => window.removeEventListener(STEP_UP, listener);
};

const TIMEOUT_MS = 10_000;
const UPLOAD_TIMEOUT_MS = 30_000;

type CallOptions = {
  token?: string | null;
  /** Path parameters of an endpoint whose input is a form. */
  params?: Record<string, string>;
  signal?: AbortSignal;
  /** Names the request: repeated, it takes effect once. */
  idempotencyKey?: string;
};

const cookie = (name: string): string | null => {
  const pair = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
  return pair === undefined ? null : decodeURIComponent(pair.slice(name.length + 1));
};

/** Every endpoint is available under /api, where it cannot collide with a screen of the same path. */
export const apiPath = (path: string): string => (path.startsWith('/api/') ? path : `/api${path}`);

export const authorization = (token: string | null | undefined): Record<string, string> =>
  token ? { authorization: `Bearer ${token}` } : {};

const headersOf = (endpoint: { method: string; path: string }, token: string | null | undefined): Headers => {
  const headers = new Headers({ accept: 'application/json', ...authorization(token) });
  const xsrf = cookie(XSRF_COOKIE);
  // The subscribe endpoint creates a checkout although it is a GET, so it needs the token like every changing request.
  const needsProof = endpoint.method !== 'GET' || endpoint.path === publicEndpoints.subscribe.path;
  if (needsProof && xsrf !== null) headers.set(XSRF_HEADER, xsrf);
  return headers;
};

const query = (entries: [string, unknown][]): string => {
  const present = entries.filter(([, value]) => value !== undefined && value !== null && value !== '');
  if (present.length === 0) return '';
  return `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()}`;
};

const requestOf = (endpoint: Endpoint<never, unknown>, input: unknown, options: CallOptions) => {
  const headers = headersOf(endpoint, options.token);
  if (options.idempotencyKey !== undefined) headers.set(IDEMPOTENCY_HEADER, options.idempotencyKey);
  if (input instanceof FormData) {
    const { path } = fillPath(endpoint.path, options.params ?? {});
    return { url: apiPath(path), init: { method: endpoint.method, headers, body: input } };
  }
  const fields = (input ?? {}) as Record<string, unknown>;
  const { path, used } = fillPath(endpoint.path, fields);
  const rest = Object.entries(fields).filter(([name]) => !used.has(name));
  if (endpoint.method === 'GET')
    return { url: apiPath(path) + query(rest), init: { method: 'GET', headers } };
  if (rest.length === 0) return { url: apiPath(path), init: { method: endpoint.method, headers } };
  headers.set('content-type', 'application/json');
  const body = JSON.stringify(Object.fromEntries(rest));
  return { url: apiPath(path), init: { method: endpoint.method, headers, body } };
};

/** Calls `fetch` in a trace of its own, with a timeout. Throws an `ApiError` when the server is unreachable or the timeout expires. */
export const fetchWithTimeout = async (
  url: string,
  init: RequestInit,
  timeoutMs: number,
): Promise<Response> => {
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
  const headers = new Headers(init.headers);
  headers.set('traceparent', newTraceparent());
  try {
    return await fetch(url, { ...init, headers, signal, credentials: 'same-origin' });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw clientError(limit.aborted ? 'client.timeout' : 'client.unreachable');
  }
};

const readBody = async (response: Response): Promise<unknown> => {
  try {
    return (await response.json()) as unknown;
  } catch {
    return null;
  }
};

const send = async (endpoint: Endpoint<never, unknown>, input: unknown, options: CallOptions) => {
  const { url, init } = requestOf(endpoint, input, options);
  const timeoutMs = input instanceof FormData ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS;
  const response = await fetchWithTimeout(
    url,
    options.signal ? { ...init, signal: options.signal } : init,
    timeoutMs,
  );
  return { response, body: await readBody(response) };
};

const isCrossSite = (status: number, body: unknown): boolean =>
  status === 403 && errorFrom(status, body).failure.code === 'request.cross_site';

/**
 * Sends a request, and once more with fresh cookies when the cross-site check refuses it: the cookies may be missing, expired
 * or of another session. The refused request had no effect. An ended session gets no fresh cookies.
 */
const sendWithFreshCookies = async (
  endpoint: Endpoint<never, unknown>,
  input: unknown,
  options: CallOptions,
) => {
  const result = await send(endpoint, input, options);
  if (!isCrossSite(result.response.status, result.body)) return result;
  const config = await send(publicEndpoints.config, {}, options);
  return config.response.status === 401 ? config : send(endpoint, input, options);
};

export const needsStepUp = (status: number, body: unknown): boolean =>
  status === 403 && errorFrom(status, body).failure.code === 'session.reauthentication_required';

/** Sends a request, and once more after the user has proven who they are, when the endpoint requires that. */
const sendProven = async (endpoint: Endpoint<never, unknown>, input: unknown, options: CallOptions) => {
  const result = await sendWithFreshCookies(endpoint, input, options);
  const { token } = options;
  if (!token || !needsStepUp(result.response.status, result.body)) return result;
  return (await requestStepUp(token)) ? sendWithFreshCookies(endpoint, input, options) : result;
};

/** The session may do something else than this page knows. */
const CHANGED = new Set([
  'session.second_factor_required',
  'session.permission_missing',
  'identity.deletion_pending',
]);

const signalRefusal = (status: number, code: string, token: string): void => {
  if (status === 401) emitSessionSignal({ kind: 'rejected', token });
  if (CHANGED.has(code)) emitSessionSignal({ kind: 'restricted', token });
};

/** Calls an endpoint of the backend. Throws `ApiError`; a rejected token also ends the session. */
export const call = async <Input, Result>(
  endpoint: Endpoint<Input, Result>,
  input: Input,
  options: CallOptions = {},
): Promise<Result> => {
  const { response, body } = await sendProven(endpoint, input, options);
  const { token } = options;
  if (!response.ok) {
    const error = errorFrom(response.status, body);
    if (token) signalRefusal(response.status, error.failure.code, token);
    throw error;
  }
  if (body === null) throw clientError('client.unreadable', response.status);
  if (token) emitSessionSignal({ kind: 'used', token });
  return body as Result;
};
