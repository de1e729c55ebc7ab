import type { Consumer, Kafka } from 'kafkajs';
import type { Bus, RunningConsumer } from './bus.ts';
import { handOn, type ConsumerTimeouts } from './kafka-batches.ts';
import type { Log } from '../process/log.ts';

type ConsumeOptions = Parameters<Bus['consume']>[0];
type Parts = { kafka: Kafka; log: Log; timeouts: ConsumerTimeouts };

/** How long the others wait for a member to come along to a new generation. Who comes later joins the next; a dead one never does. */
const REBALANCE_MS = 5_000;

const memberOf = ({ sessionMs }: ConsumerTimeouts) => ({
  allowAutoTopicCreation: false,
  metadataMaxAge: 10_000, // a member that joined before a partition was known would else not hear it for five minutes
  sessionTimeout: sessionMs,
  rebalanceTimeout: REBALANCE_MS,
  heartbeatInterval: sessionMs / 10,
  maxBytesPerPartition: 256 * 1024,
  maxWaitTimeInMs: 500,
  // One way back for every crash, ours below: kafkajs comes back by itself from some only, and stays up and idle after others.
  retry: { retries: 3, restartOnFailure: () => Promise.resolve(false) },
});

const RESTART_MS = 1_000;
/** A message in hand may keep a member from leaving; the broker lets go of it then without a word from us. */
const LEAVE_MS = 5_000;

const leave = async (consumer: Consumer | null): Promise<void> => {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, LEAVE_MS);
  await Promise.race([consumer?.disconnect().catch(() => undefined), limit.promise]);
  clearTimeout(timer);
};

type Signs = { sign: () => void; crash: () => void };

const createMember = ({ kafka, log, timeouts }: Parts, group: string, { sign, crash }: Signs): Consumer => {
  const consumer = kafka.consumer({ ...memberOf(timeouts), groupId: group });
  const { FETCH, GROUP_JOIN, CRASH } = consumer.events;
  for (const event of [FETCH, GROUP_JOIN]) consumer.on(event, sign);
  consumer.on(CRASH, ({ payload }) => {
    log.warn({ err: payload.error }, 'consumer stopped');
    crash();
  });
  return consumer;
};

/** Remembers signs of life, and judges their absence. */
const createPulse = ({ idleMs, lostMs }: ConsumerTimeouts) => {
  let sign = 0;
  let begin = 0;
  const now = (): number => performance.now();
  return {
    beat: () => void (sign = now()),
    begin: () => void (begin = now()),
    isHealthy: () => sign > 0 && now() - sign < idleMs,
    isLost: () => now() - Math.max(sign, begin) > lostMs,
  };
};

const runMember = async (
  consumer: Consumer,
  { topics, fromBeginning }: ConsumeOptions,
  eachBatch: ReturnType<typeof handOn>,
): Promise<void> => {
  await consumer.connect();
  await consumer.subscribe({ topics: [...topics], fromBeginning });
  await consumer.run({
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: 3,
    eachBatch,
  });
};

/** A group member that comes back by itself after any crash and any silence, and knows when it is silent. */
export const consume = async (
  { kafka, log, timeouts }: Parts,
  options: ConsumeOptions,
): Promise<RunningConsumer> => {
  const { group } = options;
  const pulse = createPulse(timeouts);
  let stopped = false;
  let current: Consumer | null = null;
  let restart: NodeJS.Timeout | undefined;

  const begin = async (): Promise<void> => {
    pulse.begin();
    const isCurrent = (): boolean => current === consumer;
    const sign = (): void => void (isCurrent() && pulse.beat());
    const crash = (): void => void (isCurrent() && beginAgain());
    const consumer = createMember({ kafka, log, timeouts }, group, { sign, crash });
    current = consumer;
    await runMember(consumer, options, handOn({ ...options, beat: sign, isCurrent, timeouts }));
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
