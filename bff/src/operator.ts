// The operator program of this image; `shortlist --help` lists its commands.
import { runProgram } from '@shortlist/operator/program';

const image = 'bff';

const commands = {
  dead: async () => (await import('@shortlist/operator/commands/dead')).deadCommand(image),
  audit: async () => (await import('@shortlist/operator/commands/audit')).auditCommand(image),
};

await runProgram({ image, commands }, { env: process.env, clock: () => new Date() });
