// The operator program of this image; `shortlist --help` lists its commands.
import { type OperatorProgram, runProgram, sharedCommands } from '@shortlist/operator/program';

const { dead, verify, outbox, migrate } = sharedCommands(
  'billing',
  async () => (await import('./db.ts')).schema,
);

const commands = {
  'stripe-inbox': async () => (await import('./inbox/stripe-inbox.ts')).stripeInboxCommand,
  'stripe-check': async () => (await import('./setup/stripe-check.ts')).stripeCheckCommand,
  dead,
  verify,
  outbox,
  migrate,
  restored: async () => {
    const { restoredCommand } = await import('@shortlist/operator/commands/restored');
    const [{ schema }, { restorePlans }] = await Promise.all([
      import('./db.ts'),
      import('./plans/restore-plans.ts'),
    ]);
    return restoredCommand('billing', schema, restorePlans);
  },
};

export const program: OperatorProgram = { image: 'billing', commands };

if (import.meta.main) await runProgram(program, { env: process.env, clock: () => new Date() });
