// The operator program of this image; `shortlist --help` lists its commands.
import { type OperatorProgram, runProgram, sharedCommands } from '@shortlist/operator/program';

const { dead, verify, outbox, migrate, restored } = sharedCommands(
  'credits',
  async () => (await import('./db.ts')).schema,
  async () => (await import('./restore/restore-ledger.ts')).restoreLedger,
);

const commands = {
  dead,
  verify,
  outbox,
  migrate,
  restored,
};

export const program: OperatorProgram = { image: 'credits', commands };

if (import.meta.main) await runProgram(program, { env: process.env, clock: () => new Date() });
