import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { createOutboxAndInbox } from '@shortlist/kit/testing/databases';
import { openBus } from '../../harness/broker.ts';
import type { Print } from './measure.ts';
import { type BenchDb, withDatabase } from './surroundings.ts';

const SIZES = [100_000, 3_000_000];
const PROGRAM = fileURLToPath(new URL('verify-process.ts', import.meta.url));
/** As in a pod of 512 MiB. */
const HEAP = '--max-old-space-size=256';
const BATCH = 5_000;
const TYPE = 'billing.PaymentSucceeded.v1';
const CONSUMERS = ['profile', 'credits', 'worker'];

const idOf = (row: number): string => `00000000-0000-7000-8000-${String(row).padStart(12, '0')}`;

const EVENT_ID = "CONCAT('00000000-0000-7000-8000-', LPAD(seq, 12, '0'))";

/** Adds a batch of events, from this number on, to the outbox, to the inboxes and to the topic. */
const addBatch = async (
  { bus, outbox, inboxes }: { bus: Bus; outbox: BenchDb; inboxes: BenchDb },
  from: number,
): Promise<void> => {
  const numbers = `seq_${from}_to_${from + BATCH - 1}`;
  await outbox.db.query(`INSERT INTO outbox
    SELECT seq, ${EVENT_ID}, 'billing.events', '', '{"type":"${TYPE}"}', NOW(3), NOW(3) FROM ${numbers}`);
  for (const consumer of CONSUMERS)
    await inboxes.db.query(`INSERT INTO inbox (consumer, event_id, handled_at)
     SELECT '${consumer}', ${EVENT_ID}, NOW(3) FROM ${numbers}`);
  const messages = Array.from({ length: BATCH }, (_, index) => {
    const event = idOf(from + index);
    return { key: event, value: `{"id":"${event}"}` };
  });
  await bus.publish('billing.events', messages);
};

const measure = async (
  print: Print,
  { outbox, inboxes }: { outbox: BenchDb; inboxes: BenchDb },
): Promise<void> => {
  const { kafkaBrokers } = outbox.backing;
  const bus = openBus(kafkaBrokers);
  await bus.ensureTopics(['billing.events']);
  let events = 0;
  for (const size of SIZES) {
    for (; events < size; events += BATCH) await addBatch({ bus, outbox, inboxes }, events + 1);
    const checker = spawnSync(process.execPath, [HEAP, PROGRAM, outbox.url, inboxes.url, kafkaBrokers], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { breaches, seconds, megabytes } = JSON.parse(checker.stdout) as Record<string, number>;
    print(
      `V5 ${size} events: ${breaches} breaches, ${seconds?.toFixed(0)} s, ${megabytes?.toFixed(0)} MB at its peak`,
    );
  }
  await bus.close();
};

/** V5 The memory that `verify` takes to follow every event, by their number. */
export const benchVerify = async (print: Print): Promise<void> => {
  const schema = { entities: [], migrations: [createOutboxAndInbox] };
  await withDatabase({ name: 'outbox', schema, parts: ['database', 'kafka'] }, (outbox) =>
    withDatabase({ name: 'inboxes', schema }, (inboxes) => measure(print, { outbox, inboxes })),
  );
};
