import Joi from 'joi';
import { ADMIN_ROLES, type AdminRole } from '@shortlist/contracts/admin-permissions';
import { PASSWORD_MIN } from '@shortlist/contracts/limits';
import { databaseUrl } from '@shortlist/kit/data/variables';
import { type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import type { TokenKeys } from '@shortlist/kit/http/service-token';
import { serviceVariables, type ServiceConfig } from '@shortlist/kit/service';

export type Config = ServiceConfig & {
  IDENTITY_TOKEN_KEYS: TokenKeys;
  PASSWORD_MIN: number;
  BREACHED_PASSWORDS_URL: string;
  FACTOR_KEY: string[];
};

export const readConfig = (env: Environment): Config =>
  loadConfig<Config>(
    {
      ...serviceVariables,
      IDENTITY_TOKEN_KEYS: variable.tokenKeys,
      // The first key encrypts the secrets of factors; the others only decrypt, so that a key can be replaced.
      FACTOR_KEY: variable.secrets,
      PASSWORD_MIN: Joi.number().integer().min(PASSWORD_MIN).max(64).default(PASSWORD_MIN),
      // Empty: no look-up.
      BREACHED_PASSWORDS_URL: Joi.string()
        .uri({ scheme: ['http', 'https'] })
        .allow('')
        .default(''),
    },
    env,
  );

/** The variables of the command that creates and recovers admins; its arguments and the terminal take their place. */
export type AdminConfig = {
  DATABASE_URL: string;
  ADMIN_EMAIL: string;
  ADMIN_PASSWORD: string;
  /** Of a new admin; that of an existing one stays. */
  ADMIN_ROLE: AdminRole;
};

export const readAdminConfig = (env: Environment): AdminConfig =>
  loadConfig<AdminConfig>(
    {
      DATABASE_URL: databaseUrl,
      ADMIN_EMAIL: Joi.string().allow('').default(''),
      ADMIN_PASSWORD: variable.password.optional().empty('').default(''),
      ADMIN_ROLE: Joi.string()
        .valid(...ADMIN_ROLES)
        .empty('')
        .default('owner'),
    },
    env,
  );
