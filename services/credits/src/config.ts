import { type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import type { TokenKeys } from '@shortlist/kit/http/service-token';
import { serviceVariables, type ServiceConfig } from '@shortlist/kit/service';

export type Config = ServiceConfig & {
  BILLING_URL: string;
  CREDITS_TOKEN_KEYS: TokenKeys;
  BILLING_TOKEN_KEYS: TokenKeys;
};

export const readConfig = (env: Environment): Config =>
  loadConfig<Config>(
    {
      ...serviceVariables,
      BILLING_URL: variable.url('http', 'https'),
      CREDITS_TOKEN_KEYS: variable.tokenKeys,
      BILLING_TOKEN_KEYS: variable.tokenKeys,
    },
    env,
  );
