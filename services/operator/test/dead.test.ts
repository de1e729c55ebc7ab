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
