// The operator's command for the movements of revenue: compares them with billing's records and with the balance at Stripe.
import { days, hours, inSeconds } from '@shortlist/contracts/durations';
import { formatMoney } from '@shortlist/contracts/messages';
import type { Db } from '@shortlist/kit/data/db';
import { type Action, type Command, EXIT, type Invocation, UsageError } from '@shortlist/operator/command';
import { withServiceDb } from '@shortlist/operator/service-db';
import { type Config, readConfig } from '../config.ts';
import { schema } from '../db.ts';
import { createOperatorGateway } from '../stripe/operator-gateway.ts';
import { compareBalance } from './check-revenue.ts';
import { recordPage } from './record-movements.ts';

const TIMEOUT_SECONDS = inSeconds(hours(4));
const DEFAULT_DAYS = 400;

const sinceOf = ({ options, clock }: Invocation): Date => {
  const { since } = options;
  if (typeof since !== 'string') return new Date(clock().getTime() - days(DEFAULT_DAYS));
  const date = new Date(since);
  if (Number.isNaN(date.getTime())) throw new UsageError('--since takes an instant, such as 2026-03-01.');
  return date;
};

/** Records what is missing of all users, and prints it. Returns whether it could. */
const completeMovements = async (db: Db, { clock, terminal }: Invocation): Promise<boolean> => {
  let [added, failed] = [0, 0];
  for (let last: string | null = ''; last !== null;) {
    const page = await recordPage({ db, clock }, last);
    for (const { userId, movements } of page.added)
      for (const { kind, currency, amount, movedAt } of movements)
        terminal.print([userId, movedAt.toISOString(), kind, formatMoney({ amount, currency })].join('\t'));
    for (const { userId, error } of page.failed) terminal.print([userId, 'FAILED', String(error)].join('\t'));
    added += page.added.length;
    failed += page.failed.length;
    last = page.last;
  }
  if (failed > 0) terminal.print(`The movements of ${failed} users could not be completed.`);
  terminal.print(
    added + failed === 0 ? 'Every movement is stored.' : `The movements of ${added} users were completed.`,
  );
  return failed === 0;
};

/** Prints the money of each month here and at Stripe. Returns whether they are the same. */
const printBalance = async (db: Db, config: Config, invocation: Invocation): Promise<boolean> => {
  const { print } = invocation.terminal;
  const stripe = createOperatorGateway(config);
  const { months, converted, foreign } = await compareBalance({ db, stripe }, sinceOf(invocation));
  for (const { month, currency, here, atStripe } of months) {
    const isSame = here === atStripe;
    const money = [here, atStripe].map((amount) => formatMoney({ amount, currency }));
    print([month, ...money, isSame ? 'same' : 'DIFFERENT'].join('\t'));
  }
  print(`${converted} transactions in another currency and ${foreign} of other products are in no sum.`);
  return months.every(({ here, atStripe }) => here === atStripe);
};

const check: Action = {
  name: 'check',
  about: 'completes the movements of revenue and compares their money with the balance at Stripe',
  words: [],
  options: { since: { type: 'string', about: 'compares from this instant on (default: 400 days ago)' } },
  timeoutSeconds: TIMEOUT_SECONDS,
  run: async (invocation) => {
    const config = readConfig(invocation.env);
    return withServiceDb({ url: config.DATABASE_URL, schema }, async (db) => {
      const isComplete = await completeMovements(db, invocation);
      const isSame = await printBalance(db, config, invocation);
      return isComplete && isSame ? EXIT.done : EXIT.failed;
    });
  },
};

export const revenueCommand: Command = { actions: [check] };
