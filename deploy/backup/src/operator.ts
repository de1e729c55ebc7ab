// The operator program of the image for backups. It has the tables of every service, because a backup is tried by migrating it.
import { constants } from 'node:os';
import { backupCommand } from '@shortlist/operator/commands/backup';
import { restoreCommand } from '@shortlist/operator/commands/restore';
import { type OperatorProgram, runProgram } from '@shortlist/operator/program';

const schemas = {
  identity: async () => (await import('@shortlist/identity/db')).schema,
  profile: async () => (await import('@shortlist/profile/db')).schema,
  billing: async () => (await import('@shortlist/billing/db')).schema,
  credits: async () => (await import('@shortlist/credits/db')).schema,
  worker: async () => (await import('@shortlist/worker/db')).schema,
};

export const program: OperatorProgram = {
  image: 'backup',
  commands: {
    backup: () => Promise.resolve(backupCommand(schemas)),
    restore: () => Promise.resolve(restoreCommand()),
  },
};

// With an exit, the programs that it has started end too, and the folder with the password is removed.
const exitOnSignal = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
};

if (import.meta.main) exitOnSignal();
if (import.meta.main) await runProgram(program, { env: process.env, clock: () => new Date() });
