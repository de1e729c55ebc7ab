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
  { time = '2026-03-01T12:00:00.000Z', key = ID, cause = 'refused' } = {},
): Promise<void> => {
  const value = JSON.stringify(noteEvent(text, { time, subject: key }));
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
    const [later, earlier, other] = await actions.list();
    expect([later, earlier, other].map((one) => one?.hasEarlier)).toEqual([true, false, false]);
    await expect(actions.replay(later?.position ?? '')).rejects.toMatchObject({
      code: 'service.earlier_dead_letter',
    });
    expect(texts()).toEqual([]);
    await actions.replay(earlier?.position ?? '');
    await actions.replay(later?.position ?? '');
    expect(texts()).toEqual(['earlier', 'later']);
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
