import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillPath, type Endpoint } from '@shortlist/contracts/api/endpoint';
import { ERRORS, type ErrorReply } from '@shortlist/contracts/errors';
import type { Dispatcher } from 'undici';
import { AppError, createError, isUnavailable } from '../process/errors.ts';
import { type Attributes, inSpan, type Span, traceparentOf } from '../process/trace.ts';
import { LENIENT } from './router.ts';
import { failedRequest, type ServicePool } from './service-pool.ts';
import { type Caller, SERVICE_CALLER, type TokenSigner } from './service-token.ts';

/** Bytes may be sent from a stream; the caller then states their number in the header `content-length`. */
type Streamable<Input> = {
  [Name in keyof Input]: Input[Name] extends Uint8Array ? Input[Name] | Readable : Input[Name];
};

/**
 * Calls an endpoint of another service. Reads are retried unless they timed out, changes never. Every call has a timeout (by default the
 * client's), and rejects with the reason of `signal` if that is aborted.
 */
export type ServiceClient = <Input extends object, Reply>(
  endpoint: Endpoint<Input, Reply>,
  input: Streamable<Input>,
  options: { caller: Caller; headers?: Record<string, string>; timeoutMs?: number; signal?: AbortSignal },
) => Promise<Reply>;

type CallOptions = Parameters<ServiceClient>[2];

/** The options of a call that a service makes on its own behalf. */
export const asService = <Options extends Omit<CallOptions, 'caller'>>(options?: Options) => ({
  ...options,
  caller: SERVICE_CALLER,
});

const TIMEOUT_MS = 5_000;
const READ_TRIES = 3;

const isErrorReply = (body: unknown): body is ErrorReply =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';

/** The Retry-After header, which our services send only in seconds. */
const retryAfterOf = ({ headers }: Dispatcher.ResponseData): { retryAfterSeconds?: number } => {
  const seconds = String(headers['retry-after'] ?? '');
  return /^\d{1,6}$/.test(seconds) ? { retryAfterSeconds: Number(seconds) } : {};
};

/** The error that the other service returned; anything not in the agreed form becomes `service.unavailable`. */
const errorFrom = async (response: Dispatcher.ResponseData): Promise<AppError> => {
  const body: unknown = await response.body.json().catch(() => null);
  if (isErrorReply(body) && body.error.code in ERRORS && body.error.code !== 'service.token_refused') {
    const { code, fields } = body.error;
    return createError(code, { ...retryAfterOf(response), ...(fields ? { fields } : {}) });
  }
  return createError('service.unavailable', { cause: new Error(`status ${response.statusCode}`) });
};

const requestFor = (endpoint: Endpoint<never, unknown>, input: object) => {
  const { path, used } = fillPath(endpoint.path, input as Record<string, unknown>);
  const rest = Object.entries(input).filter(([name, value]) => !used.has(name) && value !== undefined);
  if (endpoint.method === 'GET') {
    const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)]));
    return { path: query.size > 0 ? `${path}?${query.toString()}` : path, body: null };
  }
  const isRaw = (value: unknown): value is Uint8Array<ArrayBuffer> | Readable =>
    value instanceof Uint8Array || value instanceof Readable;
  const bytes = rest.map(([, value]): unknown => value).find(isRaw);
  return { path, body: bytes ?? JSON.stringify(Object.fromEntries(rest)) };
};

const typeOf = (body: string | Uint8Array | Readable): string =>
  typeof body === 'string' ? 'application/json' : 'application/octet-stream';

/** Like `AbortSignal.timeout`, but its timer ends with the call: the timers of thousands of calls would otherwise live on for seconds. */
const abortAfter = (ms: number): Disposable & { signal: AbortSignal } => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), ms);
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
};

type SendRequest = <Input extends object, Reply>(
  endpoint: Endpoint<Input, Reply>,
  input: Streamable<Input>,
  options: CallOptions & { span: Span },
) => Promise<Reply>;

const attributesOf = ({ method, path }: Endpoint<never, unknown>, service: string): Attributes => ({
  'http.request.method': method,
  'url.template': path,
  'server.address': service,
});

/** A service that timed out is overloaded, or waits for a database that is away. */
const isWorthRetry = (error: unknown): boolean =>
  isUnavailable(error) && !(error instanceof AppError && error.code === 'service.timeout');

const withRetries =
  (call: ServiceClient): ServiceClient =>
  async (endpoint, input, options) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call(endpoint, input, options);
      } catch (error) {
        if (endpoint.method !== 'GET' || attempt === READ_TRIES || !isWorthRetry(error)) throw error;
        await sleep(20 * attempt + Math.random() * 30);
      }
    }
  };

const isSuccess = ({ statusCode }: Dispatcher.ResponseData): boolean => statusCode >= 200 && statusCode < 300;

/** Creates the client of one service, whose name in tokens is `audience`. */
export const createServiceClient = ({
  audience,
  pool,
  sign,
  timeoutMs: defaultMs = TIMEOUT_MS,
}: {
  audience: string;
  pool: ServicePool;
  sign: TokenSigner;
  timeoutMs?: number;
}): ServiceClient => {
  const send: SendRequest = async (endpoint, input, { span, ...options }) => {
    const { caller, headers = {}, timeoutMs = defaultMs, signal } = options;
    const { path, body } = requestFor(endpoint, input);
    using timeout = abortAfter(timeoutMs);
    const authorization = `Bearer ${await sign(audience, caller)}`;
    const failed = (cause: unknown): never => {
      signal?.throwIfAborted();
      throw failedRequest(cause);
    };
    const response = await pool
      .request({
        method: endpoint.method,
        path,
        headers: {
          ...LENIENT,
          ...headers,
          authorization,
          traceparent: traceparentOf(span.trace),
          ...(body === null ? {} : { 'content-type': typeOf(body) }),
        },
        body,
        signal: signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]),
        // The signal limits the whole call.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      .catch(failed);
    span.set({ 'http.response.status_code': response.statusCode });
    if (!isSuccess(response)) throw await errorFrom(response);
    return (await response.body.json().catch(failed)) as never; // the other service's tests validate its responses against the contract
  };
  const call: ServiceClient = (endpoint, input, options) =>
    inSpan(
      `${endpoint.method} ${endpoint.path}`,
      { kind: 'client', attributes: attributesOf(endpoint, audience) },
      (span) => send(endpoint, input, { ...options, span }),
    );
  return withRetries(call);
};
