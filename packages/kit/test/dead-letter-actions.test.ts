import { DEAD_LETTERS_MAX } from '@shortlist/contracts/api/status';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDeadLetterActions, type DeadLetterActions } from '../src/messaging/dead-letter-actions.ts';
import { deadLetterOf, deadLetterTopic } from '../src/messaging/dead-letters.ts';
import { createMemoryBus, type MemoryBus } from '../src/testing/memory-bus.ts';
import { ID, noted, noteEvent } from './notes-table.ts';

const TOPIC = noted.topic;
const OTHER = '0198a0b0-0000-7000-8000-000000000002';

let bus: MemoryBus;
let actions: DeadLetterActions;
beforeEach(() => {
  bus = createMemoryBus();
  actions = createDeadLetterActions(bus, 'test');
});

const bury = async (
  text: string,
  { id = uuidv7(), time = '2026-03-01T12:00:00.000Z', key = ID, cause = 'refused' } = {},
): Promise<void> => {
  const value = JSON.stringify(noteEvent(text, { id, time, subject: key }));
  const letter = deadLetterOf({ key, value, topic: TOPIC, partition: 0, offset: '7' }, cause);
  await bus.publish(deadLetterTopic('test'), [letter]);
};
const texts = () =>
  bus.published(TOPIC).map(({ value }) => (JSON.parse(value) as { data: { text: string } }).data.text);

describe('an admin', () => {
  it('reads a dead letter with its cause and content, without secrets', async () => {
    await bury('whsec_abcdefghij', { cause: 'refused sk_live_51Habcdefgh' });
    const [letter] = await actions.list();
    expect(letter).toMatchObject({ type: noted.type, subject: ID, cause: 'refused (hidden)' });
    const { content } = await actions.get(letter?.position ?? '');
    expect(JSON.parse(content)).toMatchObject({ data: { text: '(hidden)' } });
  });

  it('H5 replays one, which is published once more and listed no longer', async () => {
    await bury('one');
    const [letter] = await actions.list();
    await actions.replay(letter?.position ?? '');
    expect(texts()).toEqual(['one']);
    expect(await actions.list()).toEqual([]);
    await expect(actions.replay(letter?.position ?? '')).rejects.toMatchObject({
      code: 'service.dead_letter_not_found',
    });
  });

  it('replays the events of a user in the order in which they came', async () => {
    // The earlier event failed again after the later one, so that it is the second in the topic.
    await bury('later', { time: '2026-03-01T12:00:02.000Z' });
    await bury('earlier', { time: '2026-03-01T12:00:01.000Z' });
    await bury('of another user', { time: '2026-03-01T12:00:03.000Z', key: OTHER });
    const [earlier, later, other] = await actions.list();
    expect([earlier, later, other].map((one) => one?.hasEarlier)).toEqual([false, true, false]);
    await expect(actions.replay(later?.position ?? '')).rejects.toMatchObject({
      code: 'service.earlier_dead_letter',
    });
    expect(texts()).toEqual([]);
    await actions.replay(earlier?.position ?? '');
    await actions.replay(later?.position ?? '');
    expect(texts()).toEqual(['earlier', 'later']);
  });

  it('replays those of one millisecond in the order of their ids', async () => {
    const [one, two] = [uuidv7(), uuidv7()];
    await bury('second', { id: two });
    await bury('first', { id: one });
    const letters = await actions.list();
    expect(letters.map(({ eventId, hasEarlier }) => [eventId, hasEarlier])).toEqual([
      [one, false],
      [two, true],
    ]);
  });

  it('reads the oldest of many, and of an invalid one as much as a list has room for', async () => {
    const endless = 'x'.repeat(5_000);
    const message = { key: ID, topic: TOPIC, partition: 0, offset: '7' };
    const value = JSON.stringify({ id: endless, type: endless, subject: endless, time: endless });
    await bus.publish(deadLetterTopic('test'), [deadLetterOf({ ...message, value }, 'invalid')]);
    const [invalid] = await actions.list();
    expect(JSON.stringify(invalid).length).toBeLessThan(1_000);
    for (let second = DEAD_LETTERS_MAX; second > 0; second -= 1)
      await bury(`number ${second}`, { time: new Date(second * 1_000).toISOString() });
    const letters = await actions.list();
    expect(letters).toHaveLength(DEAD_LETTERS_MAX);
    expect(letters[0]?.time).toBe('1970-01-01T00:00:01.000Z');
    expect(letters.at(-1)?.time).toBe(new Date(DEAD_LETTERS_MAX * 1_000).toISOString());
  });

  it('discards one without publishing it, and can then replay what came after it', async () => {
    await bury('first', { time: '2026-03-01T12:00:01.000Z' });
    await bury('second', { time: '2026-03-01T12:00:02.000Z' });
    const [first] = await actions.list();
    await actions.discard(first?.position ?? '');
    const [second] = await actions.list();
    expect(second).toMatchObject({ hasEarlier: false });
    await actions.replay(second?.position ?? '');
    expect(texts()).toEqual(['second']);
    expect(await actions.list()).toEqual([]);
  });
});
