import { creditPackChanged } from '@shortlist/contracts/events/billing';
import { minutes } from '@shortlist/contracts/durations';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { keepRows } from '@shortlist/kit/testing/databases';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, it } from 'vitest';
import { restoreLedger } from '../src/restore/restore-ledger.ts';
import { type Credits, newUser, openCheckedCredits, packOf, period, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCheckedCredits();
});

const TABLES = [
  ...['accounts', 'free_cycles', 'credit_buckets', 'ledger', 'ledger_parts', 'reservations', 'contacts'],
  ...['daily_uses', 'exhausted_windows', 'audit_log', 'inbox', 'outbox'],
];

const untilPublished = (): Promise<void> =>
  until('every event to be published', async () => {
    const [row] = await credits.db.query<{ count: string }[]>(
      'SELECT COUNT(*) AS count FROM outbox WHERE published_at IS NULL',
    );
    return Number(row?.count) === 0;
  });

const restore = async (): Promise<string[]> => {
  const lines: string[] = [];
  const { db, clock, bus } = credits;
  await restoreLedger({ db, clock, bus, since: new Date(0), print: (line) => lines.push(line) });
  return lines;
};

/** What users see of the ledger; a return that expired is brought back as a release. */
const readLedger = async (): Promise<unknown[]> =>
  credits.db.query(
    `SELECT user_id, IF(amount > 0, 'return', operation_id) AS operation, amount, added, requested_amount, reference, client_id
     FROM ledger ORDER BY user_id, operation, amount, added, requested_amount`,
  );

const readBuckets = async (): Promise<unknown[]> =>
  credits.db.query(
    'SELECT user_id, kind, source_key, credit_limit, usable, used, starts_at, ends_at FROM credit_buckets ORDER BY user_id, source_key',
  );

it('charges, returns and grants that were lost are in the ledger again, each once', async () => {
  const [known, late, paying, tool] = [newUser(), newUser(), newUser(), uuidv7()];
  await credits.charge(known);
  const paid = period('in_paying', START);
  await credits.publish(credits.paidEvent(paying, { version: 1, paid, granted: null }));
  const open = await credits.reserve(known);
  await untilPublished();
  const setBack = await keepRows(credits.db, TABLES);

  credits.time.advance(minutes(1));
  await credits.charge(known, uuidv7(), {
    reason: 'email_found',
    amount: 2,
    reference: 'ada@people.test',
    clientId: tool,
  });
  await credits.commit(known, open.id, { amount: 1 });
  const grantId = await credits.grant(known, { credits: 30, days: 3 });
  await credits.charge(known, uuidv7(), { reason: 'message_composed', amount: 25 });
  const taken = await credits.grant(late, { credits: 5, days: 3 });
  await credits.revoke(late, taken);
  const pack = packOf({ packId: uuidv7() });
  await credits.publish(eventOf(creditPackChanged, late, pack));
  await credits.charge(late, uuidv7(), { reason: 'email_found', amount: 21 });
  const [released, partly, wholly] = [
    await credits.reserve(late, uuidv7(), { amount: 3 }),
    await credits.reserve(late, uuidv7(), { amount: 3 }),
    await credits.reserve(late, uuidv7(), { amount: 3, holdSeconds: 60 }),
  ];
  await credits.release(late, released.id);
  await credits.commit(late, partly.id, { amount: 1 });
  await credits.commit(late, wholly.id);
  await credits.charge(paying, uuidv7(), { reason: 'email_found', amount: 100 });
  const refunded = { ...paid, withdrawn: { month: 0, credits: 250 } };
  await credits.publish(credits.paidEvent(paying, { version: 2, paid: refunded, granted: null }));
  credits.time.advance(minutes(10));
  await credits.charge(known);
  await untilPublished();
  const [ledger, buckets] = [await readLedger(), await readBuckets()];

  await setBack();
  expect(await readLedger()).toHaveLength(2);
  const report = await restore();

  expect(await readLedger()).toEqual(ledger);
  expect(await readBuckets()).toEqual(buckets);
  expect(await credits.view(paying)).toMatchObject({ used: 100, limit: 250, available: 150 });
  expect(report).toContainEqual(expect.stringMatching(`^${known}.*grant ${grantId} of 30$`));
  expect(await credits.release(late, wholly.id), 'a full commit has no event').toBe(
    'credits.reservation_ended',
  );
  const again = { reason: 'email_found', amount: 2, reference: 'ada@people.test' } as const;
  expect(await credits.charge(known, uuidv7(), again)).toMatchObject({ charged: 0 });
  expect((await restore()).at(-3), 'a repeated run changes nothing').toMatch(/^0 of \d+ charges/);
});

it('a charge whose event does not state it is printed as lost', async () => {
  const userId = newUser();
  const window = { plan: 'free', limit: 20, used: 1, windowStart: '2026-03-01T12:00:00.000Z' };
  const data = { ...window, windowEnd: '2026-03-31T12:00:00.000Z' };
  const event = { ...eventOf(creditPackChanged, userId, packOf()), type: 'credits.CreditsSpent.v1', data };
  const recent = { ...event, time: credits.clock().toISOString() };
  await credits.bus.publish('credits.charges', [{ key: userId, value: JSON.stringify(recent) }]);
  expect(await restore()).toContainEqual(expect.stringMatching(`^${userId}.*cannot be brought back`));
});
