import { createServiceClient, type ServiceClient } from '@shortlist/kit/http/http-client';
import type { Caller, TokenSigner } from '@shortlist/kit/http/service-token';

export type ServiceName = 'identity' | 'profile' | 'billing' | 'credits';
/** A client for each service. */
export type Services = Record<ServiceName, ServiceClient>;

export const createServices = (urls: Record<ServiceName, string>, sign: TokenSigner): Services => {
  const client = (audience: ServiceName) => createServiceClient({ audience, url: urls[audience], sign });
  return {
    identity: client('identity'),
    profile: client('profile'),
    billing: client('billing'),
    credits: client('credits'),
  };
};

/** The caller of requests that bff makes on its own behalf. */
export const SERVICE_CALLER = { role: 'service', userId: null } as const;

/** The caller of requests without a session. */
export const ANONYMOUS: Caller = { role: 'anonymous', userId: null };

/** For a call behind which a password is hashed: the hash may wait in identity's queue. */
export const HASH_TIMEOUT_MS = 15_000;

/** For a call behind which Stripe is called: longer than billing's deadline, so that billing's error arrives and not bff's timeout. */
export const PROVIDER_TIMEOUT_MS = 15_000;

/** The time limits of calls that bff passes on, in milliseconds. */
export type ProxyLimits = {
  /** How long a service may send nothing before the request fails with `service.timeout`. */
  idleResponseMs: number;
  /**
   * How long a connection to a service is kept while no request uses it: less than the services keep it, and less than the drain of
   * one that is being stopped, so that none is closed as a request is written to it.
   */
  keepAliveMs: number;
};

export const PROXY_LIMITS: ProxyLimits = { idleResponseMs: 10_000, keepAliveMs: 4_000 };

/** The connections to one service. */
export const SOCKETS_MAX = 256;
