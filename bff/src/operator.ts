// The operator program of this image; `shortlist --help` lists its commands.
import { type OperatorProgram, runProgram } from '@shortlist/operator/program';

const image = 'bff';

const commands = {
  dead: async () => (await import('@shortlist/operator/commands/dead')).deadCommand(image),
  verify: async () => (await import('@shortlist/operator/commands/verify')).verifyCommand(image),
};

export const program: OperatorProgram = { image, commands };

if (import.meta.main) await runProgram(program, { env: process.env, clock: () => new Date() });
