import { errors, Pool } from 'undici';
import { type AppError, createError } from '../process/errors.ts';

/** The connections of a process to one service. */
export type ServicePool = Pool;

/** The time limits of a pool, in milliseconds. */
export type PoolLimits = {
  /** How long a service may send nothing before the request fails with `service.timeout`. */
  idleResponseMs: number;
  /**
   * How long a connection to a service is kept while no request uses it: less than the services keep it, and less than the drain of
   * one that is being stopped, so that none is closed as a request is written to it.
   */
  keepAliveMs: number;
};

export const POOL_LIMITS: PoolLimits = { idleResponseMs: 10_000, keepAliveMs: 4_000 };

/** The connections of one process to one service. */
export const CONNECTIONS_MAX = 256;

/** The origin is fixed: no request can choose the host. */
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

/** The error of a request that got no response, or half of one. */
export const failedRequest = (cause: unknown): AppError =>
  createError(isTimeout(cause) ? 'service.timeout' : 'service.unavailable', { cause });
