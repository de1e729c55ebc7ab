import type { ErrorCode, ErrorReply, FieldMessages } from '@shortlist/contracts/errors';
import { connectionText } from '../../messages/shell.ts';

/** The errors of a call that got no readable response. */
export type ClientCode =
  'client.unreachable' | 'client.timeout' | 'client.unreadable' | 'client.passkey' | 'client.passkey_known';

export type Failure = {
  status: number;
  code: ErrorCode | ClientCode;
  message: string;
  fields: FieldMessages;
  requestId: string | null;
};

/** A failed call with a message for the user. `status` is 0 without a response. */
export class ApiError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'ApiError';
    this.failure = failure;
  }
}

/** A browser that knows that it has no connection says so, instead of blaming the server. */
const messageOf = (code: ClientCode): string =>
  connectionText(code === 'client.unreachable' && !navigator.onLine ? 'client.offline' : code);

export const clientError = (code: ClientCode, status = 0): ApiError =>
  new ApiError({ status, code, message: messageOf(code), fields: {}, requestId: null });

const isErrorReply = (body: unknown): body is ErrorReply =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';

export const errorFrom = (status: number, body: unknown): ApiError => {
  if (!isErrorReply(body)) return clientError('client.unreadable', status);
  const { code, message, fields, requestId } = body.error;
  return new ApiError({ status, code, message, fields: fields ?? {}, requestId: requestId ?? null });
};

/** The failure of a thrown value. An unknown error counts as an unreadable response. */
export const failureOf = (thrown: unknown): Failure =>
  thrown instanceof ApiError ? thrown.failure : clientError('client.unreadable').failure;

/** Whether the same request may succeed later: the server was unreachable, overloaded or failing. */
export const isTransient = ({ status }: Failure): boolean => status === 0 || status === 429 || status >= 500;
