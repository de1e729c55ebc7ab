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
