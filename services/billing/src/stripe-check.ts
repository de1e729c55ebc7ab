// Checks the account at Stripe for an operator; `--apply` creates what it lacks, in test mode only.
import type { StripeCheck } from '@shortlist/contracts/stripe-setup';
import { readCheckConfig } from './config.ts';
import { applySetup } from './setup/apply-setup.ts';
import { expectedSetup, runChecks } from './setup/run-checks.ts';
import type { ExpectedSetup } from './setup/setup.rules.ts';
import { BACKGROUND, createStripe, isLiveKey } from './stripe/client.ts';
import { type AccountGateway, createAccountGateway } from './stripe/set-up-account.ts';
import { EVENT_TABLE } from './sync/event-table.ts';

const LIVE_KEY =
  'STRIPE_SECRET_KEY is a live key, and --apply changes accounts in test mode only. docs/going-live.md lists the steps for a live account.';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const STATES = { true: 'ok', false: 'WRONG', null: 'unknown' } as const;

const printCheck = ({ name, ok, detail }: StripeCheck): void =>
  print(`${STATES[`${ok}`].padEnd(8)}${name.padEnd(16)}${detail}`);

// Only a terminal shows the secret: the output of a pipe may end up in a log.
const printSecret = ({ id, secret }: { id: string; secret: string }): void => {
  print(`Put the signing secret of ${id} into STRIPE_WEBHOOK_SECRETS of billing and start billing again.`);
  print(
    process.stdout.isTTY
      ? `Stripe shows it only now: ${secret}`
      : 'Run this on a terminal to see a new secret, or copy it in the dashboard, under Developers and Webhooks.',
  );
};

const printResult = (checks: StripeCheck[], { eventTypes }: ExpectedSetup): void => {
  for (const check of checks) printCheck(check);
  const isEndpointRight = checks.every(({ name, ok }) => !name.startsWith('webhook') || ok === true);
  if (!isEndpointRight) print(`Event types of the endpoint: ${eventTypes.join(', ')}`);
};

type ApplyParts = { account: AccountGateway; expected: ExpectedSetup; brand: string };

const apply = async (parts: ApplyParts): Promise<void> => {
  const { changes, webhook } = await applySetup(parts, await parts.account.read());
  for (const change of changes) print(change);
  if (webhook) printSecret(webhook);
};

const main = async (args: string[]): Promise<number> => {
  const config = readCheckConfig(process.env);
  const { STRIPE_SECRET_KEY: key, STRIPE_API_BASE: apiBase, BRAND: brand } = config;
  const isApplied = args.includes('--apply');
  if (isApplied && isLiveKey(key)) {
    process.stderr.write(`${LIVE_KEY}\n`);
    return 2;
  }
  const account = createAccountGateway(createStripe({ key, apiBase, limits: BACKGROUND }));
  const expected = expectedSetup(config, Object.keys(EVENT_TABLE));
  if (isApplied) await apply({ account, expected, brand });
  const checks = await runChecks(account, expected);
  printResult(checks, expected);
  return checks.every(({ ok }) => ok === true) ? 0 : 1;
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`stripe-check: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
