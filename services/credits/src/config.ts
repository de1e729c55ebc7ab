import { type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import { serviceVariables, type ServiceConfig } from '@shortlist/kit/service';

export type Config = ServiceConfig & { BILLING_URL: string };

export const readConfig = (env: Environment): Config =>
  loadConfig<Config>({ ...serviceVariables, BILLING_URL: variable.url('http', 'https') }, env);
