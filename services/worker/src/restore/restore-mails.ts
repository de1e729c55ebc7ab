// The mails after worker's database was set back: the positions of its group, which Kafka keeps, tell which events it had handled.
import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Bus, Position } from '@shortlist/kit/messaging/bus';
import { addHandled, listUnhandled } from '@shortlist/kit/messaging/inbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { MAILED, releaseWaitingMails } from '../mail/queries.ts';

type Parts = { db: Db; bus: Bus; clock: Clock; print: (line: string) => void };

const CONSUMER = 'worker';
const TOPICS = [
  ...new Set(
    eventCatalogue.filter(({ consumedBy }) => consumedBy.includes(CONSUMER)).map(({ event }) => event.topic),
  ),
];

/** Events compared with the inbox at once. */
const CHUNK = 1_000;

/** Notes the events of a topic that were handled and that the database does not know. Returns how many. */
const noteMailed = async (
  { db, bus, clock }: Parts,
  topic: string,
  positions: readonly Position[],
): Promise<number> => {
  const ofTopic = positions.filter((position) => position.topic === topic);
  const ends = new Map(ofTopic.map(({ partition, next }) => [partition, next ?? 0n]));
  let [ids, count]: [string[], number] = [[], 0];
  const note = async (): Promise<void> => {
    const lost = await listUnhandled(db, CONSUMER, ids);
    await addHandled({ db, clock, consumer: MAILED }, lost);
    [ids, count] = [[], count + lost.length];
  };
  await bus.readAll(topic, async ({ partition, offset, value }) => {
    if (BigInt(offset) >= (ends.get(partition) ?? 0n)) return;
    const id = /"id":"([0-9a-f-]{36})"/.exec(value)?.[1]; // also of an event that this version cannot parse
    if (id !== undefined && ids.push(id) === CHUNK) await note();
  });
  await note();
  return count;
};

/**
 * Keeps mails from being sent twice. worker handles every event again that it lost, for webhooks, exports and deletions; the mails of those that
 * it had handled before were sent then, unless they were still waiting.
 */
export const restoreMails = async (parts: Parts): Promise<void> => {
  const { db, bus, print } = parts;
  const positions = await bus.readPositions(CONSUMER, TOPICS);
  let mailed = 0;
  for (const topic of TOPICS) mailed += await noteMailed(parts, topic, positions);
  print(`${mailed} events had been handled since: their mails were sent then, and are not sent again.`);
  const waiting = await inTransaction(db, releaseWaitingMails);
  for (const { id, template, userId } of waiting)
    print(`${id}\t${template} to ${userId} was waiting: sent now, perhaps a second time`);
  print(
    'Messages to webhooks from since then are sent again under the same ids. Mails that the provider had not yet accepted are lost, as are the reports of deliveries.',
  );
};
