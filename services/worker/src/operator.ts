// The operator program of this image; `shortlist --help` lists its commands.
import { type OperatorProgram, runProgram, sharedCommands } from '@shortlist/operator/program';

const { dead, verify, migrate } = sharedCommands('worker', async () => (await import('./db.ts')).schema);

const commands = {
  dead,
  verify,
  migrate,
  restored: async () => {
    const { restoredCommand } = await import('@shortlist/operator/commands/restored');
    const [{ schema }, { restoreMails }] = await Promise.all([
      import('./db.ts'),
      import('./restore/restore-mails.ts'),
    ]);
    return restoredCommand('worker', schema, restoreMails);
  },
};

export const program: OperatorProgram = { image: 'worker', commands };

if (import.meta.main) await runProgram(program, { env: process.env, clock: () => new Date() });
