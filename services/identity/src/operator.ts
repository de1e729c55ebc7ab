// The operator program of this image; `shortlist --help` lists its commands.
import { type OperatorProgram, runProgram } from '@shortlist/operator/program';

const image = 'identity';

const commands = {
  admin: async () => (await import('./admin-command.ts')).adminCommand,
  tool: async () => (await import('./tool-command.ts')).toolCommand,
  audit: async () => (await import('@shortlist/operator/commands/audit')).auditCommand(image),
  outbox: async () => {
    const { outboxCommand } = await import('@shortlist/operator/commands/outbox');
    return outboxCommand(image, (await import('./db.ts')).schema);
  },
  migrate: async () => {
    const { migrateCommand } = await import('@shortlist/operator/commands/migrate');
    return migrateCommand(image, (await import('./db.ts')).schema);
  },
};

export const program: OperatorProgram = { image, commands };

if (import.meta.main) await runProgram(program, { env: process.env, clock: () => new Date() });
