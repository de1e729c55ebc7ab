import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { migration } from '../src/data/migration.ts';
import type { RunningConsumer } from '../src/messaging/bus.ts';
import { startConsumer } from '../src/messaging/consumer.ts';
import { deadLetterTopic, listDeadLetters, replayDeadLetters } from '../src/messaging/dead-letters.ts';
import { onOnce } from '../src/messaging/inbox.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { createOutboxAndInbox, createTestDb } from '../src/testing/databases.ts';
import { createMemoryBus, type MemoryBus } from '../src/testing/memory-bus.ts';
import { until } from '../src/testing/until.ts';
import { clock, ID, noted, noteEvent, silent } from './notes-table.ts';

const notes = migration('CreateNotes1700000000000', [
  'CREATE TABLE IF NOT EXISTS notes (text VARCHAR(50) NOT NULL)',
]);
const { db, drop } = await createTestDb({ entities: [], migrations: [createOutboxAndInbox, notes] });
afterAll(drop);

let bus: MemoryBus;
let runningConsumer: RunningConsumer;
/** Texts for which the effect fails. */
let indigestible: Set<string>;

beforeEach(async () => {
  bus = createMemoryBus();
  indigestible = new Set(['poison']);
  await db.query('DELETE FROM notes');
  const handler = onOnce({ db, consumer: 'test', clock })(noted, async (tx, { data }) => {
    if (indigestible.has(data.text)) throw new Error('cannot digest');
    await tx.query('INSERT INTO notes (text) VALUES (?)', [data.text]);
  });
  const parts = { bus, consumer: 'test', handlers: [handler], log: silent, metrics: createMetrics('test') };
  runningConsumer = await startConsumer({ ...parts, retryMs: 1 });
});
afterEach(() => runningConsumer.stop());

const say = (value: unknown): Promise<void> =>
  bus.publish(noted.topic, [{ key: ID, value: typeof value === 'string' ? value : JSON.stringify(value) }]);
const written = async (): Promise<string[]> => {
  const rows: { text: string }[] = await db.query('SELECT text FROM notes');
  return rows.map(({ text }) => text);
};
const writtenAre = (...texts: string[]): Promise<void> =>
  until(texts.join(), async () => JSON.stringify(await written()) === JSON.stringify(texts));
const deadLettered = (count: number): Promise<void> =>
  until(`${count} dead letters`, () => bus.published(deadLetterTopic('test')).length === count);

it('H5 a dead letter is listed with its cause, and its replay after the fix has one effect', async () => {
  const poison = noteEvent('poison');
  await say(poison);
  await say(noteEvent('after'));
  await writtenAre('after');
  expect(await listDeadLetters(bus, 'test')).toMatchObject([
    { id: poison.id, cause: 'cannot digest', type: noted.type, subject: ID, time: poison.time },
  ]);

  indigestible.clear();
  expect(await replayDeadLetters(bus, 'test', poison.id)).toHaveLength(1);
  await writtenAre('after', 'poison');
  expect(await listDeadLetters(bus, 'test')).toEqual([]);
  expect(await replayDeadLetters(bus, 'test', poison.id)).toEqual([]);
  await say(poison);
  await say(noteEvent('last'));
  await writtenAre('after', 'poison', 'last');
});

it('H5 an event that fails again after its replay is dead-lettered and listed again', async () => {
  await say(noteEvent('poison'));
  await deadLettered(1);
  await replayDeadLetters(bus, 'test', 'all');
  await deadLettered(3); // the dead letter, the record of its replay, the second dead letter
  expect(await listDeadLetters(bus, 'test')).toHaveLength(1);
  indigestible.clear();
  await replayDeadLetters(bus, 'test', 'all');
  await writtenAre('poison');
  expect(await listDeadLetters(bus, 'test')).toEqual([]);
});

it('H5 an invalid message is identified by its original position', async () => {
  await say('{ not json');
  await deadLettered(1);
  expect(await listDeadLetters(bus, 'test')).toMatchObject([
    { id: `${noted.topic}:0:0`, cause: 'not JSON', type: 'unreadable', subject: ID },
  ]);
  expect(await replayDeadLetters(bus, 'test', 'something else')).toEqual([]);
});
