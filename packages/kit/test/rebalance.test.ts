import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineEvent } from '@shortlist/contracts/events/define';
import { text } from '@shortlist/contracts/schemas/validation';
import { type Backing, startBacking } from '@shortlist/local/backing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { migration } from '../src/data/migration.ts';
import type { Bus, RunningConsumer } from '../src/messaging/bus.ts';
import { startConsumer } from '../src/messaging/consumer.ts';
import { listDeadLetters } from '../src/messaging/dead-letters.ts';
import { onOnce } from '../src/messaging/inbox.ts';
import { readKafkaSettings } from '../src/messaging/kafka-settings.ts';
import { createKafka } from '../src/messaging/kafka.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { createOutboxAndInbox, createTestDb } from '../src/testing/databases.ts';
import { isLongRun } from '../src/testing/sample.ts';
import { until } from '../src/testing/until.ts';
import { clock, noted, noteEvent, silent } from './notes-table.ts';

/** Short, so that the tests wait little for the end of a session. */
const SESSION_MS = 2_000;
const timeouts = { sessionMs: SESSION_MS, idleMs: 1_000, lostMs: SESSION_MS, fetchMs: 250 };
/** For a member that is to lose its partitions for no other reason than the one of the test. */
const PATIENT = { sessionMs: 10_000, idleMs: 25_000, lostMs: 600_000, fetchMs: 250 };
/** How often a member joins or leaves. docs/reliability.md has the result of a longer storm. */
const CHANGES = isLongRun ? 150 : 4;
/** How long a member stays frozen after it has lost its partitions. */
const FROZEN_MS = isLongRun ? 60_000 : 0;
const LIMIT_MS = isLongRun ? 900_000 : 120_000;
const MEMBER = join(import.meta.dirname, 'group-member.ts');

const notes = migration('CreateNotes1700000000000', [
  'CREATE TABLE IF NOT EXISTS notes (text VARCHAR(50) NOT NULL)',
]);
const { db, url, drop } = await createTestDb({ entities: [], migrations: [createOutboxAndInbox, notes] });
let backing: Backing;
let publisher: Bus;
beforeAll(async () => {
  backing = await startBacking({ parts: ['kafka'] });
  publisher = connectBus();
  await publisher.ensureTopics([noted.topic]);
}, 180_000);
afterAll(async () => {
  await publisher.close();
  await backing.stop();
  await drop();
});
beforeEach(() => db.query('DELETE FROM notes'));

const connection = () => ({
  settings: readKafkaSettings({ KAFKA_BROKERS: backing.kafkaBrokers }),
  clientId: 'test',
  log: silent,
});
const connectBus = (): Bus => createKafka({ ...connection(), timeouts });
const newGroup = (): string => `group-${randomBytes(4).toString('hex')}`;

type Member = { bus: Bus; runningConsumer: RunningConsumer };

/** A member like that of a service: each event is written once, with its id in the inbox. */
const joinGroup = async (group: string, bus = connectBus(), events = [noted]): Promise<Member> => {
  const handlers = events.map((event) =>
    onOnce({ db, consumer: 'test', clock })(event, async (tx, { data }) => {
      await tx.query('INSERT INTO notes (text) VALUES (?)', [data.text]);
    }),
  );
  const metrics = createMetrics('test');
  const runningConsumer = await startConsumer({
    bus,
    consumer: 'test',
    group,
    handlers,
    log: silent,
    metrics,
  });
  return { bus, runningConsumer };
};

/** Publishes events of many users, so that every partition has some. Returns their texts. */
const tell = async (prefix: string, count: number, { type, topic } = noted): Promise<string[]> => {
  const texts = Array.from({ length: count }, (_, index) => `${prefix} ${index}`);
  const messages = texts.map((text) => ({ key: text, value: JSON.stringify(noteEvent(text, { type })) }));
  await publisher.publish(topic, messages);
  return texts;
};
const written = async (): Promise<string[]> => {
  const rows: { text: string }[] = await db.query('SELECT text FROM notes');
  return rows.map(({ text }) => text).sort();
};
/** Publishing may store a message twice, under the same id: each text is written once. */
const writtenOnce = async (texts: string[]): Promise<void> => {
  const ownTexts = async (): Promise<string[]> => (await written()).filter((text) => texts.includes(text));
  await until('all events', async () => new Set(await ownTexts()).size === texts.length, 60_000);
  expect(await ownTexts()).toEqual(texts.toSorted());
};

it(
  'H8 X10 while members join and leave, no event is lost or handled twice and no partition is idle',
  async () => {
    const group = newGroup();
    const members = [await joinGroup(group)];
    const removeFirst = (): Promise<void> => (members.shift() as Member).bus.close();
    const texts: string[] = [];
    for (let change = 0; change < CHANGES; change += 1) {
      const latest = await tell(`storm ${change}`, 30);
      texts.push(...latest);
      if (change % 3 === 2) await removeFirst();
      else members.push(await joinGroup(group));
      if (members.length > 3) await removeFirst();
      // The next change comes while the group is at work.
      await until('an event of the storm', async () =>
        (await written()).some((text) => latest.includes(text)),
      );
    }
    await writtenOnce(texts);
    await writtenOnce(await tell('after the storm', 60));
    expect(members.map(({ runningConsumer }) => runningConsumer.healthy())).not.toContain(false);
    await Promise.all(members.map(({ bus }) => bus.close()));
  },
  LIMIT_MS,
);

it(
  'X10 a process that is frozen for longer than its session does no harm when it resumes',
  async () => {
    const group = newGroup();
    const args = [MEMBER, backing.kafkaBrokers, url, group, String(SESSION_MS)];
    const zombie = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      let output = '';
      zombie.stdout.on('data', (text: Buffer) => (output += text.toString()));
      const first = await tell('zombie', 300);
      await until('the member at work', () => output.includes('zombie'));
      zombie.kill('SIGSTOP');
      const frozenAt = (await written()).length;
      expect(frozenAt).toBeLessThan(first.length);

      // The frozen member's row stays locked: its successor waits for it, and handles the other partitions.
      const heir = await joinGroup(group, createKafka({ ...connection(), timeouts: PATIENT }));
      // The broker has ended the session of the frozen member: its successor has partitions.
      await until('the heir at work', async () => (await written()).length > frozenAt + 20);
      await sleep(FROZEN_MS);
      zombie.kill('SIGCONT');
      await writtenOnce([...first, ...(await tell('after the zombie', 60))]);
      expect(await listDeadLetters(publisher, 'test')).toEqual([]);
      await heir.bus.close();
    } finally {
      zombie.kill('SIGKILL');
    }
  },
  LIMIT_MS,
);

it(
  'H6 events of a newer version wait, each with its partition, until a process that knows them has taken over',
  async () => {
    const group = newGroup();
    const declaration = { summary: 'A note was told.', data: { text }, topic: newGroup() };
    const first = defineEvent('identity.Told.v1', declaration);
    const second = defineEvent('identity.Told.v2', declaration);
    await publisher.ensureTopics([first.topic]);
    const known = await tell('before', 30, first);
    const older = await joinGroup(group, createKafka({ ...connection(), timeouts: PATIENT }), [first]);
    await writtenOnce(known);
    const newer = await tell('newer', 30, second);
    const after = await tell('after', 30, first);
    await sleep(2 * SESSION_MS);
    expect(older.runningConsumer.healthy()).toBe(true);
    expect((await written()).filter((text) => newer.includes(text))).toEqual([]);
    const other = await joinGroup(group, createKafka({ ...connection(), timeouts: PATIENT }), [
      first,
      second,
    ]);
    await older.bus.close();
    await writtenOnce([...known, ...newer, ...after]);
    expect(await listDeadLetters(publisher, 'test')).toEqual([]);
    await other.bus.close();
  },
  LIMIT_MS,
);

it(
  'H9 a member whose message never ends becomes unhealthy and is replaced',
  async () => {
    const group = newGroup();
    const bus = connectBus();
    const received: string[] = [];
    const topic = newGroup();
    await bus.ensureTopics([topic]);
    const runningConsumer = await bus.consume({
      group,
      topics: [topic],
      fromBeginning: true,
      onMessage: ({ value }) => {
        received.push(value);
        return value === 'stuck' && received.length === 1 ? new Promise(() => undefined) : Promise.resolve();
      },
    });
    await until('healthy', runningConsumer.healthy);
    await publisher.publish(topic, [{ key: 'ana', value: 'stuck' }]);
    await until('the message', () => received.length === 1);
    await until('not healthy', () => !runningConsumer.healthy());
    await publisher.publish(topic, [{ key: 'ana', value: 'after' }]);
    await until('both', () => received.includes('after'));
    // A slow machine may give the new member its partition twice, and with it the message.
    expect(received.slice(0, 2)).toEqual(['stuck', 'stuck']);
    expect([...new Set(received)]).toEqual(['stuck', 'after']);
    await until('healthy again', runningConsumer.healthy);
    await bus.close();
  },
  LIMIT_MS,
);

it(
  'H8 a message that takes longer than a session keeps its member, which sends heartbeats',
  async () => {
    const bus = createKafka({ ...connection(), timeouts: { ...PATIENT, sessionMs: SESSION_MS } });
    const topic = newGroup();
    await bus.ensureTopics([topic]);
    const received: string[] = [];
    await bus.consume({
      group: newGroup(),
      topics: [topic],
      fromBeginning: true,
      onMessage: async ({ value }) => {
        received.push(value);
        if (value === 'slow') await sleep(1.25 * SESSION_MS);
      },
    });
    await publisher.publish(topic, [{ key: 'ana', value: 'slow' }]);
    await publisher.publish(topic, [{ key: 'ana', value: 'after' }]);
    await until('both', () => received.includes('after'));
    expect(received).toEqual(['slow', 'after']);
    await bus.close();
  },
  LIMIT_MS,
);

it(
  'H9 a member that crashes rejoins and receives the message again',
  async () => {
    // Only its crash can make this member rejoin.
    const bus = createKafka({ ...connection(), timeouts: PATIENT });
    const topic = newGroup();
    await bus.ensureTopics([topic]);
    let tries = 0;
    const received: string[] = [];
    await bus.consume({
      group: newGroup(),
      topics: [topic],
      fromBeginning: true,
      onMessage: ({ value }) => {
        tries += 1;
        // After a TypeError the client itself would stay up and idle.
        if (tries <= 2) return Promise.reject(new TypeError('a bug'));
        return Promise.resolve(void received.push(value));
      },
    });
    await publisher.publish(topic, [{ key: 'ana', value: 'a' }]);
    await until('the message', () => received.length > 0);
    expect(received).toEqual(['a']);
    await bus.close();
  },
  LIMIT_MS,
);
