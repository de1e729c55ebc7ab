// The operator's command that checks the Stripe account; `--apply` creates what it lacks, in test mode only.
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import type { StripeCheck } from '@shortlist/contracts/api/billing';
import { type Action, type Command, EXIT, type Invocation, JSON_OPTION } from '@shortlist/operator/command';
import { readCheckConfig } from '../config.ts';
import { BACKGROUND, createStripe, isLiveKey } from '../stripe/client.ts';
import {
  type AccountGateway,
  type AccountPart,
  type AccountSnapshot,
  createAccountGateway,
} from '../stripe/set-up-account.ts';
import { EVENT_TABLE } from '../inbox/event-table.ts';
import { endpointOf, type ExpectedSetup, missingTypes } from './setup.rules.ts';
import { expectedSetup, runChecks } from './setup-monitor.ts';

type Parts = { account: AccountGateway; expected: ExpectedSetup; brand: string };

type Applied = {
  /** What was created or changed, one sentence each. */
  changes: string[];
  /** The signing secret of a new webhook endpoint, to be shown only on the operator's terminal. */
  webhook: { id: string; secret: string } | null;
};

const isMissing = (part: AccountPart<unknown>): boolean => 'value' in part && !part.value;

const applyWebhook = async ({ account, expected }: Parts, snapshot: AccountSnapshot): Promise<Applied> => {
  const { isPolled, webhookUrl: url, eventTypes } = expected;
  if (isPolled || !('value' in snapshot.webhooks)) return { changes: [], webhook: null };
  const endpoint = endpointOf(snapshot.webhooks.value, expected);
  if (endpoint === null) {
    const webhook = await account.createWebhook({ url, eventTypes });
    return { changes: [`Created the webhook endpoint ${webhook.id} for ${url}.`], webhook };
  }
  if (missingTypes(endpoint, eventTypes).length === 0) return { changes: [], webhook: null };
  await account.setWebhookEvents({ id: endpoint.id, eventTypes });
  return { changes: [`Enabled all event types of ${endpoint.id}.`], webhook: null };
};

/** Creates what the account lacks. Does not change what exists, except for adding missing event types to the endpoint. */
export const applySetup = async (parts: Parts, snapshot: AccountSnapshot): Promise<Applied> => {
  const { account, expected, brand } = parts;
  const changes: string[] = [];
  if (isMissing(snapshot.price)) {
    const id = await account.createPrice({ brand, price: expected.price });
    changes.push(`Created the product "${brand} Premium" with the price ${id}.`);
  }
  if (expected.yearly !== null && isMissing(snapshot.yearly)) {
    const id = await account.createPrice({ brand, price: expected.yearly, interval: 'year' });
    changes.push(`Created the yearly price ${id} of "${brand} Premium".`);
  }
  if (expected.pack !== null && isMissing(snapshot.pack)) {
    const id = await account.createPackPrice({ brand, pack: expected.pack });
    changes.push(`Created the product "${brand}: ${expected.pack.credits} credits" with the price ${id}.`);
  }
  if (isMissing(snapshot.hasPortal))
    changes.push(`Created the portal configuration ${await account.createPortalConfiguration(brand)}.`);
  const { changes: ofWebhook, webhook } = await applyWebhook(parts, snapshot);
  return { changes: [...changes, ...ofWebhook], webhook };
};

const TIMEOUT_SECONDS = inSeconds(minutes(2));
const LIVE_KEY =
  'STRIPE_SECRET_KEY is a live key, and --apply changes accounts in test mode only. docs/going-live.md lists the steps for a live account.';

type Terminal = Invocation['terminal'];

const STATES = { true: 'ok', false: 'WRONG', null: 'unknown' } as const;

const lineOf = ({ name, ok, detail }: StripeCheck): string =>
  `${STATES[`${ok}`].padEnd(8)}${name.padEnd(16)}${detail}`;

// Shows the secret only on a screen, because piped output may end up in a log.
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

const apply = async (parts: Parts, terminal: Terminal): Promise<void> => {
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
