import { type Environment, loadConfig } from '@shortlist/kit/process/config';
import { serviceVariables, type ServiceConfig } from '@shortlist/kit/service';

export const readConfig = (env: Environment): ServiceConfig =>
  loadConfig<ServiceConfig>(serviceVariables, env);
