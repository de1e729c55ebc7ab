import { createConnection } from 'mysql2/promise';
import { messageOf, StartError } from '../host/messages.ts';
import type { Secrets } from '../host/secrets.ts';

export const DATABASE_OWNERS = ['identity', 'profile', 'billing', 'credits', 'worker'] as const;

export type DatabaseOwner = (typeof DATABASE_OWNERS)[number];

const passwordOf = (secrets: Secrets, owner: DatabaseOwner): string =>
  secrets[`${owner.toUpperCase() as Uppercase<DatabaseOwner>}_DB_PASSWORD`];

export const databaseUrl = (adminUrl: string, secrets: Secrets, owner: DatabaseOwner): string => {
  const url = new URL(adminUrl);
  url.username = owner;
  url.password = passwordOf(secrets, owner);
  url.pathname = `/${owner}`;
  return url.href;
};

// ALTER USER sets the current password on an account that an earlier run created with another one.
const statementsFor = (owner: DatabaseOwner): string[] => [
  `CREATE DATABASE IF NOT EXISTS \`${owner}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`,
  `CREATE USER IF NOT EXISTS '${owner}'@'%' IDENTIFIED BY ?`,
  `ALTER USER '${owner}'@'%' IDENTIFIED BY ?`,
  `GRANT ALL PRIVILEGES ON \`${owner}\`.* TO '${owner}'@'%'`,
];

/** Creates one database per service and one account with rights on it alone; idempotent. */
export const createDatabases = async (adminUrl: string, secrets: Secrets): Promise<void> => {
  const connection = await createConnection({ uri: adminUrl, connectTimeout: 10_000 });
  try {
    for (const owner of DATABASE_OWNERS) {
      for (const statement of statementsFor(owner)) {
        await connection.query(statement, statement.includes('?') ? [passwordOf(secrets, owner)] : []);
      }
    }
  } catch (error) {
    throw new StartError(`The databases could not be created: ${messageOf(error)}.`);
  } finally {
    await connection.end();
  }
};
