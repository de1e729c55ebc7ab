// The operator program of this image; `shortlist --help` lists its commands.
import { type OperatorProgram, runProgram, sharedCommands } from '@shortlist/operator/program';

const { dead, verify, migrate, restored } = sharedCommands(
  'worker',
  async () => (await import('./db.ts')).schema,
  async () => (await import('./restore/restore-mails.ts')).restoreMails,
);

const commands = {
  accounts: async () => (await import('./restore/accounts-command.ts')).accountsCommand,
  dead,
  verify,
  migrate,
  restored,
};

export const program: OperatorProgram = { image: 'worker', commands };

if (import.meta.main) await runProgram(program, { env: process.env, clock: () => new Date() });
