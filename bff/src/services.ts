import { createServiceClient, type ServiceClient } from '@shortlist/kit/http/http-client';
import { createServicePool, type PoolLimits, type ServicePool } from '@shortlist/kit/http/service-pool';
import type { Caller, TokenSigner } from '@shortlist/kit/http/service-token';
import { AppError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';

export type ServiceName = 'identity' | 'profile' | 'billing' | 'credits' | 'worker';
export type ServicePools = Record<ServiceName, ServicePool>;
/** A client for each service. */
export type Services = Record<ServiceName, ServiceClient>;

export const createPools = (
  urls: Record<ServiceName, string>,
  limits: PoolLimits | undefined,
): ServicePools => ({
  identity: createServicePool(urls.identity, limits),
  profile: createServicePool(urls.profile, limits),
  billing: createServicePool(urls.billing, limits),
  credits: createServicePool(urls.credits, limits),
  worker: createServicePool(urls.worker, limits),
});

export const createServices = (pools: ServicePools, sign: TokenSigner): Services => {
  const client = (audience: ServiceName) => createServiceClient({ audience, pool: pools[audience], sign });
  return {
    identity: client('identity'),
    profile: client('profile'),
    billing: client('billing'),
    credits: client('credits'),
    worker: client('worker'),
  };
};

/** The caller of requests without a session. */
export const ANONYMOUS: Caller = { role: 'anonymous', userId: null };

/** For a call behind which a password is hashed: the hash may wait in identity's queue. */
export const HASH_TIMEOUT_MS = 15_000;

/** For a call behind which Stripe is called: longer than billing's deadline, so that billing's error arrives and not bff's timeout. */
export const PROVIDER_TIMEOUT_MS = 15_000;

/** The reply of a service without which a page is still useful; null while it does not respond. Throws what it refuses, such as 404. */
export const unlessAway = <Reply>(log: Log, call: Promise<Reply>): Promise<Reply | null> =>
  call.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.status < 500) throw error;
    log.warn({ err: error }, 'page composed without a service');
    return null;
  });
