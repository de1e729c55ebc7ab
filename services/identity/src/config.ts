import Joi from 'joi';
import { ADMIN_ROLES } from '@shortlist/contracts/admin-permissions';
import { PASSWORD_MIN } from '@shortlist/contracts/limits';
import { databaseUrl } from '@shortlist/kit/data/variables';
import { type ConfigOf, type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import { serviceVariables } from '@shortlist/kit/service';

export const variables = {
  ...serviceVariables,
  IDENTITY_TOKEN_KEYS: variable.tokenKeys,
  // The first key encrypts the secrets of factors; the others only decrypt, so that a key can be replaced.
  FACTOR_KEY: variable.secrets,
  // The URL of bff, which is the issuer of access tokens.
  PUBLIC_URL: variable.url('http', 'https'),
  PASSWORD_MIN: Joi.number().integer().min(PASSWORD_MIN).max(64).default(PASSWORD_MIN),
  // Empty: no look-up.
  BREACHED_PASSWORDS_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .allow('')
    .default(''),
  // `any` also allows plain HTTP and private networks, for trying out the product.
  WEBHOOK_TARGETS: variable.oneOf('public', 'any').default('public'),
};

export type Config = ConfigOf<typeof variables>;

export const readConfig = (env: Environment): Config => loadConfig(variables, env);

/** The variables of the command that creates and recovers admins; arguments and terminal input can replace them. */
export const adminVariables = {
  DATABASE_URL: databaseUrl,
  ADMIN_EMAIL: Joi.string().allow('').default(''),
  ADMIN_PASSWORD: variable.password.optional().empty('').default(''),
  // The role of a new admin; an existing one keeps theirs.
  ADMIN_ROLE: variable
    .oneOf(...ADMIN_ROLES)
    .empty('')
    .default('owner'),
};

export type AdminConfig = ConfigOf<typeof adminVariables>;

export const readAdminConfig = (env: Environment): AdminConfig => loadConfig(adminVariables, env);
