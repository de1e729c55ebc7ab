import Joi from 'joi';
import { PASSWORD_MIN } from '@shortlist/contracts/limits';
import { type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import { serviceVariables, type ServiceConfig } from '@shortlist/kit/service';

export type Config = ServiceConfig & { PASSWORD_MIN: number };

export const readConfig = (env: Environment): Config =>
  loadConfig<Config>(
    {
      ...serviceVariables,
      PASSWORD_MIN: Joi.number().integer().min(PASSWORD_MIN).max(64).default(PASSWORD_MIN),
    },
    env,
  );

export type AdminConfig = {
  DATABASE_URL: string;
  ADMIN_EMAIL: string;
  ADMIN_PASSWORD: string;
  LOG_LEVEL: string;
};

export const readAdminConfig = (env: Environment): AdminConfig =>
  loadConfig<AdminConfig>(
    {
      DATABASE_URL: variable.url('mysql'),
      ADMIN_EMAIL: Joi.string().required(),
      ADMIN_PASSWORD: variable.password,
      LOG_LEVEL: variable.logLevel.default('warn'),
    },
    env,
  );
