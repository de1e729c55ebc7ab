import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Starts a MySQL server, or finds the running one, and prints its address. Not part of the repository. */
const SCRIPT = join(import.meta.dirname, '../../../shared/mysql/up');

/** The admin address of a MySQL server: DATABASE_ADMIN_URL, or that of the server which the script beside the checkout starts. */
export const findMysql = async (env: NodeJS.ProcessEnv): Promise<string> => {
  if (env['DATABASE_ADMIN_URL']) return env['DATABASE_ADMIN_URL'];
  if (!existsSync(SCRIPT))
    throw new Error('DB=mysql needs the address of a MySQL 8.4 or 9 server in DATABASE_ADMIN_URL.');
  const { stdout } = await promisify(execFile)(SCRIPT);
  return stdout.trim();
};
