import type { EachBatchPayload } from 'kafkajs';
import type { Bus, ReceivedMessage } from './bus.ts';
import { receivedMessage } from './kafka-reader.ts';

/** How long whose silence is borne. */
export type ConsumerTimeouts = {
  /** The broker's with a member that sends no heartbeat: what a dead one holds lies idle for so long. At least 6 s. */
  sessionMs: number;
  /** Ours with a member that neither fetches nor finishes a message: longer than any effect may take. It is not ready then. */
  idleMs: number;
  /** After this it is replaced. */
  lostMs: number;
};

/** What a member hands messages on to, and whether it is still the one that does. */
type Handing = Pick<Parameters<Bus['consume']>[0], 'onMessage' | 'onBatch'> & {
  beat: () => void;
  isCurrent: () => boolean;
  timeouts: ConsumerTimeouts;
};

/**
 * Tells the broker that we live while a message is worked on, which may take longer than a session. No sign of life to
 * ourselves: who works on one message for too long falls silent here too, and the broker gives its partitions to others.
 */
const beatWhile = async <T>(
  work: Promise<T>,
  heartbeat: () => Promise<void>,
  { sessionMs, idleMs }: ConsumerTimeouts,
): Promise<T> => {
  const end = performance.now() + idleMs;
  const timer = setInterval(() => {
    if (performance.now() > end) clearInterval(timer);
    else heartbeat().catch(() => clearInterval(timer)); // who awaits the next heartbeat is told why
  }, sessionMs / 10);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
};

/** How many messages are offered at once: one commit for all of them, and not too much to do again when it fails. */
const RUN = 100;

const inRuns = (messages: readonly ReceivedMessage[]): ReceivedMessage[][] =>
  Array.from({ length: Math.ceil(messages.length / RUN) }, (_, index) =>
    messages.slice(index * RUN, (index + 1) * RUN),
  );

/** Hands on a batch, a run at a time. Offsets are resolved only after the work, so a crash means redelivery. */
export const handOn =
  ({ onMessage, onBatch, beat, isCurrent, timeouts }: Handing) =>
  async (payload: EachBatchPayload): Promise<void> => {
    const { batch, heartbeat, resolveOffset, commitOffsetsIfNecessary, isRunning, isStale } = payload;
    const sign = async (): Promise<void> => {
      beat();
      await heartbeat();
    };
    const offer = async (run: readonly ReceivedMessage[]): Promise<boolean> =>
      run.length > 1 && onBatch !== undefined && (await beatWhile(onBatch(run), heartbeat, timeouts));
    const isOurs = (): boolean => {
      if (!isCurrent()) throw new Error('another member has taken over'); // ends a member that came back from the dead
      return isRunning() && !isStale();
    };
    const resolve = async ({ offset }: ReceivedMessage): Promise<void> => {
      resolveOffset(offset);
      await sign();
    };
    const workOff = async (run: readonly ReceivedMessage[]): Promise<void> => {
      const last = run.at(-1);
      if (last && (await offer(run))) return resolve(last);
      for (const message of run) {
        if (!isOurs()) return;
        await beatWhile(onMessage(message, sign), heartbeat, timeouts);
        await resolve(message);
      }
    };
    for (const run of inRuns(batch.messages.map((message) => receivedMessage(batch, message))))
      if (isOurs()) await workOff(run);
    if (isOurs()) await commitOffsetsIfNecessary();
  };
