// The operator program of this image; `shortlist --help` lists its commands.
import { type OperatorProgram, runProgram, sharedCommands } from '@shortlist/operator/program';

const { dead, verify, migrate } = sharedCommands('worker', async () => (await import('./db.ts')).schema);

export const program: OperatorProgram = { image: 'worker', commands: { dead, verify, migrate } };

if (import.meta.main) await runProgram(program, { env: process.env, clock: () => new Date() });
