import { type ConfigOf, type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import { serviceVariables } from '@shortlist/kit/service';

export const variables = { ...serviceVariables, PROFILE_TOKEN_KEYS: variable.tokenKeys };

export const readConfig = (env: Environment): ConfigOf<typeof variables> => loadConfig(variables, env);
