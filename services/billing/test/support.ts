import { setTimeout as sleep } from 'node:timers/promises';
import { createHmac, randomUUID } from 'node:crypto';
import { billingEndpoints, packEndpoints, STRIPE_WEBHOOK_PATH } from '@shortlist/contracts/api/billing';
import type { EventType } from '@shortlist/contracts/events/define';
import { userDeleted, userRegistered, type UserRegistered } from '@shortlist/contracts/events/identity';
import { type GrantInput, type Interval, planAt, type UnsubscribeInput } from '@shortlist/contracts/plan';
import { exampleProfile } from '@shortlist/contracts/testing/examples';
import type { Db } from '@shortlist/kit/data/db';
import { asService } from '@shortlist/kit/http/http-client';
import { createLog } from '@shortlist/kit/process/log';
import { createMetrics, type Metrics } from '@shortlist/kit/process/metrics';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { openTestService } from '@shortlist/kit/testing/open-service';
import { until } from '@shortlist/kit/testing/until';
import { createSandbox } from '@shortlist/sandbox/sandbox';
import type { Settings } from '@shortlist/sandbox/config';
import type { Stripe } from 'stripe';
import { uuidv7 } from 'uuidv7';
import { createBillingService } from '../src/app.ts';
import type { Policies } from '../src/config.ts';
import { schema } from '../src/db.ts';
import { createSetupMonitor, runChecks } from '../src/setup/setup-monitor.ts';
import type { ExpectedSetup } from '../src/setup/setup.rules.ts';
import { type CheckoutOptions, NO_OPTIONS } from '../src/stripe/checkouts.ts';
import { API_VERSION, createCallMeasure, createStripe } from '../src/stripe/client.ts';
import { createStripeGateway } from '../src/stripe/gateway.ts';
import { createAccountGateway } from '../src/stripe/set-up-account.ts';
import { StripeTime } from '../src/stripe/stripe-time.ts';
import { createSignatureCheck } from '../src/stripe/stripe-event.ts';
import { createPackSale } from '../src/packs/pack-offer.ts';
import { createOffer } from '../src/subscriptions/offer.ts';
import { findSubscriber } from '../src/subscriptions/queries.ts';
import { stateOf } from '../src/subscriptions/plan.rules.ts';
import { EVENT_TABLE } from '../src/inbox/event-table.ts';
import { createIntake } from '../src/inbox/receive-event.ts';
import type { Limits } from '../src/refresh/refresh-subscriber.ts';
import type { TrialPolicy } from '../src/trials/offered-trial.ts';
import { createTrialKeys } from '../src/trials/trial-keys.ts';

export const START = new Date('2026-03-01T12:00:00.000Z');
const SECRET = 'whsec_the_new_one';
export const OLD_SECRET = 'whsec_the_one_before';
export const GOOD_CARD = '4242424242424242';
/** Accepted for the first payment, declined at renewal. */
export const LATER_BAD_CARD = '4000000000000341';
/** The configured price. */
export const PRICE = { amount: 5_900, currency: 'usd' };
/** The configured price of a year. */
export const YEAR = { amount: 59_000, currency: 'usd' };
export const PACK = { credits: 250, amount: 1_900, currency: 'usd' };
export const KEY = 'sk_test_of_the_sandbox';

export const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
export const codeOf = ({ code }: { code: string }): string => code;

export const signed = (body: string, { secret = SECRET, at }: { secret?: string; at: Date }): string => {
  const t = Math.floor(at.getTime() / 1_000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
};

const openSandbox = async (clock: () => number, settings: Partial<Settings>) => {
  const sandbox = createSandbox({
    config: {
      port: 0,
      host: '127.0.0.1',
      publicUrl: null,
      webhookUrl: 'http://127.0.0.1:9/unused',
      webhookSecret: SECRET,
      stripeSecretKey: KEY,
      mailApiKey: 'SG.none',
      stateFile: null,
      settings,
    },
    clock,
  });
  const { url, close } = await sandbox.listen();
  const control = async <T>(method: string, path: string, body: unknown = {}): Promise<T> => {
    const response = await fetch(`${url}/_sandbox${path}`, {
      method,
      // A connection that is kept would be closed during a long reconciliation, perhaps just as the next call is sent.
      headers: { 'content-type': 'application/json', connection: 'close' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  };
  return { url, close, control };
};

/** Long, so that no test fails because its machine is slow; a test of a limit sets a short one. */
const PATIENT = { limits: { acquireMs: 60_000, statementMs: 60_000 } };
/** The defaults of the configuration. */
const POLICIES: Policies = { unpaidInvoices: 'void', latePayments: 'period', olderDisputes: 'end' };
const LIMITS: Limits = { deadlineMs: 60_000, leaseWaitMs: 60_000, quietMs: 0 };

type Options = {
  limits: Limits;
  poolSize: number;
  /** The time limit of a call to Stripe. */
  timeoutMs: number;
  /** An account without a price and without a portal configuration. */
  isNewAccount: boolean;
  checkout: Partial<CheckoutOptions>;
  policies: Partial<Policies>;
  /** Days of the trial of new subscribers. */
  trialDays: number;
  metrics: Metrics;
};
const defaults = (): Options => ({
  limits: LIMITS,
  poolSize: 10,
  timeoutMs: 60_000,
  isNewAccount: false,
  checkout: {},
  policies: {},
  trialDays: 0,
  metrics: createMetrics('billing'),
});

type Surroundings = { db: Db; clock: () => Date; stripeUrl: string };

/** The service with its parts, composed as `main.ts` does. */
const composeBilling = async ({ db, clock, stripeUrl }: Surroundings, options: Options) => {
  const { limits, timeoutMs, isNewAccount, checkout, metrics } = options;
  const log = createLog('test', 'silent');
  const time = new StripeTime(() => clock().getTime());
  const api = createStripe({
    key: KEY,
    apiBase: stripeUrl,
    limits: { timeout: timeoutMs, maxNetworkRetries: 0 },
    measure: createCallMeasure(metrics),
    time,
  });
  const account = createAccountGateway(api);
  if (!isNewAccount) {
    await account.createPrice({ brand: 'Shortlist', price: PRICE });
    await account.createPrice({ brand: 'Shortlist', price: YEAR, interval: 'year' });
    await account.createPackPrice({ brand: 'Shortlist', pack: PACK });
  }
  const stripe = createStripeGateway(api, { ...NO_OPTIONS, ...checkout }, { time });
  const policies = { ...POLICIES, ...options.policies };
  const trials: TrialPolicy = { days: options.trialDays, keys: createTrialKeys(['k'.repeat(32)]) };
  const background = { db, clock, log, stripe, limits, policies, trials };
  const intake = createIntake(background);
  const offer = createOffer({ stripe, configured: PRICE, yearly: YEAR, log, metrics });
  const packSale = createPackSale({ stripe, configured: PACK, log });
  await packSale.refresh();
  const expected: ExpectedSetup = {
    price: PRICE,
    yearly: YEAR,
    pack: PACK,
    webhookUrl: 'http://127.0.0.1:9/unused',
    eventTypes: Object.keys(EVENT_TABLE),
    apiVersion: API_VERSION,
    isPolled: false,
  };
  const setup = createSetupMonitor({ runChecks: () => runChecks(account, expected), clock, log, metrics });
  const service = createBillingService({
    ...background,
    metrics,
    publicUrl: 'https://shortlist.test',
    offer,
    packSale,
    setup,
    currency: PRICE.currency,
    live: false,
    checkSignature: createSignatureCheck(api, { secrets: [SECRET, OLD_SECRET], clock }),
    intake,
    readCalls: () => Promise.resolve({ used: 3, limit: 80 }),
    interactive: stripe,
    background: stripe,
  });
  return { service, background, api, account, offer, packSale, expected, setup, intake };
};

const asUser = (userId: string) => ({ caller: { role: 'user', userId } }) as const;
const userDetails = (userId: string) => ({ userId, email: `${userId}@people.test`, name: 'Ada Lovelace' });
const sessionIn = (address: string): string => /cs_\w+/.exec(address)?.[0] ?? '';

/** What a user does to buy: opens a checkout, pays at Stripe, and returns to the success page. */
const buyingOf = (
  call: Awaited<ReturnType<typeof openTestService>>['ask'],
  control: Awaited<ReturnType<typeof openSandbox>>['control'],
) => ({
  openCheckout: (userId: string, interval?: Interval) =>
    call(
      billingEndpoints.openCheckout,
      { ...userDetails(userId), ...(interval && { interval }) },
      asUser(userId),
    ),
  pay: (sessionId: string, card = GOOD_CARD, percentOff = 0) =>
    control<{ customer: string; subscription: string; invoice: string }>(
      'POST',
      `/checkout_sessions/${sessionId}/pay`,
      { card, percentOff },
    ),
  confirm: (userId: string, sessionId: string) =>
    call(billingEndpoints.confirmCheckout, { userId, sessionId }, asUser(userId)),
  openPackCheckout: (userId: string) =>
    call(packEndpoints.openPackCheckout, userDetails(userId), asUser(userId)),
  confirmPack: (userId: string, sessionId: string) =>
    call(packEndpoints.confirmPackCheckout, { userId, sessionId }, asUser(userId)),
});

/**
 * The billing service with an in-memory broker and a set clock; the sandbox stands in for Stripe. Webhooks are dropped until a test
 * enables them.
 */
export const openBilling = async (options: Partial<Options> = {}) => {
  const settings = { ...defaults(), ...options };
  const {
    db,
    url: databaseUrl,
    drop,
  } = await createTestDb({ ...schema, ...PATIENT, poolSize: settings.poolSize });
  let now = START.getTime();
  const clock = (): Date => new Date(now);
  const sandbox = await openSandbox(() => now, { portalConfigured: !settings.isNewAccount });
  const composed = await composeBilling({ db, clock, stripeUrl: sandbox.url }, settings);
  const { service, background, api, intake, ...parts } = composed;
  const opened = await openTestService(service, { db, clock });
  const { ask: call, bus, url } = opened;
  await sandbox.control('PUT', '/webhooks', { url: `${url}${STRIPE_WEBHOOK_PATH}`, drop: true });
  const asAdmin = { caller: { role: 'admin', userId: uuidv7() } } as const;
  const buying = buyingOf(call, sandbox.control);

  const publish = async <Data>(type: EventType<Data>, subject: string, data: Data): Promise<void> => {
    const event = eventOf(type, subject, data, { time: clock().toISOString() });
    await bus.publish(type.topic, [{ key: subject, value: JSON.stringify(event) }]);
    await until('the event to be consumed', async () => {
      const rows: unknown[] = await db.query('SELECT 1 FROM inbox WHERE event_id = ?', [event.id]);
      return rows.length > 0;
    });
  };

  const eventsAbout = async (userId: string): Promise<{ type: string; data: unknown }[]> => {
    await until('an empty outbox', async () => {
      const sql = 'SELECT 1 FROM outbox WHERE message_key = ? AND published_at IS NULL';
      return (await db.query<unknown[]>(sql, [userId])).length === 0;
    });
    return bus
      .published('billing.events')
      .filter(({ key }) => key === userId)
      .map(({ value }) => JSON.parse(value) as { type: string; data: unknown });
  };

  /** Moves the clock, the due times of stored events and Stripe's clock, which runs its due tasks. */
  const advance = async (ms: number): Promise<void> => {
    now += ms;
    await db.query('UPDATE stripe_events SET due_at = due_at - INTERVAL ? MICROSECOND', [ms * 1_000]);
    await sandbox.control('POST', '/clock/advance', { seconds: 0 });
  };
  return {
    ...opened,
    databaseUrl,
    call,
    ...background,
    ...parts,
    metrics: settings.metrics,
    api,
    sandbox,
    intake,
    asUser,
    asAdmin,
    publish,
    ...buying,
    sessionIn,
    close: async () => {
      await opened.stop();
      await intake.stop();
      await sandbox.close();
      await drop();
    },
    /** Waits until nobody reads the user from Stripe, or waits for the lease to do so, which takes longer than a pause between two tries. */
    untilUnread: async (userId: string): Promise<void> => {
      let free = 0;
      await until('all reads to end', async () => {
        const [row] = await db.query<{ lease_owner: string | null }[]>(
          'SELECT lease_owner FROM subscribers WHERE user_id = ?',
          [userId],
        );
        free = row?.lease_owner ? 0 : free + 1;
        await sleep(30);
        return free === 4;
      });
    },
    advance,
    setTime: (to: Date): void => void (now = to.getTime()),
    register: async (userId: string = uuidv7()): Promise<string> => {
      const data: UserRegistered = {
        email: `${userId}@people.test`,
        ...exampleProfile({ firstName: 'Ada', lastName: 'Lovelace' }),
        picture: null,
        createdAt: START.toISOString(),
      };
      await publish(userRegistered, userId, data);
      return userId;
    },
    remove: (userId: string) => publish(userDeleted, userId, { by: 'admin', generation: 1 }),
    /** A user who paid once and returned to the success page, without webhooks. */
    subscribe: async (userId: string = uuidv7(), card = GOOD_CARD, interval?: Interval) => {
      const sessionId = sessionIn((await buying.openCheckout(userId, interval)).url);
      const paid = await buying.pay(sessionId, card);
      await buying.confirm(userId, sessionId);
      return { userId, sessionId, ...paid };
    },
    openPortal: (userId: string, customerId: string) =>
      call(billingEndpoints.openPortal, { userId, customerId }, asUser(userId)),
    read: (userId: string) => call(billingEndpoints.getSubscription, { userId }, asUser(userId)),
    stateOf: async (userId: string) => {
      const row = await findSubscriber(db.manager, userId);
      if (row === null) throw new Error('no such subscriber');
      // What the row remembers of its last read is not part of the state.
      const { readAt: _, ownRequests: __, ...columns } = row;
      return { ...stateOf(row), plan: planAt(stateOf(row), clock()).plan, row: columns };
    },
    grant: (userId: string, input: GrantInput & { grantId?: string } = {}) =>
      call(billingEndpoints.grantPlan, { ...userDetails(userId), ...input }, asAdmin),
    revoke: (userId: string, input: UnsubscribeInput = {}) =>
      call(billingEndpoints.revokePlan, { userId, ...input }, asAdmin),
    endDuePlans: () => call(billingEndpoints.endDuePlans, {}, asService()),
    warnOfCards: () => call(billingEndpoints.warnOfCards, {}, asService()),
    reconcile: () => call(billingEndpoints.reconcile, {}, asService()),
    /** Lets time pass until then, and reconciles. */
    reconcileAt: async (time: Date): Promise<void> => {
      await advance(time.getTime() - clock().getTime());
      await call(billingEndpoints.reconcile, {}, asService());
    },
    /** What the customer has paid, the oldest invoice first. */
    paidOf: async (customer: string): Promise<number[]> =>
      (await api.invoices.list({ customer })).data.map(({ amount_paid: amount }) => amount).toReversed(),
    /** The movements of the user's MRR in their order, such as `new 5900`. */
    mrrOf: async (userId: string): Promise<string[]> => {
      const rows = await db.query<{ kind: string; amount: number }[]>(
        "SELECT kind, amount FROM revenue_movements WHERE user_id = ? AND source = '' ORDER BY moved_at, movement_id",
        [userId],
      );
      return rows.map(({ kind, amount }) => `${kind} ${amount}`);
    },
    retryInbox: () => call(billingEndpoints.retryInbox, {}, asService()),
    /** The names of the events about a user, in the order in which they were written. */
    emitted: async (userId: string): Promise<string[]> =>
      (await eventsAbout(userId)).map(({ type }) => type.split('.')[1] ?? ''),
    /** The data of a user's events of one type. */
    emittedData: async <Data>(userId: string, { type }: EventType<Data>): Promise<Data[]> =>
      (await eventsAbout(userId)).filter((event) => event.type === type).map(({ data }) => data as Data),
    inbox: (customerId: string): Promise<{ event_id: string; type: string; status: string }[]> =>
      db.query('SELECT event_id, type, status FROM stripe_events WHERE customer_id = ?', [customerId]),
    eventsOf: async (customer: string): Promise<Stripe.Event[]> => {
      const { data } = await api.events.list({ limit: 100 });
      return data
        .filter(({ data: { object } }) => (object as { customer?: string }).customer === customer)
        .toReversed();
    },
    /** Delivers an event as Stripe does. */
    deliver: (event: object, header?: string): Promise<Response> => {
      const body = JSON.stringify(event);
      return fetch(`${url}${STRIPE_WEBHOOK_PATH}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'stripe-signature': header ?? signed(body, { at: clock() }),
        },
        body,
      });
    },
  };
};

export type Billing = Awaited<ReturnType<typeof openBilling>>;

type StripeEvent = { id: string; data: { object: object } } & Record<string, unknown>;

/** An event that the sandbox did not emit. */
export const unknownEvent = (type: string, object: object, more: object = {}): StripeEvent => ({
  id: `evt_${randomUUID().replaceAll('-', '')}`,
  object: 'event',
  api_version: '2026-10-28.endive',
  created: Math.floor(START.getTime() / 1_000),
  data: { object },
  livemode: false,
  pending_webhooks: 1,
  request: null,
  type,
  ...more,
});
