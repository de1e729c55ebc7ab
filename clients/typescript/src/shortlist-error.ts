import type { Problem } from './replies.ts';

type Details = Omit<Problem, 'type' | 'requestId' | 'detail'> & {
  detail?: string | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  idempotencyKey?: string | undefined;
  cause?: unknown;
};

/**
 * Why a call failed. Decide by `code`: those of the API are explained at `/api/v1/reference#<code>`, and the client adds
 * `network.unreachable`, `network.timeout` and `network.unexpected_reply`, and of its queue `queue.balance_unknown` and
 * `queue.balance_too_low`.
 */
export class ShortlistError extends Error {
  override readonly name = 'ShortlistError';
  readonly code: string;
  /** The HTTP status; 0 without a reply. */
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  /** Give it to support. */
  readonly requestId: string | undefined;
  /** What is wrong with which field. */
  readonly errors: { field: string; detail: string }[];
  readonly retryAfterSeconds: number | undefined;
  /** Of a charge or reservation: repeat it with this key, and it is charged once. */
  readonly idempotencyKey: string | undefined;

  constructor({ code, status, title, detail, ...more }: Details) {
    super(`${code}: ${detail ?? title}`, { cause: more.cause });
    this.code = code;
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.requestId = more.requestId;
    this.errors = more.errors ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.idempotencyKey = more.idempotencyKey;
  }
}

/** The same error, with the key by which its operation may be repeated. */
export const withIdempotencyKey = (error: unknown, idempotencyKey: string): unknown =>
  error instanceof ShortlistError
    ? new ShortlistError({ ...error, cause: error.cause, idempotencyKey })
    : error;
