import { type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import type { TokenKeys } from '@shortlist/kit/http/service-token';
import { serviceVariables, type ServiceConfig } from '@shortlist/kit/service';

export type Config = ServiceConfig & { PROFILE_TOKEN_KEYS: TokenKeys };

export const readConfig = (env: Environment): Config =>
  loadConfig<Config>({ ...serviceVariables, PROFILE_TOKEN_KEYS: variable.tokenKeys }, env);
