import Joi from 'joi';
import { variable } from '../process/config.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { parseAccount } from './rights.ts';
import { parseRedisUrl } from './redis-url.ts';

/** Schemas for the variables of databases and Redis. */
export const databaseUrl = variable.parsedBy(parseDatabaseUrl);
/** The most connections that a process opens to its database. */
export const databasePool = Joi.number().integer().min(2).max(200).empty('').default(10);
/** The account of a service's processes, to which a migration gives its rights; empty where it has them already. */
export const runtimeAccount = Joi.string()
  .allow('')
  .default('')
  .custom((account: string) => {
    if (account !== '') parseAccount(account);
    return account;
  });
export const redisUrl = variable.parsedBy(parseRedisUrl);
