// The operator program of this image; `shortlist --help` lists its commands.
import { type OperatorProgram, runProgram, sharedCommands } from '@shortlist/operator/program';

const { dead, verify, outbox, migrate } = sharedCommands(
  'credits',
  async () => (await import('./db.ts')).schema,
);

const commands = {
  dead,
  verify,
  outbox,
  migrate,
  restored: async () => {
    const { restoredCommand } = await import('@shortlist/operator/commands/restored');
    const [{ schema }, { restoreLedger }] = await Promise.all([
      import('./db.ts'),
      import('./restore/restore-ledger.ts'),
    ]);
    return restoredCommand('credits', schema, restoreLedger);
  },
};

export const program: OperatorProgram = { image: 'credits', commands };

if (import.meta.main) await runProgram(program, { env: process.env, clock: () => new Date() });
