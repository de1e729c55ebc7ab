// The operator program of this image; `shortlist --help` lists its commands.
import { type OperatorProgram, runProgram, sharedCommands } from '@shortlist/operator/program';

const { dead, verify, outbox, migrate, restored } = sharedCommands(
  'credits',
  async () => (await import('./db.ts')).schema,
);

export const program: OperatorProgram = {
  image: 'credits',
  commands: { dead, verify, outbox, migrate, restored },
};

if (import.meta.main) await runProgram(program, { env: process.env, clock: () => new Date() });
