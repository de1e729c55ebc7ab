import { type ConfigOf, type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import { serviceVariables } from '@shortlist/kit/service';

export const variables = {
  ...serviceVariables,
  BILLING_URL: variable.url('http', 'https'),
  CREDITS_TOKEN_KEYS: variable.tokenKeys,
  BILLING_TOKEN_KEYS: variable.tokenKeys,
};

export type Config = ConfigOf<typeof variables>;

export const readConfig = (env: Environment): Config => loadConfig(variables, env);
