import {
  type Bus,
  GroupRunning,
  type Message,
  type Position,
  type ReceivedMessage,
} from '../messaging/bus.ts';

type Subscription = Parameters<Bus['consume']>[0];
type Log = Map<string, Message[]>;

export type MemoryBus = Bus & {
  /** Everything published to `topic`, in order. */
  published: (topic: string) => Message[];
  /** While paused, consumers receive nothing; they receive what was published after the pause. */
  pause: () => void;
  release: () => Promise<void>;
  /** While down, publishing fails as with an unreachable broker. */
  setDown: (down: boolean) => void;
};

const away = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('broker away'), { code: 'ECONNREFUSED' }));

/** A broker in the test's process, with the same interface, one partition per topic, and delivery right after publishing. */
export const createMemoryBus = (): MemoryBus => {
  const topics: Log = new Map();
  const offsets = new Map<Subscription, Map<string, number>>();
  /** The positions of the groups whose consumer has stopped. */
  const stopped = new Map<string, Map<string, number>>();
  let paused = false;
  let down = false;
  let delivering = Promise.resolve();

  /** Delivers all pending messages as a batch, or otherwise the first one. Returns the number of delivered messages. */
  const handOver = async (subscription: Subscription, ready: readonly ReceivedMessage[]): Promise<number> => {
    if (ready.length > 1 && (await subscription.onBatch?.(ready))) return ready.length;
    await subscription.onMessage(ready[0] as ReceivedMessage, () => Promise.resolve());
    return 1;
  };
  const deliverTopic = async (subscription: Subscription, topic: string): Promise<void> => {
    const messages = topics.get(topic) ?? [];
    const open = (): Map<string, number> | undefined => (paused ? undefined : offsets.get(subscription));
    for (let at = open(); at; at = open()) {
      const offset = at.get(topic) ?? 0;
      if (offset >= messages.length) return;
      const ready = messages
        .slice(offset)
        .map((message, index) => ({ ...message, topic, partition: 0, offset: String(offset + index) }));
      at.set(topic, offset + (await handOver(subscription, ready)));
    }
  };
  const deliver = (): Promise<void> => {
    delivering = delivering.then(async () => {
      for (const subscription of offsets.keys())
        for (const topic of subscription.topics) await deliverTopic(subscription, topic);
    });
    return delivering;
  };

  return {
    publish: (topic, messages) => {
      if (down) return away();
      topics.set(topic, [...(topics.get(topic) ?? []), ...messages]);
      void deliver();
      return Promise.resolve();
    },
    consume: (subscription) => {
      offsets.set(subscription, new Map());
      void deliver();
      return Promise.resolve({
        healthy: () => true,
        stop: () => {
          stopped.set(subscription.group, offsets.get(subscription) ?? new Map<string, number>());
          return Promise.resolve(void offsets.delete(subscription));
        },
      });
    },
    readAll: async (topic, onMessage) => {
      for (const [offset, message] of (topics.get(topic) ?? []).entries())
        await onMessage({ ...message, topic, partition: 0, offset: String(offset) });
    },
    countBrokers: () => (down ? away() : Promise.resolve(1)),
    readPositions: (group, names) => {
      if (down) return away();
      const running = [...offsets].find(([subscription]) => subscription.group === group)?.[1];
      const ofGroup = running ?? stopped.get(group);
      const positionOf = (topic: string): Position => ({
        topic,
        partition: 0,
        low: 0n,
        high: BigInt(topics.get(topic)?.length ?? 0),
        next: BigInt(ofGroup?.get(topic) ?? 0),
      });
      return Promise.resolve(names.map(positionOf));
    },
    // A new consumer begins with the first message.
    rewind: async (group, beforehand) => {
      if ([...offsets.keys()].some((subscription) => subscription.group === group))
        throw new GroupRunning(group);
      await beforehand?.();
      stopped.delete(group);
      return [...topics.keys()];
    },
    ensureTopics: () => Promise.resolve(),
    close: () => Promise.resolve(offsets.clear()),
    published: (topic) => topics.get(topic) ?? [],
    pause: () => void (paused = true),
    release: () => {
      paused = false;
      return deliver();
    },
    setDown: (value) => void (down = value),
  };
};
