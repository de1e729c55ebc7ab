import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Bus, Consumption } from './bus.ts';
import { heardMessage } from './kafka-reading.ts';
import type { Log } from './log.ts';

type ConsumeOptions = Parameters<Bus['consume']>[0];
type Parts = { kafka: Kafka; log: Log; sessionMs: number };

const memberOf = (sessionMs: number) => ({
  allowAutoTopicCreation: false,
  metadataMaxAge: 10_000, // a member that joined before a partition was known would else not hear it for five minutes
  sessionTimeout: sessionMs,
  rebalanceTimeout: sessionMs,
  heartbeatInterval: sessionMs / 10,
  maxBytesPerPartition: 256 * 1024,
  maxWaitTimeInMs: 500,
  // One way back for every crash, ours below: kafkajs comes back by itself from some only, and stays up and idle after others.
  retry: { retries: 3, restartOnFailure: () => Promise.resolve(false) },
});

/** Parts of a session after which a member that neither fetched nor beat is not consuming, whatever it says. */
const SILENT = 5 / 6;
/** A member may wait a whole session to be let in while another's runs out; silent for twice that, it is lost. */
const LOST = 2;
const RESTART_MS = 1_000;
/** A message in hand may keep a member from leaving; the broker lets go of it then without a word from us. */
const LEAVE_MS = 5_000;

type Handing = { onMessage: ConsumeOptions['onMessage']; beat: () => void; isCurrent: () => boolean };

/** Hands on a batch message by message. Offsets are resolved only after the work, so a crash means redelivery. */
const eachBatch =
  ({ onMessage, beat, isCurrent }: Handing) =>
  async (payload: EachBatchPayload): Promise<void> => {
    const { batch, heartbeat, resolveOffset, commitOffsetsIfNecessary, isRunning, isStale } = payload;
    for (const message of batch.messages) {
      if (!isCurrent()) throw new Error('another member has taken over'); // ends a member that came back from the dead
      if (!isRunning() || isStale()) return;
      await onMessage(heardMessage(batch, message), async () => {
        beat();
        await heartbeat();
      });
      resolveOffset(message.offset);
      beat();
      await heartbeat();
    }
    await commitOffsetsIfNecessary();
  };

const leave = async (consumer: Consumer | null): Promise<void> => {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, LEAVE_MS);
  await Promise.race([consumer?.disconnect().catch(() => undefined), limit.promise]);
  clearTimeout(timer);
};

type Signs = { sign: () => void; crash: () => void };

const createMember = ({ kafka, log, sessionMs }: Parts, group: string, { sign, crash }: Signs): Consumer => {
  const consumer = kafka.consumer({ ...memberOf(sessionMs), groupId: group });
  const { FETCH, HEARTBEAT, GROUP_JOIN, CRASH } = consumer.events;
  for (const event of [FETCH, HEARTBEAT, GROUP_JOIN]) consumer.on(event, sign);
  consumer.on(CRASH, ({ payload }) => {
    log.warn({ err: payload.error }, 'consumer stopped');
    crash();
  });
  return consumer;
};

/** Remembers signs of life, and judges their absence. */
const createPulse = (sessionMs: number) => {
  let sign = 0;
  let begin = 0;
  const now = (): number => performance.now();
  return {
    beat: () => void (sign = now()),
    begin: () => void (begin = now()),
    isHealthy: () => sign > 0 && now() - sign < SILENT * sessionMs,
    isLost: () => now() - Math.max(sign, begin) > LOST * sessionMs,
  };
};

const runMember = async (consumer: Consumer, options: ConsumeOptions, handing: Handing): Promise<void> => {
  await consumer.connect();
  await consumer.subscribe({ topics: [...options.topics], fromBeginning: options.fromBeginning });
  await consumer.run({
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: 3,
    eachBatch: eachBatch(handing),
  });
};

/** A group member that comes back by itself after any crash and any silence, and knows when it is silent. */
export const consume = async (
  { kafka, log, sessionMs }: Parts,
  options: ConsumeOptions,
): Promise<Consumption> => {
  const { group, onMessage } = options;
  const pulse = createPulse(sessionMs);
  let stopped = false;
  let current: Consumer | null = null;
  let restart: NodeJS.Timeout | undefined;

  const begin = async (): Promise<void> => {
    pulse.begin();
    const isCurrent = (): boolean => current === consumer;
    const sign = (): void => void (isCurrent() && pulse.beat());
    const crash = (): void => void (isCurrent() && beginAgain());
    const consumer = createMember({ kafka, log, sessionMs }, group, { sign, crash });
    current = consumer;
    await runMember(consumer, options, { onMessage, beat: sign, isCurrent });
    if (stopped || !isCurrent()) await leave(consumer);
  };

  const beginOrWait = (): Promise<void> =>
    begin().catch((error: unknown) => {
      log.warn({ err: error }, 'waiting for the broker');
      beginAgain();
    });

  const beginAgain = (): void => {
    if (stopped) return;
    clearTimeout(restart);
    pulse.begin();
    restart = setTimeout(() => {
      void leave(current); // not waited for: a message that never ends would keep us from beginning again
      void beginOrWait();
    }, RESTART_MS);
  };

  const watch = setInterval(() => {
    if (!pulse.isLost()) return;
    log.error({ group }, 'heard nothing from the group: joining it anew');
    beginAgain();
  }, RESTART_MS);

  await beginOrWait();
  return {
    healthy: pulse.isHealthy,
    stop: async () => {
      stopped = true;
      clearTimeout(restart);
      clearInterval(watch);
      await leave(current);
    },
  };
};
