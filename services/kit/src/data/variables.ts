import Joi from 'joi';
import { variable } from '../process/config.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { parseRedisUrl } from './redis-url.ts';

/** Schemas for the variables of databases and Redis. */
export const databaseUrl = variable.parsedBy(parseDatabaseUrl);
/** The most connections that a process opens to its database. */
export const databasePool = Joi.number().integer().min(2).max(200).empty('').default(10);
export const redisUrl = variable.parsedBy(parseRedisUrl);
