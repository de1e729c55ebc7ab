// The operator program of this image; `shortlist --help` lists its commands.
import { type OperatorProgram, runProgram, sharedCommands } from '@shortlist/operator/program';

const { dead, verify, outbox, migrate, restored } = sharedCommands(
  'billing',
  async () => (await import('./db.ts')).schema,
  async () => (await import('./plans/restore-plans.ts')).restorePlans,
);

const commands = {
  'stripe-inbox': async () => (await import('./inbox/stripe-inbox.ts')).stripeInboxCommand,
  revenue: async () => (await import('./revenue/revenue-command.ts')).revenueCommand,
  'stripe-check': async () => (await import('./setup/stripe-check.ts')).stripeCheckCommand,
  dead,
  verify,
  outbox,
  migrate,
  restored,
};

export const program: OperatorProgram = { image: 'billing', commands };

if (import.meta.main) await runProgram(program, { env: process.env, clock: () => new Date() });
