import { afterAll, beforeEach, expect, it } from 'vitest';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { startConsumer } from '../src/messaging/consumer.ts';
import type { Tx } from '../src/data/db.ts';
import { deadLetterTopic } from '../src/messaging/dead-letters.ts';
import { on, type EventHandler, onOnce } from '../src/messaging/event-handlers.ts';
import { handleOnce } from '../src/messaging/inbox.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { migration } from '../src/data/migration.ts';
import { createOutboxAndInbox } from '../src/testing/outbox-and-inbox.ts';
import { createMemoryBus, type MemoryBus } from '../src/testing/memory-bus.ts';
import { createTestDb } from '../src/testing/test-db.ts';
import { until } from '../src/testing/until.ts';
import { clock, eventOf, ID, noted, type Noted, silent } from './notes-table.ts';

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
const events = texts.map((text) => eventOf(text));
const say = (values: unknown[]): Promise<void> =>
  bus.publish(
    noted.topic,
    values.map((value) => ({ key: ID, value: typeof value === 'string' ? value : JSON.stringify(value) })),
  );

/** All of `values` lie ready when the consumer looks; resolves when `last` has had its effect. */
const handleReady = async (handler: EventHandler, values: unknown[], last = 'note 49'): Promise<void> => {
  bus.hold();
  const parts = { bus, consumer: 'test', handlers: [handler], log: silent, metrics: createMetrics('test') };
  const runningConsumer = await startConsumer(parts);
  await say(values);
  await bus.release();
  await until(last, async () => (await written()).includes(last));
  await runningConsumer.stop();
};

/** Notes in which transactions the effects ran. */
const noting = () => {
  const transactions = new Set<Tx>();
  const effect = (tx: Tx, event: CloudEvent<Noted>): Promise<void> => {
    transactions.add(tx);
    return write(tx, event);
  };
  return { transactions, effect };
};

it('H4 facts that lie ready are heard in one transaction, in order', async () => {
  const { transactions, effect } = noting();
  await handleReady(onOnce(once)(noted, effect), events);
  expect(await written()).toEqual(texts);
  expect(transactions.size).toBe(1);
  const [inbox]: { heard: number }[] = await db.query('SELECT COUNT(*) AS heard FROM inbox');
  expect(Number(inbox?.heard)).toBe(50);
});

it('H4 one that was heard before does not have its effect again, nor keep the others from theirs', async () => {
  await handleOnce(once, events[20] as CloudEvent<Noted>, () => Promise.resolve());
  await handleReady(onOnce(once)(noted, write), [...events.slice(0, 49), events[3], events[49]]);
  expect(await written()).toEqual(texts.filter((_, index) => index !== 20));
});

it('H4 when one fails, nothing of the run is written, and each is then heard by itself', async () => {
  let failures = 0;
  const effect = async (tx: Tx, event: CloudEvent<Noted>): Promise<void> => {
    await write(tx, event);
    if (event.data.text === 'note 30' && (failures += 1) === 1) throw new Error('half way');
  };
  await handleReady(onOnce(once)(noted, effect), events);
  expect(failures).toBe(2);
  expect(await written()).toEqual(texts);
});

it('H5 poison in a run is parked with its cause, and the rest has its effect', async () => {
  await handleReady(onOnce(once)(noted, write), ['{ not json', ...events]);
  expect(await written()).toEqual(texts);
  const deadLettered = bus.published(deadLetterTopic('test'));
  expect(deadLettered.map(({ headers }) => headers?.['cause'])).toEqual(['not JSON']);
});

it('an effect that is not of the database is heard for each fact by itself', async () => {
  const heard: string[] = [];
  const each = on(noted, async (event) => {
    heard.push(event.data.text);
    await write(db.manager, event);
  });
  await handleReady(each, events);
  expect(heard).toEqual(texts);
});

it('H6 what nobody here hears is passed over in a run', async () => {
  const { transactions, effect } = noting();
  await handleReady(onOnce(once)(noted, effect), [eventOf('x', { type: 'identity.Noted.v2' }), ...events]);
  expect(await written()).toEqual(texts);
  expect(transactions.size).toBe(1);
});
