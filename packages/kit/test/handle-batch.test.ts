import type { CloudEvent } from '@shortlist/contracts/events/define';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Tx } from '../src/data/db.ts';
import { migration } from '../src/data/migration.ts';
import { startConsumer } from '../src/messaging/consumer.ts';
import { deadLetterTopic } from '../src/messaging/dead-letters.ts';
import { type EventHandler, on, onNotice } from '../src/messaging/handle-batch.ts';
import { handleOnce, onOnce } from '../src/messaging/inbox.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { createOutboxAndInbox, createTestDb } from '../src/testing/databases.ts';
import { createMemoryBus, type MemoryBus } from '../src/testing/memory-bus.ts';
import { until } from '../src/testing/until.ts';
import { clock, ID, noted, type Noted, noteEvent, silent } from './notes-table.ts';

const notes = migration('CreateNotes1700000000000', [
  'CREATE TABLE IF NOT EXISTS notes (id INT AUTO_INCREMENT PRIMARY KEY, text VARCHAR(50) NOT NULL)',
]);
const { db, drop } = await createTestDb({ entities: [], migrations: [createOutboxAndInbox, notes] });
afterAll(drop);

const once = { db, consumer: 'test', clock };
let bus: MemoryBus;
beforeEach(async () => {
  bus = createMemoryBus();
  await db.query('DELETE FROM notes');
  await db.query('DELETE FROM inbox');
});

const write = async (tx: Tx, { data }: CloudEvent<Noted>): Promise<void> => {
  await tx.query('INSERT INTO notes (text) VALUES (?)', [data.text]);
};
const written = async (): Promise<string[]> => {
  const rows: { text: string }[] = await db.query('SELECT text FROM notes ORDER BY id');
  return rows.map(({ text }) => text);
};

const texts = Array.from({ length: 50 }, (_, index) => `note ${index}`);
const events = texts.map((text) => noteEvent(text));
const say = (values: unknown[]): Promise<void> =>
  bus.publish(
    noted.topic,
    values.map((value) => ({ key: ID, value: typeof value === 'string' ? value : JSON.stringify(value) })),
  );

/** Publishes `values` before the consumer starts; resolves when the effect of `last` is there. */
const handleReady = async (handler: EventHandler, values: unknown[], last = 'note 49'): Promise<void> => {
  bus.pause();
  const parts = { bus, consumer: 'test', handlers: [handler], log: silent, metrics: createMetrics('test') };
  const runningConsumer = await startConsumer(parts);
  await say(values);
  await bus.release();
  await until(last, async () => (await written()).includes(last));
  await runningConsumer.stop();
};

/** Records in which transactions the effects ran. */
const noting = () => {
  const transactions = new Set<Tx>();
  const effect = (tx: Tx, event: CloudEvent<Noted>): Promise<void> => {
    transactions.add(tx);
    return write(tx, event);
  };
  return { transactions, effect };
};

it('H4 fetched events are handled in one transaction, in order', async () => {
  const { transactions, effect } = noting();
  await handleReady(onOnce(once)(noted, effect), events);
  expect(await written()).toEqual(texts);
  expect(transactions.size).toBe(1);
  const [inbox]: { handled: number }[] = await db.query('SELECT COUNT(*) AS handled FROM inbox');
  expect(Number(inbox?.handled)).toBe(50);
});

it('H4 an event that was already handled has no second effect, but the others take effect', async () => {
  await handleOnce(once, events[20] as CloudEvent<Noted>, () => Promise.resolve());
  await handleReady(onOnce(once)(noted, write), [...events.slice(0, 49), events[3], events[49]]);
  expect(await written()).toEqual(texts.filter((_, index) => index !== 20));
});

it('H4 when one effect fails, nothing of the batch is written and each event is handled separately', async () => {
  let failures = 0;
  const effect = async (tx: Tx, event: CloudEvent<Noted>): Promise<void> => {
    await write(tx, event);
    if (event.data.text === 'note 30' && (failures += 1) === 1) throw new Error('half way');
  };
  await handleReady(onOnce(once)(noted, effect), events);
  expect(failures).toBe(2);
  expect(await written()).toEqual(texts);
});

it('H5 an invalid message in a batch is dead-lettered with its cause, and the others take effect', async () => {
  await handleReady(onOnce(once)(noted, write), ['{ not json', ...events]);
  expect(await written()).toEqual(texts);
  const deadLettered = bus.published(deadLetterTopic('test'));
  expect(deadLettered.map(({ headers }) => headers?.['cause'])).toEqual(['not JSON']);
});

it('events without an effect on the database are handled one by one', async () => {
  const handled: string[] = [];
  const each = on(noted, async (event) => {
    handled.push(event.data.text);
    await write(db.manager, event);
  });
  await handleReady(each, events);
  expect(handled).toEqual(texts);
});

it('H6 events without a handler are skipped in a batch', async () => {
  const { transactions, effect } = noting();
  await handleReady(onOnce(once)(noted, effect), [noteEvent('x', { type: 'identity.Heard.v1' }), ...events]);
  expect(await written()).toEqual(texts);
  expect(transactions.size).toBe(1);
});

it.each([
  ['fetched together', [], 0],
  ['beside an invalid one', ['{'], 1],
])('events that a process only takes notice of are noticed in order, %s', async (_, before, dead) => {
  const subjects = texts.map((_text, index) => `user ${index}`);
  const noticed: string[] = [];
  const metrics = createMetrics('test');
  const handlers = [onNotice(noted, (subject) => void noticed.push(subject))];
  bus.pause();
  const runningConsumer = await startConsumer({ bus, consumer: 'test', handlers, log: silent, metrics });
  await say([...before, ...subjects.map((subject) => noteEvent('x', { subject }))]);
  await bus.release();
  await until('all to be noticed', () => Promise.resolve(noticed.length === subjects.length));
  await runningConsumer.stop();
  expect(noticed).toEqual(subjects);
  expect(bus.published(deadLetterTopic('test'))).toHaveLength(dead);
  expect(await metrics.text()).toMatch(/outcome="handled"\S* 50/);
});
