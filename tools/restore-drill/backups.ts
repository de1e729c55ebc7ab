// Backups of a system as an operator makes and restores them, with the program of the image `backup`.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@shortlist/local/host/config';
import type { System } from '@shortlist/local/system';
import type { Service } from '@shortlist/operator/backup/manifest';
import { makeAgeKey } from '../../harness/age-key.ts';

const execute = promisify(execFile);
const PROGRAM = join(REPOSITORY, 'deploy/backup/src/operator.ts');

export type Backups = {
  create: () => Promise<unknown>;
  /** Of the binary log, and of who was deleted. */
  copyLogs: () => Promise<unknown>;
  /** Brings one database, or all, to an instant; their services are stopped. */
  restore: (at: Date, service?: Service) => Promise<unknown>;
};

/** The store and its key are in the folder of the system. */
export const openBackups = async ({ directory, backing }: System): Promise<Backups> => {
  const keyFile = join(directory, 'backup-key.txt');
  const server = new URL(backing.databaseAdminUrl);
  const env = {
    PATH: process.env['PATH'] ?? '',
    BACKUP_STORE: join(directory, 'backups'),
    BACKUP_RECIPIENTS: await makeAgeKey(keyFile),
    BACKUP_KEY_FILE: keyFile,
    BACKUP_DATABASE_URL: server.href,
    RESTORE_PASSWORD: decodeURIComponent(server.password),
  };
  const run = (...args: string[]) => execute(process.execPath, [PROGRAM, ...args], { env });
  server.password = '';
  return {
    create: () => run('backup'),
    copyLogs: () => run('backup', 'logs'),
    restore: (at, service) => {
      const only = service === undefined ? [] : ['--only', service];
      return run('restore', ...only, '--at', at.toISOString(), '--into', server.href, '--yes');
    },
  };
};
