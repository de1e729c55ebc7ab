import { createServiceClient, type ServiceClient } from '@shortlist/kit/http/http-client';
import type { TokenSigner } from '@shortlist/kit/http/service-token';
import type { Config } from './config.ts';

/** The services behind us, by name. */
export type Services = Record<'identity' | 'profile' | 'billing' | 'credits', ServiceClient>;
export type ServiceName = keyof Services;

export const serviceUrls = (config: Config): Record<ServiceName, string> => ({
  identity: config.IDENTITY_URL,
  profile: config.PROFILE_URL,
  billing: config.BILLING_URL,
  credits: config.CREDITS_URL,
});

export const createServices = (config: Config, sign: TokenSigner): Services => {
  const urls = serviceUrls(config);
  const ask = (audience: ServiceName) => createServiceClient({ audience, url: urls[audience], sign });
  return {
    identity: ask('identity'),
    profile: ask('profile'),
    billing: ask('billing'),
    credits: ask('credits'),
  };
};

/** On behalf of nobody in particular: for what bff itself keeps in order between services. */
export const SERVICE_CALLER = { role: 'service', userId: null } as const;
