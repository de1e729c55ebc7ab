// The ledger after credits' database was set back: its own topics have the charges, returns and grants since.
import { recordSystemChange } from '@shortlist/audit/audit-log';
import { minutes, seconds } from '@shortlist/contracts/durations';
import { planGranted } from '@shortlist/contracts/events/billing';
import * as credits from '@shortlist/contracts/events/credits';
import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { type EventHandler, on } from '@shortlist/kit/messaging/handle-batch';
import { readEvents, readLostEvents } from '@shortlist/kit/messaging/read-events';
import type { Clock } from '@shortlist/kit/process/clock';
import { isUnavailable } from '@shortlist/kit/process/errors';
import { isDeleted, lockAccount, raiseBucketVersion, upsertCycles } from '../accounts/queries.ts';
import { availableIn, balanceReasonOf, newBucket } from '../buckets/bucket.rules.ts';
import { isPlanBucket, type PlanBucket } from '../buckets/plan-bucket.rules.ts';
import { changeUse, findBucket, getBalance, insertBuckets, updateBucket } from '../buckets/queries.ts';
import { creditsHandlers } from '../consumers.ts';
import { contactOf, raisePrice } from '../contacts/queries.ts';
import { hasEntry, insertLedgerEntry, internalOperationId, OF_NO_CHARGE } from '../ledger/queries.ts';
import { listHeldSince, lockReservation, reinsertReservation } from '../reservations/queries.ts';
import { commitReservation, releaseReservation } from '../reservations/settle-reservation.ts';

type Parts = { db: Db; bus: Bus; clock: Clock; since: Date; print: (line: string) => void };

/** How one lost event is applied again. Returns what was brought back; null if the database has it, or its user is deleted. */
type Lost = { event: CloudEvent<unknown>; apply: (tx: Tx) => Promise<string | null> };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const NOT_STATED = 'cannot be brought back: its event is of a version that does not state it';

/** The plan's bucket of a charge. A free one that was opened since is lost, too; billing's events have opened those of paid plans. */
const openPlanBucket = async (
  tx: Tx,
  { subject: userId, data }: CloudEvent<credits.CreditsSpent>,
  source: string,
): Promise<PlanBucket> => {
  const { plan, limit, windowStart, windowEnd } = data;
  const period = { startsAt: new Date(windowStart), endsAt: new Date(windowEnd) };
  const isNew = await insertBuckets(
    tx,
    newBucket({ userId, kind: 'plan', plan, source, credits: limit, ...period }),
  );
  if (isNew === 1 && plan === 'free') await upsertCycles(tx, [{ userId, dueAt: period.endsAt }]);
  const bucket = await findBucket(tx, userId, source);
  if (bucket === null || !isPlanBucket(bucket))
    throw new Error(`${source} of ${userId} is no bucket of a plan`);
  return bucket;
};

const restoreCharge = async (
  tx: Tx,
  event: CloudEvent<credits.CreditsSpent>,
  clock: Clock,
): Promise<string | null> => {
  const { subject: userId, data } = event;
  const { charge } = data;
  if (charge === null) return NOT_STATED;
  const { operationId, reservation, requestedAmount } = charge;
  if ((await isDeleted(tx, userId)) || (await hasEntry(tx, userId, operationId))) return null;
  const time = new Date(event.time);
  const contact = reservation === null ? contactOf({ ...charge, userId }) : null;
  if (contact !== null)
    await raisePrice(tx, contact, { amount: requestedAmount, limit: requestedAmount }, time);
  const plan = await openPlanBucket(tx, event, charge.bucketId);
  const parts =
    charge.parts.length > 0 ? charge.parts : [{ source: plan.source, position: 0, amount: charge.amount }];
  for (const { source, amount } of parts) if (amount > 0) await changeUse(tx, userId, source, amount);
  const balance = await getBalance(tx, plan, clock(), 'credits.user_not_found');
  const amounts = { amount: -charge.amount, added: 0, bucketId: plan.id };
  await insertLedgerEntry(tx, { ...charge, ...amounts, userId, parts, balance, createdAt: time });
  if (reservation !== null) {
    const expiresAt = new Date(time.getTime() + seconds(reservation.holdSeconds));
    await reinsertReservation(tx, { userId, operationId, expiresAt }, reservation);
  }
  return `charge ${operationId} of ${charge.amount}`;
};

const restoreReturn = async (
  tx: Tx,
  { subject: userId, data: { returned } }: CloudEvent<credits.CreditReleased>,
  clock: Clock,
): Promise<string | null> => {
  if (returned === null) return NOT_STATED;
  const { reservationId, committedAmount: amount } = returned;
  const key = { userId, reservationId };
  if ((await lockReservation(tx, userId, reservationId))?.state !== 'held') return null;
  if (amount === null) await releaseReservation(tx, key, clock);
  else await commitReservation(tx, { ...key, amount }, clock);
  return `return of ${returned.amount} from reservation ${reservationId}`;
};

/** Gives a grant again, or takes it back again. Its mail was sent then, and the reason that the admin gave is lost. Packs are billing's. */
const restoreGrant = async (
  tx: Tx,
  { subject: userId, time, data }: CloudEvent<credits.CreditBucketData>,
  clock: Clock,
): Promise<string | null> => {
  const { bucketId: source, kind, credits: given, usable } = data;
  if (kind !== 'grant' || !(await lockAccount(tx, userId))) return null;
  const startsAt = new Date(time);
  const endsAt = data.endsAt === null ? null : new Date(data.endsAt);
  const opening = { userId, kind, source, credits: given, startsAt, endsAt } as const;
  const isNew = (await insertBuckets(tx, newBucket(opening))) === 1;
  const bucket = await findBucket(tx, userId, source);
  if (bucket === null) throw new Error(`grant ${source} of ${userId} is not stored`);
  if (!isNew && bucket.usable <= usable) return null; // a grant only ever loses credits
  const after = { ...bucket, usable };
  await updateBucket(tx, bucket, { usable });
  await raiseBucketVersion(tx, userId);
  const added = availableIn(after, startsAt) - (isNew ? 0 : availableIn(bucket, startsAt));
  const reason = balanceReasonOf('grant', added, isNew);
  const operationId = internalOperationId(`${reason}:${source}:0`);
  const entry = { ...OF_NO_CHARGE, userId, operationId, added, reason, createdAt: startsAt };
  if (!(await hasEntry(tx, userId, operationId)))
    await insertLedgerEntry(tx, { ...entry, requestedAmount: Math.abs(added) });
  const action = usable > 0 ? 'credits.grant' : 'credits.revoke';
  const state = {
    grant: source,
    credits: given,
    used: bucket.used,
    reason: 'lost, with a state of the database',
  };
  await recordSystemChange(tx, { action, targetId: userId, after: state, clock });
  return usable > 0 ? `grant ${source} of ${given}` : `grant ${source} taken back`;
};

/** The lost events of credits' topics in the order in which they were emitted, and the topics that have not all of them. */
const readLost = async (parts: Parts): Promise<{ lost: Lost[]; incomplete: string[] }> => {
  const lost: Lost[] = [];
  const note = <Data>(
    type: EventType<Data>,
    restore: (tx: Tx, event: CloudEvent<Data>, clock: Clock) => Promise<string | null>,
  ): EventHandler =>
    on(type, (event) => {
      lost.push({ event, apply: (tx) => restore(tx, event, parts.clock) });
      return Promise.resolve();
    });
  const grants = [
    note(credits.creditsGranted, restoreGrant),
    note(credits.creditBucketChanged, restoreGrant),
  ];
  const charges = [note(credits.creditsSpent, restoreCharge), note(credits.creditReleased, restoreReturn)];
  const incomplete: string[] = [];
  for (const [{ topic }, handlers] of [
    [credits.creditsGranted, grants],
    [credits.creditsSpent, charges],
  ] as const)
    if (!(await readLostEvents(parts, topic, handlers))) incomplete.push(topic);
  // Ids are in the order of time.
  return { lost: lost.toSorted((one, other) => (one.event.id < other.event.id ? -1 : 1)), incomplete };
};

const RELEASED_MS = minutes(3);

/** A commit in full has no event, but whatever expires is released within minutes, which has one. */
const commitWhatWasNotReleased = async ({ db, clock }: Parts, lastEvent: Date): Promise<number> => {
  const before = new Date(lastEvent.getTime() - RELEASED_MS);
  const reservations = await listHeldSince(db.manager, before);
  for (const { userId, id: reservationId } of reservations)
    await inTransaction(db, (tx) => commitReservation(tx, { userId, reservationId }, clock));
  return reservations.length;
};

/**
 * Brings back the charges, returns and grants that were lost, each once by its operation. Plans, packs and deletions come first, by the events
 * of other services, because charges count in their buckets.
 */
export const restoreLedger = async (parts: Parts): Promise<void> => {
  const { db, clock, print } = parts;
  const left = (event: CloudEvent<never>, error: unknown): void =>
    print(`${event.type} ${event.id} is left to the consumer: ${messageOf(error)}`);
  const handlers = creditsHandlers(db, clock).map((handler) => ({
    ...handler,
    handle: (event: CloudEvent<never>) => handler.handle(event).catch((error: unknown) => left(event, error)),
  }));
  for (const { topic } of [userDeleted, planGranted]) await readEvents(parts, topic, handlers);
  const { lost, incomplete } = await readLost(parts);
  let restored = 0;
  for (const { event, apply } of lost) {
    const done = await inTransaction(db, apply).catch((error: unknown) => {
      if (isUnavailable(error)) throw error;
      return `lost: ${event.type} ${event.id}: ${messageOf(error)}`;
    });
    if (done === null) continue;
    restored += 1;
    print(`${event.subject}\t${event.time}\t${done}`);
  }
  for (const topic of incomplete)
    print(`${topic} has no event that the database knows. If Kafka has lost it, what it had is lost.`);
  const last = lost.at(-1);
  const committed = last === undefined ? 0 : await commitWhatWasNotReleased(parts, new Date(last.event.time));
  print(`${restored} of ${lost.length} charges, returns and grants since were missing, and are as printed.`);
  print(`${committed} reservations that had not been released in time count as committed.`);
  print(
    'Reservations that were committed in the last minutes before the loss are released when they expire. Settings of mails about credits from since then are lost, and a warning may be mailed again.',
  );
};
