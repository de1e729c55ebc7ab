import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import {
  bucketEndpoints,
  type ChargeResult,
  type CommitInput,
  type CreditsBalance,
  creditsEndpoints,
  type CreditsView,
  type ReserveInput,
  type SpendInput,
} from '@shortlist/contracts/api/credits';
import { days } from '@shortlist/contracts/durations';
import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import * as billing from '@shortlist/contracts/events/billing';
import type { CreditPackChanged } from '@shortlist/contracts/events/billing';
import { type Coverage, NO_PLAN, type PlanState } from '@shortlist/contracts/plan';
import { createError } from '@shortlist/kit/process/errors';
import { createLog } from '@shortlist/kit/process/log';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { openTestService } from '@shortlist/kit/testing/open-service';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, expect } from 'vitest';
import { createCredits } from '../src/app.ts';
import { applyPack } from '../src/balance/change-bucket.ts';
import { presentCredits } from '../src/balance/present.ts';
import { findCurrentBuckets } from '../src/buckets/queries.ts';
import { createCatchUp } from '../src/charges/catch-up.ts';
import { Charges } from '../src/charges/charge-credit.ts';
import { schema } from '../src/db.ts';

export const START = new Date('2026-03-01T12:00:00.000Z');

/** Many clients share few connections: none may be refused because the machine is slow. */
const PATIENT = { limits: { acquireMs: 60_000, statementMs: 60_000 } };

/** A clock that only the test moves. */
const createTestClock = (start = START) => {
  let now = start.getTime();
  return {
    clock: () => new Date(now),
    set: (time: Date) => void (now = time.getTime()),
    advance: (ms: number) => void (now += ms),
  };
};

/** A charge with the API key of a tool. */
type Tool<Input> = Input & { clientId?: string };

const plus = (from: Date, count: number): string => new Date(from.getTime() + days(count)).toISOString();

export const period = (key: string, start: Date, length = 30): Coverage => ({
  key,
  start: start.toISOString(),
  end: plus(start, length),
  graceUntil: null,
});

const paidEvent = (userId: string, planState: PlanState) =>
  eventOf(billing.paymentSucceeded, userId, {
    invoiceId: planState.paid?.key ?? 'in_0',
    amount: 5900,
    currency: 'usd',
    paidAt: START.toISOString(),
    invoice: null,
    planState,
  });

const ADMIN = { caller: { role: 'admin', userId: uuidv7() } } as const;

/** A pack of 250 credits, paid. */
export const packOf = (change: Partial<CreditPackChanged> = {}): CreditPackChanged => ({
  packId: uuidv7(),
  version: 1,
  credits: 250,
  paidCredits: 250,
  paidAt: START.toISOString(),
  ...change,
});

/** Opens credits with an in-memory broker, a substitute for billing, and a clock that the test moves. */
export const openCredits = async ({ start = START, poolSize = 10 } = {}) => {
  const { db, drop } = await createTestDb({ ...schema, ...PATIENT, poolSize });
  const time = createTestClock(start);
  /** What billing would return: plan states, and packs; a user without an entry has none. */
  const plans = new Map<string, PlanState>();
  const soldPacks = new Map<string, CreditPackChanged[]>();
  let isBillingDown = false;
  const caughtUp: string[] = [];
  const billingClient = (endpoint: object, { userId }: { userId: string }) => {
    expect(endpoint).toBe(billingEndpoints.getCreditSources);
    if (isBillingDown) return Promise.reject(createError('service.unavailable'));
    caughtUp.push(userId);
    const packs = soldPacks.get(userId) ?? [];
    return Promise.resolve({ data: { planState: plans.get(userId) ?? NO_PLAN, packs } });
  };
  const catchUp = createCatchUp(db, billingClient as unknown as ServiceClient, time.clock);
  const parts = { db, clock: time.clock, catchUp, log: createLog('test', 'silent') };
  const metrics = createMetrics('credits');
  const opened = await openTestService(createCredits(parts, metrics), { db, clock: time.clock });
  const { bus, ask } = opened;

  /** The options of a charge by a user, in the browser or with a tool. */
  const asUser = (userId: string, key: string, clientId?: string) => ({
    caller: { role: 'user', userId, ...(clientId === undefined ? {} : { clientId }) } as const,
    headers: { 'idempotency-key': key },
  });
  const codeOf = ({ code }: { code: string }): string => code;

  const charge = (
    userId: string,
    key: string = uuidv7(),
    { clientId, ...input }: Tool<SpendInput> = { reason: 'email_found' },
  ) => ask(creditsEndpoints.spend, { userId, ...input }, asUser(userId, key, clientId));

  return {
    ...opened,
    ...parts,
    metrics,
    /** As in another process, without HTTP and with a cache of its own. */
    charges: new Charges(db, time.clock, parts.log, catchUp),
    time,
    plans,
    soldPacks,
    setBillingDown: (isDown: boolean) => void (isBillingDown = isDown),
    caughtUp,
    charge,
    close: async () => {
      await opened.stop();
      await drop();
    },
    reserve: (
      userId: string,
      key: string = uuidv7(),
      { clientId, ...more }: Partial<Tool<ReserveInput>> = {},
    ) =>
      ask(
        creditsEndpoints.reserve,
        { userId, reason: 'email_found', ...more },
        asUser(userId, key, clientId),
      ),
    commit: (userId: string, reservationId: string, more: CommitInput = {}) =>
      ask(
        creditsEndpoints.commitReservation,
        { userId, reservationId, ...more },
        { caller: { role: 'user', userId } },
      ).catch(codeOf),
    release: (userId: string, reservationId: string) =>
      ask(
        creditsEndpoints.releaseReservation,
        { userId, reservationId },
        { caller: { role: 'user', userId } },
      ).catch(codeOf),
    /** Releases expired reservations, as the worker's job does. */
    releaseExpired: (limit = 500) => ask(creditsEndpoints.releaseExpired, { limit }, asService()),
    tryCharge: (userId: string, key?: string, input?: Tool<SpendInput>): Promise<ChargeResult | string> =>
      charge(userId, key, input).catch((error: { code?: string }) => error.code ?? 'no code'),
    /** The credits as credits knows them; as billing does for a null version. */
    view: (userId: string, planVersion: number | null = 0): Promise<CreditsView> =>
      ask(
        creditsEndpoints.getCredits,
        { userId, ...(planVersion === null ? {} : { planVersion }) },
        { caller: { role: 'user', userId } },
      ),
    balance: (userId: string): Promise<CreditsBalance> =>
      ask(creditsEndpoints.getBalance, { userId }, { caller: { role: 'user', userId } }),
    publish: async <Data>(event: CloudEvent<Data>, topic = 'billing.events'): Promise<void> => {
      await bus.publish(topic, [{ key: event.subject, value: JSON.stringify(event) }]);
      await until('the event to be handled', async () => {
        const rows: unknown[] = await db.query('SELECT 1 FROM inbox WHERE event_id = ?', [event.id]);
        return rows.length > 0;
      });
    },
    paidEvent,
    /** Adds a pack, or changes it. */
    pack: async (userId: string, change: Partial<CreditPackChanged> = {}): Promise<string> => {
      const pack = packOf(change);
      await db.transaction((tx) => applyPack(tx, userId, pack, time.clock));
      return pack.packId;
    },
    /** Gives credits for so many days, today included. */
    grant: async (
      userId: string,
      input: { credits: number; days: number; grantId?: string; reason?: string },
    ): Promise<string> => {
      const { credits: count, days: length, grantId = uuidv7(), reason = 'an apology' } = input;
      const lastDay = plus(time.clock(), length - 1).slice(0, 10);
      await ask(bucketEndpoints.grantCredits, { userId, grantId, credits: count, lastDay, reason }, ADMIN);
      return grantId;
    },
    revoke: (userId: string, grantId: string) =>
      ask(bucketEndpoints.revokeCredits, { userId, grantId }, ADMIN),
    /** What is available by bucket, in the order of charging. */
    left: async (userId: string): Promise<[string, number][]> => {
      const view = await presentCredits(
        db.manager,
        await findCurrentBuckets(db.manager, userId, time.clock()),
        time.clock(),
      );
      return view.buckets.map(({ kind, available }) => [kind, available]);
    },
    /** The events of one user and type in the outbox. */
    emitted: async (type: EventType<never> | EventType<unknown> | { type: string }, userId: string) => {
      const rows: { payload: string }[] = await db.query(
        'SELECT payload FROM outbox WHERE message_key = ? ORDER BY id',
        [userId],
      );
      return rows
        .map(({ payload }) => JSON.parse(payload) as CloudEvent<Record<string, unknown>>)
        .filter((event) => event.type === type.type);
    },
    /** Moves the expiry of a reservation, or of all of a user's, back: it is compared with the database's clock, which a test cannot move. */
    ageReservations: async (id: string, seconds: number): Promise<void> => {
      await db.query(
        'UPDATE reservations SET expires_at = expires_at - INTERVAL ? SECOND WHERE id = ? OR user_id = ?',
        [seconds, id, id],
      );
    },
    windows: (userId: string): Promise<{ plan: string; used: number; source_key: string }[]> =>
      db.query(
        "SELECT plan, used, source_key FROM credit_buckets WHERE user_id = ? AND kind = 'plan' ORDER BY id",
        [userId],
      ),
  };
};

export type Credits = Awaited<ReturnType<typeof openCredits>>;

/** Opens credits for the tests of a file. When they have run, no bucket may be broken. */
export const openCheckedCredits = async (options?: Parameters<typeof openCredits>[0]): Promise<Credits> => {
  const credits = await openCredits(options);
  afterAll(async () => {
    expect(await brokenBuckets(credits.db)).toEqual([]);
    await credits.close();
  });
  return credits;
};

/**
 * The rows that violate the ledger's invariants: the use of a bucket is the sum of the entries that name it, without their parts, and of the
 * parts that name it, with what was pruned of them; it is within its credits; no entry has parts of more; and each with an amount has the sum up to it in `used_after`.
 */
export const brokenBuckets = async (db: Credits['db']): Promise<unknown[]> => {
  const entries = `SELECT l.*, l.amount - COALESCE((SELECT SUM(amount) FROM ledger_parts p WHERE p.entry_id = l.id), 0) AS of_plan
    FROM ledger l`;
  const changes = `SELECT user_id, window_id AS id, '' AS source, of_plan AS amount FROM (${entries}) AS divided
    UNION ALL SELECT user_id, 0, bucket_id, amount FROM ledger_parts`;
  const queries = [
    `SELECT b.id, b.used, b.credit_limit, b.pruned - COALESCE(SUM(c.amount), 0) AS charged FROM credit_buckets b
     LEFT JOIN (${changes}) AS c ON c.user_id = b.user_id AND (c.id = b.id OR c.source = b.source_key) GROUP BY b.id
     HAVING charged <> b.used OR b.used > b.credit_limit`,
    `SELECT * FROM (SELECT divided.id, amount, used_after,
         COALESCE(b.pruned, 0) - SUM(of_plan) OVER (PARTITION BY window_id ORDER BY divided.id) AS charged
       FROM (${entries}) AS divided LEFT JOIN credit_buckets b ON b.id = window_id) AS summed
     WHERE amount <> 0 AND used_after <> charged`,
    `SELECT id, amount, of_plan FROM (${entries}) AS divided WHERE ABS(of_plan) > ABS(amount) OR of_plan * amount < 0`,
    `SELECT id FROM credit_buckets WHERE usable > credit_limit OR (plan = 'free' AND usable <> credit_limit)`,
  ];
  const found = await Promise.all(queries.map((sql) => db.query<unknown[]>(sql)));
  return found.flat();
};

export const newUser = (): string => uuidv7();
