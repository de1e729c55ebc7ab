// Checks the account at Stripe for an operator; `--apply` creates what it lacks, in test mode only.
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import type { StripeCheck } from '@shortlist/contracts/api/admin-views';
import { type Action, type Command, EXIT, type Invocation, JSON_OPTION } from '@shortlist/operator/command';
import { readCheckConfig } from '../config.ts';
import { BACKGROUND, createStripe, isLiveKey } from '../stripe/client.ts';
import { type AccountGateway, createAccountGateway } from '../stripe/set-up-account.ts';
import { EVENT_TABLE } from '../inbox/event-table.ts';
import { applySetup, expectedSetup, runChecks } from './apply-setup.ts';
import type { ExpectedSetup } from './setup.rules.ts';

const TIMEOUT_SECONDS = inSeconds(minutes(2));
const LIVE_KEY =
  'STRIPE_SECRET_KEY is a live key, and --apply changes accounts in test mode only. docs/going-live.md lists the steps for a live account.';

type Terminal = Invocation['terminal'];

const STATES = { true: 'ok', false: 'WRONG', null: 'unknown' } as const;

const lineOf = ({ name, ok, detail }: StripeCheck): string =>
  `${STATES[`${ok}`].padEnd(8)}${name.padEnd(16)}${detail}`;

// Only a screen shows the secret: the output of a pipe may end up in a log.
const printSecret = ({ id, secret }: { id: string; secret: string }, { print, isScreen }: Terminal): void => {
  print(`Put the signing secret of ${id} into STRIPE_WEBHOOK_SECRETS of billing and start billing again.`);
  print(
    isScreen
      ? `Stripe shows it only now: ${secret}`
      : 'Run this on a terminal to see a new secret, or copy it in the dashboard, under Developers and Webhooks.',
  );
};

const printResult = (checks: StripeCheck[], { eventTypes }: ExpectedSetup, { print }: Terminal): void => {
  for (const check of checks) print(lineOf(check));
  const isEndpointRight = checks.every(({ name, ok }) => !name.startsWith('webhook') || ok === true);
  if (!isEndpointRight) print(`Event types of the endpoint: ${eventTypes.join(', ')}`);
};

type ApplyParts = { account: AccountGateway; expected: ExpectedSetup; brand: string };

const apply = async (parts: ApplyParts, terminal: Terminal): Promise<void> => {
  const { changes, webhook } = await applySetup(parts, await parts.account.read());
  for (const change of changes) terminal.print(change);
  if (webhook) printSecret(webhook, terminal);
};

const check: Action = {
  name: '',
  about: 'checks the price, the portal and the webhook endpoint',
  words: [],
  options: {
    apply: { type: 'boolean', about: 'creates what is missing, in test mode only' },
    ...JSON_OPTION,
  },
  timeoutSeconds: TIMEOUT_SECONDS,
  run: async ({ options, env, terminal }) => {
    const config = readCheckConfig(env);
    const { STRIPE_SECRET_KEY: key, STRIPE_API_BASE: apiBase, BRAND: brand } = config;
    if (options['apply'] === true && isLiveKey(key)) {
      terminal.printError(LIVE_KEY);
      return EXIT.usage;
    }
    const account = createAccountGateway(createStripe({ key, apiBase, limits: BACKGROUND }));
    const expected = expectedSetup(config, Object.keys(EVENT_TABLE));
    if (options['apply'] === true) await apply({ account, expected, brand }, terminal);
    const checks = await runChecks(account, expected);
    if (options['json'] === true) terminal.print(JSON.stringify(checks));
    else printResult(checks, expected, terminal);
    return checks.every(({ ok }) => ok === true) ? EXIT.done : EXIT.failed;
  },
};

export const stripeCheckCommand: Command = { actions: [check] };
