import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import type { CreditsAmounts, CreditsView } from '@shortlist/contracts/api/public';
import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import * as billing from '@shortlist/contracts/events/billing';
import { NO_PLAN, type Coverage, type PlanState } from '@shortlist/contracts/plan';
import type { ReserveInput, SpendInput } from '@shortlist/contracts/schemas/credits';
import { createLog } from '@shortlist/kit/process/log';
import { openTestService } from '@shortlist/kit/testing/open-service';
import { createTestDb } from '@shortlist/kit/testing/test-db';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { createCredits } from '../src/app.ts';
import { schema } from '../src/db.ts';
import { createWindowCache } from '../src/windows/hints.ts';
import { applyPlanState } from '../src/plans/apply-plan-state.ts';

export const DAY = 86_400_000;
export const START = new Date('2026-03-01T12:00:00.000Z');

/** A moment that a test moves by hand. */
const createTestClock = (start = START) => {
  let now = start.getTime();
  return {
    clock: () => new Date(now),
    set: (to: Date) => void (now = to.getTime()),
    advance: (ms: number) => void (now += ms),
  };
};

const plus = (from: Date, days: number): string => new Date(from.getTime() + days * DAY).toISOString();

export const period = (key: string, start: Date, days = 30): Coverage => ({
  key,
  start: start.toISOString(),
  end: plus(start, days),
  graceUntil: null,
});

export const eventOf = <Data>(type: EventType<Data>, subject: string, data: Data): CloudEvent<Data> => ({
  specversion: '1.0',
  id: uuidv7(),
  source: `/${type.emitter}`,
  type: type.type,
  subject,
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  traceparent: '',
  data,
});

const paidEvent = (userId: string, planState: PlanState) =>
  eventOf(billing.paymentSucceeded, userId, {
    invoiceId: planState.paid?.key ?? 'in_0',
    amount: 5900,
    currency: 'usd',
    paidAt: START.toISOString(),
    planState,
  });

/** credits with everything real but the broker, billing and the time. */
export const openCredits = async ({ start = START, poolSize = 10 } = {}) => {
  const { db, drop } = await createTestDb({ ...schema, poolSize });
  const time = createTestClock(start);
  /** What billing would answer; a person it is not told of has no plan. */
  const plans = new Map<string, PlanState>();
  const asked: string[] = [];
  const catchUp = async (userId: string): Promise<void> => {
    asked.push(userId);
    const state = plans.get(userId) ?? NO_PLAN;
    await db.transaction((tx) => applyPlanState(tx, userId, { state, clock: time.clock }));
  };
  const parts = { db, clock: time.clock, catchUp, log: createLog('test', 'silent') };
  const opened = await openTestService(createCredits(parts), { db, clock: time.clock });
  const { bus, ask } = opened;

  const spend = (userId: string, key: string = uuidv7(), input: SpendInput = { reason: 'email_found' }) =>
    ask(
      creditsEndpoints.spend,
      { userId, ...input },
      { caller: { role: 'user', userId }, headers: { 'idempotency-key': key } },
    );

  const settle = (userId: string, reservationId: string, how: 'commitReservation' | 'releaseReservation') =>
    ask(creditsEndpoints[how], { userId, reservationId }, { caller: { role: 'user', userId } }).catch(
      ({ code }: { code: string }) => code,
    );

  return {
    ...opened,
    ...parts,
    windowCache: createWindowCache(),
    time,
    plans,
    asked,
    spend,
    close: async () => {
      await opened.stop();
      await drop();
    },
    reserve: (userId: string, key: string = uuidv7(), more: Partial<ReserveInput> = {}) =>
      ask(
        creditsEndpoints.reserve,
        { userId, reason: 'email_found', ...more },
        { caller: { role: 'user', userId }, headers: { 'idempotency-key': key } },
      ),
    commit: (userId: string, id: string) => settle(userId, id, 'commitReservation'),
    release: (userId: string, id: string) => settle(userId, id, 'releaseReservation'),
    /** What the worker asks for every little while: holds that have run out are given back. */
    sweep: (limit = 500) =>
      ask(creditsEndpoints.releaseExpired, { limit }, { caller: { role: 'service', userId: null } }),
    tryCharge: (userId: string, key?: string, input?: SpendInput): Promise<CreditsAmounts | string> =>
      spend(userId, key, input).catch((error: { code?: string }) => error.code ?? 'no code'),
    view: (userId: string, planVersion?: number): Promise<CreditsView> =>
      ask(
        creditsEndpoints.getCredits,
        { userId, ...(planVersion === undefined ? {} : { planVersion }) },
        { caller: { role: 'user', userId } },
      ),
    publish: async <Data>(event: CloudEvent<Data>, topic = 'billing.events'): Promise<void> => {
      await bus.publish(topic, [{ key: event.subject, value: JSON.stringify(event) }]);
      await until('the fact to be heard', async () => {
        const rows: unknown[] = await db.query('SELECT 1 FROM inbox WHERE event_id = ?', [event.id]);
        return rows.length > 0;
      });
    },
    paidEvent,
    /** The facts of one person and type, as they were written. */
    emitted: async (type: EventType<never> | EventType<unknown> | { type: string }, userId: string) => {
      const rows: { payload: string }[] = await db.query(
        'SELECT payload FROM outbox WHERE message_key = ? ORDER BY id',
        [userId],
      );
      return rows
        .map(({ payload }) => JSON.parse(payload) as CloudEvent<Record<string, unknown>>)
        .filter((event) => event.type === type.type);
    },
    /** Lets a hold, or all of a person's, grow older: they end by the database's clock, which no test can move. */
    ageHolds: async (id: string, seconds: number): Promise<void> => {
      await db.query(
        'UPDATE reservations SET expires_at = expires_at - INTERVAL ? SECOND WHERE id = ? OR user_id = ?',
        [seconds, id, id],
      );
    },
    windows: (userId: string): Promise<{ plan: string; used: number; source_key: string }[]> =>
      db.query('SELECT plan, used, source_key FROM windows WHERE user_id = ? ORDER BY id', [userId]),
  };
};

export type Credits = Awaited<ReturnType<typeof openCredits>>;

/**
 * What must be true of every row at any time: the ledger's sum is the window's use, none is overspent, and each row of the ledger
 * that changed the balance says what it was then.
 */
export const brokenWindows = async (db: Credits['db']): Promise<unknown[]> => [
  ...(await db.query<unknown[]>(
    `SELECT w.id, w.used, w.credit_limit, -COALESCE(SUM(l.amount), 0) AS spent FROM windows w
     LEFT JOIN ledger l ON l.window_id = w.id GROUP BY w.id
     HAVING spent <> w.used OR w.used > w.credit_limit OR w.used < 0`,
  )),
  ...(await db.query<unknown[]>(
    `SELECT * FROM (SELECT id, amount, used_after, -SUM(amount) OVER (PARTITION BY window_id ORDER BY id) AS sum FROM ledger) AS rows_so_far
     WHERE amount <> 0 AND used_after <> sum`,
  )),
];

export const newUser = (): string => uuidv7();
