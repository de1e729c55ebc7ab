import { ERRORS, errorMessage, type ErrorCode, type FieldMessages } from '@shortlist/contracts/errors';

type Details = { fields?: FieldMessages; cause?: unknown; retryAfterSeconds?: number };

/** The description of an error in logs and failed tests: the client's message, and the invalid fields. */
const describeError = (code: ErrorCode, { fields = {}, retryAfterSeconds }: Details): string => {
  const problems = Object.entries(fields).map(([name, problem]) => `${name}: ${problem}`);
  const text = errorMessage(code, retryAfterSeconds);
  return problems.length === 0 ? text : `${text} (${problems.join('; ')})`;
};

/** An error that a client may see: its code determines status and text. Any other error is sent as `service.failed`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: FieldMessages | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, details: Details = {}) {
    super(describeError(code, details), { cause: details.cause });
    this.code = code;
    this.status = ERRORS[code][0];
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

export const createError = (code: ErrorCode, details?: Details): AppError => new AppError(code, details);

/** An error that a form shows at one field, with the message of its code or with `message`. */
export const createFieldError = (
  code: ErrorCode,
  field: string,
  { message = errorMessage(code), cause }: { message?: string; cause?: unknown } = {},
): AppError => createError(code, { cause, fields: { [field]: message } });

const UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_QUERY_TIMEOUT', // MySQL ended it after its time limit
  'ER_LOCK_DEADLOCK', // the transaction was a deadlock victim, and so were its retries
  'ER_LOCK_WAIT_TIMEOUT', // another transaction, perhaps of a frozen process, has the row and may release it
  'POOL_WAIT_EXCEEDED',
  'POOL_NOT_READY',
]);

const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined);

/** MariaDB's ER_STATEMENT_TIMEOUT, for which mysql2 has no code. */
const STATEMENT_TIMEOUT = 1969;

const UNAVAILABLE_NAMES = new Set([
  'CannotExecuteNotConnectedError',
  'ConnectionIsNotSetError',
  'MaxRetriesPerRequestError',
]);

/** Messages of ioredis and mysql2 errors without a code, about a missing, lost or unresponsive connection. */
const CLOSED = new Set([
  'Connection is closed.',
  "Stream isn't writeable and enableOfflineQueue options is false",
  'Command timed out',
  "Can't add new command when connection is in closed state",
]);

const indicatesUnavailable = (error: Error): boolean => {
  if (error instanceof AppError) return error.status === 503 || error.status === 504;
  if (UNAVAILABLE_NAMES.has(error.name) || CLOSED.has(error.message)) return true;
  if ('errno' in error && error.errno === STATEMENT_TIMEOUT) return true;
  return UNAVAILABLE.has(String(codeOf(error)));
};

/** Whether a dependency (database, Redis, broker, another service) could not be reached, so that a retry may succeed. */
export const isUnavailable = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) if (indicatesUnavailable(at)) return true;
  return false;
};
