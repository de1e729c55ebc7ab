import { createConnection } from 'mysql2/promise';
import { messageOf, StartError } from '../host/messages.ts';
import type { Secrets } from '../host/secrets.ts';

/** Each has a database, and is called with tokens of its own. */
export const SERVICES = ['identity', 'profile', 'billing', 'credits', 'worker'] as const;

export type ServiceName = (typeof SERVICES)[number];

const passwordOf = (secrets: Secrets, service: ServiceName): string =>
  secrets[`${service.toUpperCase() as Uppercase<ServiceName>}_DB_PASSWORD`];

export const databaseUrl = (adminUrl: string, secrets: Secrets, service: ServiceName): string => {
  const url = new URL(adminUrl);
  url.username = service;
  url.password = passwordOf(secrets, service);
  url.pathname = `/${service}`;
  return url.href;
};

// ALTER USER sets the current password on an account that an earlier run created with another one.
const statementsFor = (service: ServiceName): string[] => [
  `CREATE DATABASE IF NOT EXISTS \`${service}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`,
  `CREATE USER IF NOT EXISTS '${service}'@'%' IDENTIFIED BY ?`,
  `ALTER USER '${service}'@'%' IDENTIFIED BY ?`,
  `GRANT ALL PRIVILEGES ON \`${service}\`.* TO '${service}'@'%'`,
];

/** Creates one database per service and one account with rights on it alone; idempotent. */
export const createDatabases = async (adminUrl: string, secrets: Secrets): Promise<void> => {
  const connection = await createConnection({ uri: adminUrl, connectTimeout: 10_000 });
  try {
    for (const service of SERVICES)
      for (const statement of statementsFor(service))
        await connection.query(statement, [passwordOf(secrets, service)]);
  } catch (error) {
    throw new StartError(`The databases could not be created: ${messageOf(error)}.`);
  } finally {
    await connection.end();
  }
};
