// The operator program of this image; `shortlist --help` lists its commands.
import { type OperatorProgram, runProgram, sharedCommands } from '@shortlist/operator/program';

const { verify, outbox, migrate, restored } = sharedCommands(
  'identity',
  async () => (await import('./db.ts')).schema,
  async () => (await import('./restore/restore-accounts.ts')).restoreAccounts,
);

const commands = {
  admin: async () => (await import('./admin-command.ts')).adminCommand,
  tool: async () => (await import('./tool-command.ts')).toolCommand,
  factors: async () => (await import('./factors-command.ts')).factorsCommand,
  emails: async () => (await import('./emails-command.ts')).emailsCommand,
  verify,
  outbox,
  migrate,
  restored,
};

export const program: OperatorProgram = { image: 'identity', commands };

if (import.meta.main) await runProgram(program, { env: process.env, clock: () => new Date() });
