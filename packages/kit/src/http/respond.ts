import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { errorMessage, type ErrorReply } from '@shortlist/contracts/errors';
import { AppError, createError, isUnavailable } from '../process/errors.ts';
import type { Log } from '../process/log.ts';
import { currentTrace } from '../process/trace.ts';

/**
 * How much of an unread body is still read after the response, and for how long: far longer than a busy client needs to read the response,
 * which closing the connection would discard.
 */
const DRAIN_BYTES = 1024 * 1024;
const DRAIN_MS = 5_000;

/**
 * Closes the connection of a request that was answered before its body was read, after reading a little more of the body. Closing at once could
 * discard the response together with the bytes in flight; reading everything would keep the server busy.
 */
const endUnread = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.complete) return;
  let remaining = DRAIN_BYTES;
  const end = (): void => void request.destroy();
  const timer = setTimeout(end, DRAIN_MS);
  request.on('data', (chunk: Buffer) => {
    remaining -= chunk.length;
    if (remaining < 0 && response.writableFinished) end();
  });
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
};

const PARSER_ERRORS: Record<string, () => AppError> = {
  'entity.too.large': () => createError('request.too_large'),
  'encoding.unsupported': () => createError('request.unsupported_type'),
};

/** Express and its body parsers mark client errors with a `type`, or with a status from 400 to 499. */
const fromParser = (error: unknown): AppError | null => {
  if (!(error instanceof Error)) return null;
  const { type, status } = error as { type?: unknown; status?: unknown };
  const known = PARSER_ERRORS[String(type)];
  if (known) return known();
  const isClientError = typeof status === 'number' && status >= 400 && status < 500;
  return isClientError ? createError('request.malformed', { cause: error }) : null;
};

/** When a client may try again after a dependency failed. */
export const RETRY_SECONDS = 1;

/** The error a client may see: an AppError unchanged, a failed dependency as 503, anything unknown as `service.failed`. */
export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  if (isUnavailable(error))
    return createError('service.unavailable', { cause: error, retryAfterSeconds: RETRY_SECONDS });
  return fromParser(error) ?? createError('service.failed', { cause: error });
};

/** Lets support find the request of a response. */
export const requestId = (): string => currentTrace()?.traceId ?? randomUUID();

/** The body of an error, and its media type. */
export type ErrorFormat = (error: AppError) => { type: string; body: unknown };

const JSON_TYPE = 'application/json; charset=utf-8';

const agreedFormat: ErrorFormat = (error) => {
  const body: ErrorReply = {
    error: {
      code: error.code,
      message: errorMessage(error.code, error.retryAfterSeconds),
      ...(error.fields ? { fields: error.fields } : {}),
      requestId: requestId(),
    },
  };
  return { type: JSON_TYPE, body };
};

const send = (response: ServerResponse, status: number, { type, body }: ReturnType<ErrorFormat>): void => {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
};

/** Sends `body` as JSON with the given status. */
export const sendJson = (response: ServerResponse, status: number, body: unknown): void =>
  send(response, status, { type: JSON_TYPE, body });

const sentCodes = new WeakMap<ServerResponse, string>();

/** The code of the error that was sent as this response. */
export const sentErrorCode = (response: ServerResponse): string | undefined => sentCodes.get(response);

/** Sends the error in the agreed form unless another is given. If a response is already being sent, it closes the connection instead. */
export const sendError = (
  response: ServerResponse,
  error: AppError,
  format: ErrorFormat = agreedFormat,
): void => {
  sentCodes.set(response, error.code);
  if (response.headersSent) return void response.destroy();
  if (error.retryAfterSeconds !== undefined) response.setHeader('retry-after', error.retryAfterSeconds);
  endUnread(response.req, response);
  send(response, error.status, format(error));
};

/** The only error path of a process: logs server errors, without the query string, and sends the response. */
export const respondWithError = (
  log: Log,
  { request, response, format }: { request: IncomingMessage; response: ServerResponse; format?: ErrorFormat },
  cause: unknown,
): void => {
  const error = toAppError(cause);
  const [path] = request.url?.split('?', 1) ?? [];
  if (error.status >= 500) log.error({ err: cause, method: request.method, path }, error.code);
  sendError(response, error, format);
};

/** Aborts with `request.aborted` when the client disconnects before the response is complete, so that work without a recipient is dropped. */
export const closedSignal = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  const abort = (): void => {
    if (!response.writableFinished) controller.abort(createError('request.aborted'));
  };
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
};
