import type { CloudEvent } from '@shortlist/contracts/events/define';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { connect, createDb, inTransaction } from '../src/data/db.ts';
import type { Bus } from '../src/messaging/bus.ts';
import { emit, republishEvents, startRelay } from '../src/messaging/outbox.ts';
import { createMetrics, type Metrics } from '../src/process/metrics.ts';
import { createOutboxAndInbox, createTestDb } from '../src/testing/databases.ts';
import { createMemoryBus, type MemoryBus } from '../src/testing/memory-bus.ts';
import { until } from '../src/testing/until.ts';
import { clock, ID, noted, type Noted, noteOf, silent } from './notes-table.ts';

const schema = { entities: [], migrations: [createOutboxAndInbox] };
const { db, url, drop } = await createTestDb(schema);
const stops: (() => Promise<void>)[] = [];
let bus: MemoryBus;

beforeEach(async () => {
  bus = createMemoryBus();
  await db.query('DELETE FROM outbox');
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(drop);

type Over = { bus?: Bus; db?: typeof db; metrics?: Metrics; pollMs?: number };
const start = (over: Over = {}): (() => Promise<void>) => {
  const relay = startRelay({
    db,
    bus,
    log: silent,
    metrics: createMetrics('test'),
    clock,
    pollMs: 50,
    ...over,
  });
  stops.push(relay.stop);
  return relay.stop;
};

const tell = (text: string, subject = ID): Promise<CloudEvent<Noted>> =>
  inTransaction(db, (tx) => emit(tx, noted, noteOf(text, subject)));
const tellAll = async (texts: string[]): Promise<void> => {
  await inTransaction(db, async (tx) => {
    for (const text of texts) await emit(tx, noted, noteOf(text));
  });
};
const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}`);
const publishedEvents = (): CloudEvent<Noted>[] =>
  bus.published('identity.events').map(({ value }) => JSON.parse(value) as CloudEvent<Noted>);
const texts = (): string[] => publishedEvents().map(({ data }) => data.text);
const unsent = async (): Promise<number> => {
  const [row]: { count: number }[] = await db.query(
    'SELECT COUNT(*) AS count FROM outbox WHERE published_at IS NULL',
  );
  return Number(row?.count);
};
const drained = (): Promise<void> => until('an empty outbox', async () => (await unsent()) === 0);

it('H2 publishes more than a batch of events, once each and in order', async () => {
  await tellAll(numbers(1_200));
  start();
  await drained();
  expect(texts()).toEqual(numbers(1_200));
});

it('H2 the key of a message is the user id, so that a user’s events keep their order', async () => {
  start();
  await tell('a', 'somebody');
  await drained();
  expect(bus.published('identity.events')[0]?.key).toBe('somebody');
});

it('is woken by a commit instead of waiting for its next poll', async () => {
  start({ pollMs: 600_000 });
  for (const text of numbers(3)) {
    await tell(text);
    await until('the event', () => texts().includes(text));
  }
});

it('H10 causes no deadlock in concurrent writers', async () => {
  start();
  const write = async (writer: number): Promise<void> => {
    for (const text of numbers(40))
      await db.transaction((tx) => emit(tx, noted, noteOf(`${writer}:${text}`, `writer-${writer}`)));
  };
  await Promise.all([1, 2, 3, 4, 5, 6].map(write)); // without the retry of inTransaction: a deadlock would end it
  await drained();
  expect(texts()).toHaveLength(240);
  for (const writer of [1, 2, 3, 4, 5, 6]) {
    const ownTexts = texts().filter((text) => text.startsWith(`${writer}:`));
    expect(ownTexts).toEqual(numbers(40).map((text) => `${writer}:${text}`));
  }
});

it('H2 of two relays one is active, and the other takes over when it ends', async () => {
  const other = createDb({ url, ...schema });
  await connect(other, silent);
  const stopFirst = start();
  await tell('first');
  await drained();
  start({ db: other });
  await tellAll(numbers(50));
  await drained();
  expect(texts()).toEqual(['first', ...numbers(50)]);
  await stopFirst();
  await tell('last');
  await drained();
  expect(texts().at(-1)).toBe('last');
  for (const stop of stops.splice(0)) await stop();
  await other.destroy();
});

it('H7 keeps every event while the broker is away, and publishes in order when it is back', async () => {
  bus.setDown(true);
  const metrics = createMetrics('test');
  start({ metrics });
  await tellAll(numbers(30));
  const failures = async (): Promise<number> =>
    Number(/^relay_failures_total\{.*\} (\d+)$/m.exec(await metrics.text())?.[1] ?? 0);
  await until('failed attempts', async () => (await failures()) >= 3);
  expect(texts()).toEqual([]);
  expect(await unsent()).toBe(30);
  expect(await metrics.text()).toMatch(/^outbox_unsent_rows\{.*\} 30$/m);
  await db.query('UPDATE outbox SET created_at = created_at - INTERVAL 90 SECOND');
  expect(await metrics.text()).toMatch(/^outbox_oldest_unsent_seconds\{.*\} 9\d(\.\d+)?$/m);
  await tell('30');
  bus.setDown(false);
  await drained();
  expect(texts()).toEqual(numbers(31));
  expect(await metrics.text()).toMatch(/^outbox_oldest_unsent_seconds\{.*\} 0$/m);
  // Counted after the rows are marked.
  const sent = /^relay_sent_total\{type="identity.Noted.v1".*\} 31$/m;
  await until('the count of sent events', async () => sent.test(await metrics.text()));
});

it.each([
  { died: 'X4 killed before publishing', published: false, copies: 1 },
  { died: 'X5 killed between publishing and marking', published: true, copies: 2 },
])('H2 $died, every event is published under the same id, $copies time(s)', async ({ published, copies }) => {
  let killed = false;
  const cut: Bus = {
    ...bus,
    publish: async (topic, messages) => {
      if (killed || published) await bus.publish(topic, messages);
      if (killed) return;
      killed = true;
      const [row]: { id: number }[] = await db.query(
        "SELECT IS_USED_LOCK(CONCAT('relay:', DATABASE())) AS id",
      );
      await db.query(`KILL ${row?.id}`);
      if (!published) throw new Error('died');
    },
  };
  await tellAll(numbers(3));
  start({ bus: cut });
  await drained();
  expect(texts()).toEqual(Array.from({ length: copies }, () => numbers(3)).flat());
  expect(new Set(publishedEvents().map(({ id }) => id)).size).toBe(3);
});

it('republishes what was published since a time, in order and under the same ids', async () => {
  await tellAll(['old']);
  start();
  await drained();
  await db.query('UPDATE outbox SET published_at = ?', [new Date('2026-01-01T00:00:00Z')]);
  await tellAll(['lost', 'lost too']);
  await drained();
  const [, first, second] = publishedEvents();
  const since = new Date('2026-01-02T00:00:00Z');
  expect(await republishEvents(db, { since, until: since })).toBe(0);
  expect(await republishEvents(db, { since, until: clock() })).toBe(2);
  await drained();
  expect(publishedEvents().slice(3)).toEqual([first, second]);
});
