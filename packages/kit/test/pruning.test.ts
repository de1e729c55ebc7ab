import { afterAll, expect, it } from 'vitest';
import { days } from '@shortlist/contracts/durations';
import { endedRights } from '../src/data/rights.ts';
import { startPruning } from '../src/messaging/pruning.ts';
import { countStatements, createOutboxAndInbox, createTestDb } from '../src/testing/databases.ts';
import { until } from '../src/testing/until.ts';
import { clock, silent } from './notes-table.ts';

const { db, drop } = await createTestDb({ entities: [], migrations: [createOutboxAndInbox, endedRights] });
afterAll(drop);

it('pruning keeps published events for a week, inbox rows for a month, and unpublished events without limit', async () => {
  const daysAgo = (count: number): Date => new Date(Date.now() - days(count));
  const sent =
    'INSERT INTO outbox (event_id, topic, message_key, payload, created_at, published_at) VALUES (?, ?, ?, ?, ?, ?)';
  await db.query(sent, ['old', 't', 'k', '{}', daysAgo(8), daysAgo(8)]);
  await db.query(sent, ['new', 't', 'k', '{}', daysAgo(6), daysAgo(6)]);
  await db.query(sent, ['unsent', 't', 'k', '{}', daysAgo(40), null]);
  const inbox = "INSERT INTO inbox (consumer, event_id, handled_at) VALUES ('test', ?, ?)";
  const old = Array.from({ length: 2_500 }, (_, index) => ['test', `old ${index}`, daysAgo(31)]);
  await db.query('INSERT INTO inbox (consumer, event_id, handled_at) VALUES ?', [old]);
  await db.query(inbox, ['new', daysAgo(29)]);
  const ids = async (table: string): Promise<string[]> => {
    const rows: { event_id: string }[] = await db.query(`SELECT event_id FROM ${table}`);
    return rows.map((row) => row.event_id);
  };
  const pruning = startPruning({ db, clock, log: silent });
  await until('pruning', async () => (await ids('inbox')).length === 1);
  expect((await ids('outbox')).toSorted()).toEqual(['new', 'unsent']);
  expect(await ids('inbox')).toEqual(['new']);
  await pruning.stop();
});

it('a count of statements leaves out what else runs meanwhile on the same connections', async () => {
  const started = Promise.withResolvers<undefined>();
  const statement = () => db.query('SELECT 1');
  const background = started.promise.then(statement);
  const work = async (): Promise<void> => {
    started.resolve(undefined);
    await background;
    await statement();
  };
  expect(await countStatements(db, work)).toBe(1);
});
