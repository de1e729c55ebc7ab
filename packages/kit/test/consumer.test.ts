import type { CloudEvent } from '@shortlist/contracts/events/define';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import type { Tx } from '../src/data/db.ts';
import { migration } from '../src/data/migration.ts';
import type { Bus, RunningConsumer } from '../src/messaging/bus.ts';
import { startConsumer } from '../src/messaging/consumer.ts';
import { deadLetterTopic } from '../src/messaging/dead-letters.ts';
import { on, onNotice } from '../src/messaging/handle-batch.ts';
import { handleOnce, onOnce } from '../src/messaging/inbox.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { createOutboxAndInbox, createTestDb } from '../src/testing/databases.ts';
import { createMemoryBus, type MemoryBus } from '../src/testing/memory-bus.ts';
import { until } from '../src/testing/until.ts';
import { clock, ID, noted, type Noted, noteEvent, silent } from './notes-table.ts';

const notes = migration('CreateNotes1700000000000', [
  'CREATE TABLE IF NOT EXISTS notes (text VARCHAR(50) NOT NULL)',
]);
const { db, drop } = await createTestDb({ entities: [], migrations: [createOutboxAndInbox, notes] });
afterAll(drop);

const once = { db, consumer: 'test', clock };
let bus: MemoryBus;
let runningConsumer: RunningConsumer | null = null;

beforeEach(async () => {
  bus = createMemoryBus();
  await db.query('DELETE FROM notes');
  await db.query('DELETE FROM inbox');
});
afterEach(async () => {
  await runningConsumer?.stop();
  runningConsumer = null;
});

type Effect = (tx: Tx, event: CloudEvent<Noted>) => Promise<void>;
const write: Effect = async (tx, { data }) =>
  void (await tx.query('INSERT INTO notes (text) VALUES (?)', [data.text]));

type More = Partial<Parameters<typeof startConsumer>[0]>;
const start = async (handler: ReturnType<typeof on>, more: More = {}): Promise<void> => {
  const parts = { bus, consumer: 'test', handlers: [handler], log: silent, metrics: createMetrics('test') };
  runningConsumer = await startConsumer({ ...parts, retryMs: 1, ...more });
};
const say = (value: unknown): Promise<void> =>
  bus.publish(noted.topic, [{ key: ID, value: typeof value === 'string' ? value : JSON.stringify(value) }]);
const written = async (): Promise<string[]> => {
  const rows: { text: string }[] = await db.query('SELECT text FROM notes');
  return rows.map(({ text }) => text);
};
const writtenAre = (...texts: string[]): Promise<void> =>
  until(texts.join(), async () => JSON.stringify(await written()) === JSON.stringify(texts));
const deadLettered = () => bus.published(deadLetterTopic('test'));

it('H4 X9 an event that is delivered ten times, as after a lost offset, has one effect', async () => {
  const event = noteEvent('a');
  await start(onOnce(once)(noted, write));
  for (let time = 0; time < 10; time += 1) await say(event);
  await say(noteEvent('b'));
  await writtenAre('a', 'b');
  expect(deadLettered()).toEqual([]);
});

it('H4 an event that is handled ten times concurrently has one effect, and one call returns true', async () => {
  const event = noteEvent('a');
  const answers = await Promise.all(Array.from({ length: 10 }, () => handleOnce(once, event, write)));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(await written()).toEqual(['a']);
});

it('H4 another consumer of the same database handles the event too', async () => {
  const event = noteEvent('a');
  expect(await handleOnce(once, event, write)).toBe(true);
  expect(await handleOnce({ ...once, consumer: 'other' }, event, write)).toBe(true);
});

it.each<[string, Effect]>([
  ['H4 an effect that fails', () => Promise.reject(new Error('half way'))],
  ['X8 a process that dies before the commit', (tx) => tx.query('KILL CONNECTION_ID()')],
])('%s leaves neither the effect nor the inbox row', async (_, end) => {
  const event = noteEvent('a');
  const failing: Effect = async (tx, event) => {
    await write(tx, event);
    await end(tx, event);
  };
  await expect(handleOnce(once, event, failing)).rejects.toThrow();
  expect(await written()).toEqual([]);
  expect(await db.query('SELECT * FROM inbox')).toEqual([]);
  expect(await handleOnce(once, event, write)).toBe(true);
});

it('H4 a duplicate key in the effect is an error, not a repeated event', async () => {
  const clash: Effect = async (tx, event) => {
    const row = 'INSERT INTO inbox (consumer, event_id, handled_at) VALUES (?, ?, ?)';
    for (let time = 0; time < 2; time += 1) await tx.query(row, ['clash', event.id, clock()]);
  };
  await expect(handleOnce(once, noteEvent('a'), clash)).rejects.toThrow(/Duplicate/);
});

it('H5 an invalid message is dead-lettered at once with its cause, and consumption continues', async () => {
  await start(onOnce(once)(noted, write));
  await say('{ not json');
  await say({ hello: 'world' });
  await say({ ...noteEvent('x'), data: { text: 5 } });
  await say(noteEvent('after'));
  await writtenAre('after');
  expect(deadLettered().map(({ headers }) => headers?.['cause'])).toEqual([
    'not JSON',
    'not a CloudEvent',
    '"text" must be a string',
  ]);
  expect(deadLettered()[0]).toMatchObject({
    key: ID,
    value: '{ not json',
    headers: { topic: noted.topic, offset: '0' },
  });
});

it('H5 an event that keeps failing is dead-lettered after five attempts, and consumption continues', async () => {
  let tries = 0;
  await start(
    onOnce(once)(noted, async (tx, event) => {
      if (event.data.text !== 'poison') return write(tx, event);
      tries += 1;
      throw new Error('cannot digest');
    }),
  );
  await say(noteEvent('poison'));
  await say(noteEvent('after'));
  await writtenAre('after');
  expect(tries).toBe(5);
  expect(deadLettered().map(({ headers }) => headers?.['cause'])).toEqual(['cannot digest']);
});

it('H5 an event that fails and then succeeds is not dead-lettered', async () => {
  let tries = 0;
  await start(
    onOnce(once)(noted, async (tx, event) => {
      tries += 1;
      if (tries < 3) throw new Error('not yet');
      await write(tx, event);
    }),
  );
  await say(noteEvent('a'));
  await writtenAre('a');
  expect(deadLettered()).toEqual([]);
});

it('H5 while a dependency is unavailable, an event is retried beyond the limit and not dead-lettered', async () => {
  let tries = 0;
  await start(
    on(noted, async (event) => {
      tries += 1;
      if (tries <= 8) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
      await write(db.manager, event);
    }),
  );
  await say(noteEvent('a'));
  await writtenAre('a');
  expect(tries).toBe(9);
  expect(deadLettered()).toEqual([]);
});

it('H6 an event without a handler is skipped', async () => {
  await start(onOnce(once)(noted, write));
  await say(noteEvent('x', { type: 'identity.Noted.v0' }));
  await say(noteEvent('x', { type: 'identity.NotedTwice.v2' }));
  await say(noteEvent('a'));
  await writtenAre('a');
  expect(deadLettered()).toEqual([]);
});

it('H6 a process that takes notice of events does so of newer versions', async () => {
  const noticed: string[] = [];
  await start(onNotice(noted, (subject) => void noticed.push(subject)));
  await say({ ...noteEvent('x', { type: 'identity.Noted.v2' }), data: { body: 1 } });
  await until('the event', () => noticed.length === 1);
  expect(noticed).toEqual([ID]);
  expect(deadLettered()).toEqual([]);
});

it('H6 unknown fields are dropped', async () => {
  const seen: unknown[] = [];
  await start(on(noted, ({ data }) => Promise.resolve(void seen.push(data))));
  await say({ ...noteEvent('a'), data: { text: 'a', more: true } });
  await until('the event', () => seen.length === 1);
  expect(seen).toEqual([{ text: 'a' }]);
});

it('H5 an effect that never ends times out, is retried and dead-lettered, and consumption continues', async () => {
  const stuck = on(noted, async (event) => {
    if (event.data.text === 'stuck') await new Promise(() => undefined);
    await write(db.manager, event);
  });
  await start(stuck, { effectTimeoutMs: 50 });
  await say(noteEvent('stuck'));
  await say(noteEvent('after'));
  await writtenAre('after');
  expect(deadLettered().map(({ headers }) => headers?.['cause'])).toEqual(['handler timed out after 0.05 s']);
});

const taken = Object.assign(new Error('The group is rebalancing'), { type: 'REBALANCE_IN_PROGRESS' });

/** Starts a consumer, and returns what it does with one message. */
const startForOne = async (handler: ReturnType<typeof on>) => {
  const registered = Promise.withResolvers<Parameters<Bus['consume']>[0]['onMessage']>();
  const consume: Bus['consume'] = ({ onMessage }) => {
    registered.resolve(onMessage);
    return Promise.resolve({ healthy: () => true, stop: () => Promise.resolve() });
  };
  await start(handler, { bus: { ...bus, consume } });
  const onMessage = await registered.promise;
  return (event: CloudEvent<Noted>, heartbeat: () => Promise<void>): Promise<void> => {
    const message = { topic: noted.topic, partition: 0, offset: '0', key: ID, value: JSON.stringify(event) };
    return onMessage(message, heartbeat);
  };
};

it('H8 a message in progress when its partition is reassigned is left to the new owner', async () => {
  const receive = await startForOne(on(noted, () => Promise.reject(new Error('not yet'))));
  await expect(receive(noteEvent('a'), () => Promise.reject(taken))).rejects.toBe(taken);
  expect(deadLettered()).toEqual([]);
});

it('H6 an event of a newer version than its handler waits for a process that knows it', async () => {
  let heartbeats = 0;
  const receive = await startForOne(onOnce(once)(noted, write));
  const untilTaken = (): Promise<void> =>
    (heartbeats += 1) > 50 ? Promise.reject(taken) : Promise.resolve();
  const newer = noteEvent('a', { type: 'identity.Noted.v2' });
  await expect(receive(newer, untilTaken)).rejects.toBe(taken);
  expect(heartbeats).toBe(51);
  expect(deadLettered()).toEqual([]);
  expect(await written()).toEqual([]);
});
