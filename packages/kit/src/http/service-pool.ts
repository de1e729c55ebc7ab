import { errors, Pool } from 'undici';
import { type AppError, createError } from '../process/errors.ts';

/** The connections of a process to one service. */
export type ServicePool = Pool;

/** The time limits of a pool, in milliseconds. */
export type PoolLimits = {
  /** How long a service may be silent before the request fails with `service.timeout`. */
  idleResponseMs: number;
  /**
   * How long an idle connection to a service is kept: shorter than services keep it, and shorter than a drain, so that none is closed while a
   * request is written to it.
   */
  keepAliveMs: number;
};

export const POOL_LIMITS: PoolLimits = { idleResponseMs: 10_000, keepAliveMs: 4_000 };

/** The connections of one process to one service. */
export const CONNECTIONS_MAX = 256;

/** The origin is fixed, so that no request can choose the host. */
export const createServicePool = (
  origin: string,
  { idleResponseMs, keepAliveMs }: PoolLimits = POOL_LIMITS,
): ServicePool =>
  new Pool(origin, {
    connections: CONNECTIONS_MAX,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: idleResponseMs,
    bodyTimeout: idleResponseMs,
    connectTimeout: idleResponseMs,
  });

const TIMEOUTS = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];

const isTimeout = (error: unknown): boolean =>
  (error instanceof DOMException && error.name === 'TimeoutError') ||
  TIMEOUTS.some((Timeout) => error instanceof Timeout);

/** The error of a request whose response is missing or incomplete. */
export const failedRequest = (cause: unknown): AppError =>
  createError(isTimeout(cause) ? 'service.timeout' : 'service.unavailable', { cause });
