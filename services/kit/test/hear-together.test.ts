import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Fact } from '@shortlist/contracts/events/define';
import { startConsumer } from '../src/consumer.ts';
import type { Tx } from '../src/db.ts';
import { deadLetterTopic } from '../src/dead-letters.ts';
import { hear, type Hearing, hearOnce } from '../src/hearings.ts';
import { handleOnce } from '../src/inbox.ts';
import { createMetrics } from '../src/metrics.ts';
import { createOutboxAndInbox, migration } from '../src/migration.ts';
import { createMemoryBus, type MemoryBus } from '../src/testing/memory-bus.ts';
import { createTestDb } from '../src/testing/test-db.ts';
import { until } from '../src/testing/until.ts';
import { clock, factOf, ID, noted, type Noted, silent } from './notes.ts';

const notes = migration('CreateNotes1700000000000', [
  'CREATE TABLE IF NOT EXISTS notes (id INT AUTO_INCREMENT PRIMARY KEY, text VARCHAR(50) NOT NULL)',
]);
const { db, drop } = await createTestDb({ entities: [], migrations: [createOutboxAndInbox, notes] });
afterAll(drop);

const once = { db, hearer: 'test', clock };
let bus: MemoryBus;
beforeEach(async () => {
  bus = createMemoryBus();
  await db.query('DELETE FROM notes');
  await db.query('DELETE FROM inbox');
});

const write = async (tx: Tx, { data }: Fact<Noted>): Promise<void> => {
  await tx.query('INSERT INTO notes (text) VALUES (?)', [data.text]);
};
const written = async (): Promise<string[]> => {
  const rows: { text: string }[] = await db.query('SELECT text FROM notes ORDER BY id');
  return rows.map(({ text }) => text);
};

const texts = Array.from({ length: 50 }, (_, index) => `note ${index}`);
const facts = texts.map((text) => factOf(text));
const say = (values: unknown[]): Promise<void> =>
  bus.publish(
    noted.topic,
    values.map((value) => ({ key: ID, value: typeof value === 'string' ? value : JSON.stringify(value) })),
  );

/** All of `values` lie ready when the consumer looks; resolves when `last` has had its effect. */
const hearReady = async (hearing: Hearing, values: unknown[], last = 'note 49'): Promise<void> => {
  bus.hold();
  const parts = { bus, hearer: 'test', hearings: [hearing], log: silent, metrics: createMetrics('test') };
  const consumption = await startConsumer(parts);
  await say(values);
  await bus.release();
  await until(last, async () => (await written()).includes(last));
  await consumption.stop();
};

/** Notes in which transactions the effects ran. */
const noting = () => {
  const transactions = new Set<Tx>();
  const effect = (tx: Tx, fact: Fact<Noted>): Promise<void> => {
    transactions.add(tx);
    return write(tx, fact);
  };
  return { transactions, effect };
};

it('H4 facts that lie ready are heard in one transaction, in order', async () => {
  const { transactions, effect } = noting();
  await hearReady(hearOnce(once)(noted, effect), facts);
  expect(await written()).toEqual(texts);
  expect(transactions.size).toBe(1);
  const [inbox]: { heard: number }[] = await db.query('SELECT COUNT(*) AS heard FROM inbox');
  expect(Number(inbox?.heard)).toBe(50);
});

it('H4 one that was heard before does not have its effect again, nor keep the others from theirs', async () => {
  await handleOnce(once, facts[20] as Fact<Noted>, () => Promise.resolve());
  await hearReady(hearOnce(once)(noted, write), [...facts.slice(0, 49), facts[3], facts[49]]);
  expect(await written()).toEqual(texts.filter((_, index) => index !== 20));
});

it('H4 when one fails, nothing of the run is written, and each is then heard by itself', async () => {
  let failures = 0;
  const effect = async (tx: Tx, fact: Fact<Noted>): Promise<void> => {
    await write(tx, fact);
    if (fact.data.text === 'note 30' && (failures += 1) === 1) throw new Error('half way');
  };
  await hearReady(hearOnce(once)(noted, effect), facts);
  expect(failures).toBe(2);
  expect(await written()).toEqual(texts);
});

it('H5 poison in a run is parked with its cause, and the rest has its effect', async () => {
  await hearReady(hearOnce(once)(noted, write), ['{ not json', ...facts]);
  expect(await written()).toEqual(texts);
  const parked = bus.published(deadLetterTopic('test'));
  expect(parked.map(({ headers }) => headers?.['cause'])).toEqual(['not JSON']);
});

it('an effect that is not of the database is heard for each fact by itself', async () => {
  const heard: string[] = [];
  const each = hear(noted, async (fact) => {
    heard.push(fact.data.text);
    await write(db.manager, fact);
  });
  await hearReady(each, facts);
  expect(heard).toEqual(texts);
});

it('H6 what nobody here hears is passed over in a run', async () => {
  const { transactions, effect } = noting();
  await hearReady(hearOnce(once)(noted, effect), [factOf('x', { type: 'identity.Noted.v2' }), ...facts]);
  expect(await written()).toEqual(texts);
  expect(transactions.size).toBe(1);
});
