// The operator program of this image; `shortlist --help` lists its commands.
import { type OperatorProgram, runProgram, sharedCommands } from '@shortlist/operator/program';

const { verify, outbox, migrate } = sharedCommands('identity', async () => (await import('./db.ts')).schema);

const commands = {
  admin: async () => (await import('./admin-command.ts')).adminCommand,
  tool: async () => (await import('./tool-command.ts')).toolCommand,
  factors: async () => (await import('./factors-command.ts')).factorsCommand,
  emails: async () => (await import('./emails-command.ts')).emailsCommand,
  verify,
  outbox,
  migrate,
  restored: async () => {
    const { restoredCommand } = await import('@shortlist/operator/commands/restored');
    const [{ schema }, { restoreAccounts }] = await Promise.all([
      import('./db.ts'),
      import('./restore/restore-accounts.ts'),
    ]);
    return restoredCommand('identity', schema, restoreAccounts);
  },
};

export const program: OperatorProgram = { image: 'identity', commands };

if (import.meta.main) await runProgram(program, { env: process.env, clock: () => new Date() });
