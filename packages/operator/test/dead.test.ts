import { deadLetterOf, deadLetterTopic, ensureDeadLetters } from '@shortlist/kit/messaging/dead-letters';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import { createLog } from '@shortlist/kit/process/log';
import { type Backing, startBacking } from '@shortlist/local/backing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shortlist } from './run-shortlist.ts';

let backing: Backing;
beforeAll(async () => {
  backing = await startBacking({ parts: ['kafka'] });
  const settings = readKafkaSettings({ KAFKA_BROKERS: backing.kafkaBrokers });
  const bus = createKafka({ settings, clientId: 'test', log: createLog('test', 'silent') });
  await bus.ensureTopics(['billing.events']);
  await ensureDeadLetters(bus, 'credits');
  const origin = { topic: 'billing.events', partition: 0 };
  const letters = ['first', 'second'].map((id, index) => {
    const value = JSON.stringify({ id, type: 'billing.PlanEnded.v1', subject: 'ada', secret: 'content' });
    return deadLetterOf({ ...origin, key: 'ada', value, offset: String(index) }, 'no such plan');
  });
  await bus.publish(deadLetterTopic('credits'), letters);
  await bus.close();
}, 180_000);
afterAll(() => backing.stop());

const dead = (...args: string[]) =>
  shortlist('credits', ['dead', ...args], { env: { KAFKA_BROKERS: backing.kafkaBrokers } });
const listedIds = async (): Promise<string[]> =>
  (JSON.parse((await dead('list', '--json')).stdout) as { id: string }[]).map(({ id }) => id);

it('lists dead letters without their content, shows one with it, and replays one or all', async () => {
  const { code, stdout } = await dead('list');
  expect(code).toBe(0);
  expect(stdout).toContain('billing.PlanEnded.v1 of ada');
  expect(stdout).toContain('no such plan');
  expect(stdout).not.toContain('content');
  expect(await listedIds()).toEqual(['first', 'second']);
  expect((await dead('show', 'second')).stdout).toContain('"secret":"content"');
  expect((await dead('replay', 'first')).stdout).toContain('1 dead letter published again for credits.');
  expect(await listedIds()).toEqual(['second']);
  expect((await dead('replay', 'all', '--yes')).code).toBe(0);
  expect((await dead('list')).stdout).toBe('credits has no dead letters.\n');
  for (const action of ['show', 'replay']) {
    const { code: missing, stderr } = await dead(action, 'third');
    expect([missing, stderr]).toEqual([1, 'credits has no dead letter third.\n']);
  }
});

it('lists an unreadable batch with what to do, does not replay it, and settles it', async () => {
  const settings = readKafkaSettings({ KAFKA_BROKERS: backing.kafkaBrokers });
  const bus = createKafka({ settings, clientId: 'test', log: createLog('test', 'silent') });
  const cause = 'unreadable batch, published 2026-01-02T03:04:05.000Z: its checksum is wrong';
  const batch = {
    topic: 'billing.events',
    partition: 2,
    offset: '9',
    key: '',
    value: 'AAAA',
    unreadable: { first: '5', last: '9', cause },
  };
  await bus.publish(deadLetterTopic('credits'), [deadLetterOf(batch, cause)]);
  const id = 'billing.events:2:5-9';
  const { stdout } = await dead('list');
  expect(stdout).toContain(
    `${id}\n  unreadable batch of partition 2, offsets 5 to 9, no time, from billing.events`,
  );
  expect(stdout).toContain(`  ${cause}\n`);
  for (const advice of ['cannot be replayed', 'shortlist outbox republish', 'UnreadableBatches.md'])
    expect(stdout).toContain(advice);
  expect((await dead('show', id)).stdout).toContain('AAAA');

  const replay = await dead('replay', id);
  expect([replay.code, replay.stdout]).toEqual([1, '']);
  expect(replay.stderr).toContain('An unreadable batch cannot be replayed.');
  const all = await dead('replay', 'all', '--yes');
  expect([all.code, all.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^0 dead letters published again for credits\.\n1 dead letter left\. An unreadable/,
    ),
  ]);
  const published: unknown[] = [];
  await bus.readAll('billing.events', ({ value }) => published.push(value));
  expect(published).not.toContain('AAAA');
  await bus.close();

  expect((await dead('settle', id)).code).toBe(2);
  expect((await dead('settle', 'another', '--yes')).stderr).toBe('credits has no dead letter another.\n');
  expect((await dead('settle', id, '--yes')).stdout).toContain('1 dead letter of credits settled.');
  expect((await dead('list')).stdout).toBe('credits has no dead letters.\n');
});
