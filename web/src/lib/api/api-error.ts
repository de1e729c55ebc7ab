import type { ErrorCode, ErrorReply, FieldMessages } from '@shortlist/contracts/errors';

/** What the browser itself can say when no reply came. */
export type ClientCode = 'client.unreachable' | 'client.timeout' | 'client.unreadable';

export type Failure = {
  status: number;
  code: ErrorCode | ClientCode;
  message: string;
  fields: FieldMessages;
  requestId: string | null;
};

const CLIENT_MESSAGES: Record<ClientCode, string> = {
  'client.unreachable':
    'The server cannot be reached. Nothing you typed is lost. Check your connection and try again.',
  'client.timeout':
    'The server is taking too long to answer. Nothing you typed is lost. Try again in a moment.',
  'client.unreadable': 'The server gave an answer that could not be read. Try again in a moment.',
};

/** A call that did not succeed, in words a person can read. `status` is 0 when no reply came. */
export class ApiError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'ApiError';
    this.failure = failure;
  }
}

export const clientError = (code: ClientCode, status = 0): ApiError =>
  new ApiError({ status, code, message: CLIENT_MESSAGES[code], fields: {}, requestId: null });

const isErrorReply = (body: unknown): body is ErrorReply =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';

export const errorFrom = (status: number, body: unknown): ApiError => {
  if (!isErrorReply(body)) return clientError('client.unreadable', status);
  const { code, message, fields, requestId } = body.error;
  return new ApiError({ status, code, message, fields: fields ?? {}, requestId: requestId ?? null });
};

/** The failure inside whatever was thrown; anything unknown reads as an unreadable answer. */
export const failureOf = (thrown: unknown): Failure =>
  thrown instanceof ApiError ? thrown.failure : clientError('client.unreadable').failure;

/** Whether a failure may pass without a change of the request: the server was unreachable, overloaded or failing. */
export const isTransient = ({ status }: Failure): boolean => status === 0 || status === 429 || status >= 500;
