import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import type { Fact } from '@shortlist/contracts/events/define';
import type { Bus, Consumption } from '../src/bus.ts';
import { startConsumer } from '../src/consumer.ts';
import { hear, hearOnce } from '../src/hearings.ts';
import type { Tx } from '../src/db.ts';
import { deadLetterTopic } from '../src/dead-letters.ts';
import { handleOnce } from '../src/inbox.ts';
import { createMetrics } from '../src/metrics.ts';
import { createOutboxAndInbox, migration } from '../src/migration.ts';
import { createMemoryBus, type MemoryBus } from '../src/testing/memory-bus.ts';
import { createTestDb } from '../src/testing/test-db.ts';
import { until } from '../src/testing/until.ts';
import { clock, factOf, ID, noted, type Noted, silent } from './notes.ts';

const notes = migration('CreateNotes1700000000000', [
  'CREATE TABLE IF NOT EXISTS notes (text VARCHAR(50) NOT NULL)',
]);
const { db, drop } = await createTestDb({ entities: [], migrations: [createOutboxAndInbox, notes] });
afterAll(drop);

const once = { db, hearer: 'test', clock };
let bus: MemoryBus;
let consumption: Consumption | null = null;

beforeEach(async () => {
  bus = createMemoryBus();
  await db.query('DELETE FROM notes');
  await db.query('DELETE FROM inbox');
});
afterEach(async () => {
  await consumption?.stop();
  consumption = null;
});

type Effect = (tx: Tx, fact: Fact<Noted>) => Promise<void>;
const write: Effect = async (tx, { data }) =>
  void (await tx.query('INSERT INTO notes (text) VALUES (?)', [data.text]));

type More = Partial<Parameters<typeof startConsumer>[0]>;
const start = async (hearing: ReturnType<typeof hear>, more: More = {}): Promise<void> => {
  const parts = { bus, hearer: 'test', hearings: [hearing], log: silent, metrics: createMetrics('test') };
  consumption = await startConsumer({ ...parts, ...more });
};
const say = (value: unknown): Promise<void> =>
  bus.publish(noted.topic, [{ key: ID, value: typeof value === 'string' ? value : JSON.stringify(value) }]);
const written = async (): Promise<string[]> => {
  const rows: { text: string }[] = await db.query('SELECT text FROM notes');
  return rows.map(({ text }) => text);
};
const writtenAre = (...texts: string[]): Promise<void> =>
  until(texts.join(), async () => JSON.stringify(await written()) === JSON.stringify(texts));
const parked = () => bus.published(deadLetterTopic('test'));

it('H4 X9 the same fact ten times, as when its offset was not committed: one effect', async () => {
  const fact = factOf('a');
  await start(hearOnce(once)(noted, write));
  for (let time = 0; time < 10; time += 1) await say(fact);
  await say(factOf('b'));
  await writtenAre('a', 'b');
  expect(parked()).toEqual([]);
});

it('H4 the same fact ten times at once, one effect, and only one is told that it was the first', async () => {
  const fact = factOf('a');
  const answers = await Promise.all(Array.from({ length: 10 }, () => handleOnce(once, fact, write)));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(await written()).toEqual(['a']);
});

it('H4 another hearer of the same database hears the fact too', async () => {
  const fact = factOf('a');
  expect(await handleOnce(once, fact, write)).toBe(true);
  expect(await handleOnce({ ...once, hearer: 'other' }, fact, write)).toBe(true);
});

it.each<[string, Effect]>([
  ['H4 an effect that fails', () => Promise.reject(new Error('half way'))],
  ['X8 a process that dies before the commit', (tx) => tx.query('KILL CONNECTION_ID()')],
])('%s leaves neither the effect nor the mark of having heard', async (_, end) => {
  const fact = factOf('a');
  const failing: Effect = async (tx, heard) => {
    await write(tx, heard);
    await end(tx, heard);
  };
  await expect(handleOnce(once, fact, failing)).rejects.toThrow();
  expect(await written()).toEqual([]);
  expect(await db.query('SELECT * FROM inbox')).toEqual([]);
  expect(await handleOnce(once, fact, write)).toBe(true);
});

it('H4 a key of the effect that is taken is an error, not a repetition', async () => {
  const clash: Effect = async (tx, fact) => {
    const row = 'INSERT INTO inbox (hearer, event_id, heard_at) VALUES (?, ?, ?)';
    for (let time = 0; time < 2; time += 1) await tx.query(row, ['clash', fact.id, clock()]);
  };
  await expect(handleOnce(once, factOf('a'), clash)).rejects.toThrow(/Duplicate/);
});

it('H5 what cannot be read is parked at once with the cause, and the rest goes on', async () => {
  await start(hearOnce(once)(noted, write));
  await say('{ not json');
  await say({ hello: 'world' });
  await say({ ...factOf('x'), data: { text: 5 } });
  await say(factOf('after'));
  await writtenAre('after');
  expect(parked().map(({ headers }) => headers?.['cause'])).toEqual([
    'not JSON',
    'not a CloudEvent',
    '"text" must be a string',
  ]);
  expect(parked()[0]).toMatchObject({
    key: ID,
    value: '{ not json',
    headers: { topic: noted.topic, offset: '0' },
  });
});

it('H5 what keeps failing is tried five times, then parked, and the rest goes on', async () => {
  let tries = 0;
  await start(
    hearOnce(once)(noted, async (tx, fact) => {
      if (fact.data.text !== 'poison') return write(tx, fact);
      tries += 1;
      throw new Error('cannot digest');
    }),
  );
  await say(factOf('poison'));
  await say(factOf('after'));
  await writtenAre('after');
  expect(tries).toBe(5);
  expect(parked().map(({ headers }) => headers?.['cause'])).toEqual(['cannot digest']);
});

it('H5 what fails and then works is not parked', async () => {
  let tries = 0;
  await start(
    hearOnce(once)(noted, async (tx, fact) => {
      tries += 1;
      if (tries < 3) throw new Error('not yet');
      await write(tx, fact);
    }),
  );
  await say(factOf('a'));
  await writtenAre('a');
  expect(parked()).toEqual([]);
});

it('H5 while a part it stands on is away it waits longer than its tries, and parks nothing', async () => {
  let tries = 0;
  await start(
    hear(noted, async (fact) => {
      tries += 1;
      if (tries <= 8) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
      await write(db.manager, fact);
    }),
  );
  await say(factOf('a'));
  await writtenAre('a');
  expect(tries).toBe(9);
  expect(parked()).toEqual([]);
});

it('H6 a fact of a type that nobody here hears is passed over', async () => {
  await start(hearOnce(once)(noted, write));
  await say(factOf('x', { type: 'identity.Noted.v2' }));
  await say(factOf('a'));
  await writtenAre('a');
  expect(parked()).toEqual([]);
});

it('H6 fields that we do not know are left out', async () => {
  const seen: unknown[] = [];
  await start(hear(noted, ({ data }) => Promise.resolve(void seen.push(data))));
  await say({ ...factOf('a'), data: { text: 'a', more: true } });
  await until('the fact', () => seen.length === 1);
  expect(seen).toEqual([{ text: 'a' }]);
});

it('H5 an effect that never ends is given up, tried again and parked, and the rest goes on', async () => {
  const stuck = hear(noted, async (fact) => {
    if (fact.data.text === 'stuck') await new Promise(() => undefined);
    await write(db.manager, fact);
  });
  await start(stuck, { effectLimitMs: 50 });
  await say(factOf('stuck'));
  await say(factOf('after'));
  await writtenAre('after');
  expect(parked().map(({ headers }) => headers?.['cause'])).toEqual(['not done in 0.05 s']);
});

it('H8 what was in hand when the partition was taken away is left to its next owner, not parked', async () => {
  const taken = Object.assign(new Error('The group is rebalancing'), { type: 'REBALANCE_IN_PROGRESS' });
  const handing = Promise.withResolvers<Parameters<Bus['consume']>[0]['onMessage']>();
  const consume: Bus['consume'] = ({ onMessage }) => {
    handing.resolve(onMessage);
    return Promise.resolve({ healthy: () => true, stop: () => Promise.resolve() });
  };
  await start(
    hear(noted, () => Promise.reject(new Error('not yet'))),
    { bus: { ...bus, consume } },
  );
  const onMessage = await handing.promise;
  const message = {
    topic: noted.topic,
    partition: 0,
    offset: '0',
    key: ID,
    value: JSON.stringify(factOf('a')),
  };
  await expect(onMessage(message, () => Promise.reject(taken))).rejects.toBe(taken);
  expect(parked()).toEqual([]);
});
