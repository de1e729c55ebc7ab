// The charge of credits, from top to bottom:
//   chargeCredit: attempt → recorded response → retry → refuse
//   attemptCharge: select the window (cached or current) → write
//   writeCharge: contact check → take the credits, with their events → ledger entry, in one transaction. A user who has credits beside
//     the window is charged by chargeBuckets, others by one UPDATE
import { randomUUID } from 'node:crypto';
import type { ChargeResult, Reservation } from '@shortlist/contracts/api/credits';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import type { ReserveInput, SpendInput } from '@shortlist/contracts/schemas/credits';
import { type Db, inTransaction, isDuplicate, type Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { insertLedgerParts, sumUsable } from '../buckets/queries.ts';
import { claimContact } from '../ledger/contact-queries.ts';
import { findLedgerEntry, insertLedgerEntry, type LedgerEntry } from '../ledger/queries.ts';
import {
  findReservationOfOperation,
  insertReservation,
  type NewReservation,
} from '../reservations/queries.ts';
import { releaseExpiredOf } from '../reservations/return-credit.ts';
import {
  chargeWindow,
  findCurrentWindow,
  openAt,
  openNextWindow,
  type OpenWindow,
  type WindowCache,
} from '../windows/credit-window.ts';
import { findWindow, isDeleted, type WindowRow } from '../windows/queries.ts';
import type { CatchUp } from './catch-up.ts';
import { chargeBuckets, type Taken } from './charge-buckets.ts';

export type ChargeParts = { db: Db; clock: Clock; catchUp: CatchUp; log: Log; windowCache: WindowCache };
type ChargeRequest = SpendInput & {
  userId: string;
  operationId: string;
  /** The tool that charges; null for the browser. */
  clientId: string | null;
  /** Makes the charge a reservation, in the same transaction. */
  reservation?: NewReservation;
};

/** A window that ends or fills up during an attempt is followed by another. More than this many mean a defect. */
const MAX_ATTEMPTS = 5;

/**
 * Charges the amount of a request, all or none, once per operation id: a repeated request gets the first response, whichever tool sends
 * it. Throws `credits.balance_too_low`.
 */
export const chargeCredit = async (parts: ChargeParts, request: ChargeRequest): Promise<ChargeResult> => {
  try {
    const attempt = await attemptCharge(parts, request);
    const result =
      attempt.result ??
      (await findRecordedResponse(parts, request)) ??
      (await retryRefusedCharge(parts, request, attempt.refusedBy));
    if (result === null) throw createError('credits.balance_too_low');
    return result;
  } catch (error) {
    const recorded = isDuplicate(error) ? await findRecordedResponse(parts, request) : null;
    if (recorded === null) throw error;
    return recorded;
  }
};

type Attempt = { result: ChargeResult | null; refusedBy: string | null };

const amountOf = ({ amount = 1 }: ChargeRequest): number => amount;

/**
 * Charges a window that is selected again after each refusal. The window may end, or the plan or a bucket change, between the selection
 * and the charge, which decides; so only a selection that refuses twice has too few credits. `refusedBy` is one that has refused before.
 */
const attemptCharge = async (
  parts: ChargeParts,
  request: ChargeRequest,
  refusedBy: string | null = null,
): Promise<Attempt> => {
  let refused = refusedBy;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    // Nothing tests a cached window against the account when the contact takes no credit, so a charge with a reference reads it.
    const canUseCache = refused === null && request.reference === undefined;
    const cached = canUseCache ? findCachedWindow(parts, request.userId) : null;
    const window = cached ?? (await openCurrentWindow(parts, request.userId));
    const selection = `${window.id}:${window.planVersion}:${window.bucketVersion}`;
    if (selection === refused) break;
    const result = await writeCharge(parts, request, window);
    if (result) return { result, refusedBy: null };
    refused = selection;
  }
  return { result: null, refusedBy: refused };
};

const findCachedWindow = ({ clock, windowCache }: ChargeParts, userId: string): OpenWindow | null => {
  const cached = windowCache.get(userId);
  const now = clock();
  return cached && cached.window.endsAt > now
    ? openAt(cached.window, { holdings: cached.holdings, now })
    : null;
};

/** Reads the window in force and opens it when there is none. Caches it if it is all that the user has. */
const openCurrentWindow = async (
  { db, clock, windowCache }: ChargeParts,
  userId: string,
): Promise<OpenWindow> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const { open, holdings } = await findCurrentWindow(db.manager, userId, clock());
    if (open !== null) {
      if (holdings.inBuckets === 0) windowCache.set(userId, { holdings, window: open });
      else windowCache.delete(userId);
      return open;
    }
    await inTransaction(db, (tx) => openNextWindow(tx, userId, clock));
  }
  throw createError('service.unavailable');
};

/** Writes a charge in one transaction. Returns null, with nothing written, when the window has too few credits or is not in force. */
const writeCharge = async (
  { db, clock }: ChargeParts,
  request: ChargeRequest,
  window: OpenWindow,
): Promise<ChargeResult | null> => {
  const charge: Charge = { request, window, clock };
  try {
    return await inTransaction(db, async (tx) => {
      const isFree = await isContactCharged(tx, charge);
      const taken = isFree ? await recordFreeCharge(tx, charge) : await recordCharge(tx, charge);
      if (request.reservation) await insertReservation(tx, request, request.reservation);
      return resultOf(window, taken, isFree ? 0 : amountOf(request));
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'credits.balance_too_low') return null;
    throw error;
  }
};

type Charge = { request: ChargeRequest; window: OpenWindow; clock: Clock };

const resultOf = (
  { limit }: WindowRow,
  { used, inBuckets }: Pick<Taken, 'used' | 'inBuckets'>,
  charged: number,
): ChargeResult => ({ used, available: limit - used + inBuckets, limit, charged });

const isContactCharged = async (tx: Tx, { request, clock }: Charge): Promise<boolean> => {
  const { userId, operationId, reason, reference } = request;
  if (reference === undefined) return false;
  return !(await claimContact(tx, { userId, reason, reference, operationId, chargedAt: clock() }));
};

const take = async (tx: Tx, { request, window, clock }: Charge): Promise<Taken | null> => {
  const charge = { amount: amountOf(request), clock };
  if (window.inBuckets > 0) return chargeBuckets(tx, window, charge);
  const used = await chargeWindow(tx, window, charge);
  return used === null ? null : { used, inBuckets: 0, parts: [] };
};

/** Takes the credits and writes them to the ledger. Throws `credits.balance_too_low`, which rolls the contact back. */
const recordCharge = async (tx: Tx, charge: Charge): Promise<Taken> => {
  const taken = await take(tx, charge);
  if (taken === null) throw createError('credits.balance_too_low');
  const entryId = await insertEntry(tx, charge, { amount: -amountOf(charge.request), ...taken });
  const { parts } = taken;
  await insertLedgerParts(tx, { entryId, userId: charge.request.userId, parts, sign: -1 });
  return taken;
};

/**
 * Records the charge of a contact that was charged before: no credit, but an entry for the history and for repeated requests.
 * A window that is gone refuses: the user is being deleted.
 */
const recordFreeCharge = async (tx: Tx, charge: Charge): Promise<Taken> => {
  const { window, clock } = charge;
  const stored = await findWindow(tx, window.id);
  if (stored === null) throw createError('credits.balance_too_low');
  const inBuckets = window.inBuckets === 0 ? 0 : await sumUsable(tx, window.userId, clock());
  const { used } = stored;
  await insertEntry(tx, charge, { amount: 0, used, inBuckets });
  return { used, inBuckets, parts: [] };
};

const insertEntry = (
  tx: Tx,
  { request, window, clock }: Charge,
  { amount, used, inBuckets }: { amount: number; used: number; inBuckets: number },
): Promise<number> =>
  insertLedgerEntry(tx, {
    userId: request.userId,
    operationId: request.operationId,
    clientId: request.clientId,
    reason: request.reason,
    reference: request.reference ?? null,
    requestedAmount: amountOf(request),
    windowId: window.id,
    amount,
    usedAfter: used,
    bucketsAfter: inBuckets,
    createdAt: clock(),
  });

/** The response that the ledger has for this operation, or null. Throws `credits.key_reused` when it was another charge. */
const findRecordedResponse = async (
  { db: { manager: tx } }: ChargeParts,
  request: ChargeRequest,
): Promise<ChargeResult | null> => {
  const entry = await findLedgerEntry(tx, request.userId, request.operationId);
  const window = entry && (await findWindow(tx, entry.windowId));
  if (!entry || !window) return null;
  if (!(await isSameCharge(tx, request, entry))) throw createError('credits.key_reused');
  const { usedAfter: used, bucketsAfter: inBuckets, amount } = entry;
  return resultOf(window, { used, inBuckets }, Math.abs(amount));
};

const isSameCharge = async (tx: Tx, request: ChargeRequest, entry: LedgerEntry): Promise<boolean> => {
  const { userId, operationId, reason, reference, reservation } = request;
  if (entry.reason !== reason || entry.reference !== (reference ?? null)) return false;
  if (entry.requestedAmount !== amountOf(request)) return false;
  // A reserved credit may be returned, so the response of a reservation is none for a plain charge.
  return reservation !== undefined || (await findReservationOfOperation(tx, userId, operationId)) === null;
};

/** The last attempts before a refusal: after the release of the user's expired reservations, and then with billing's plan state and packs. */
const retryRefusedCharge = async (
  parts: ChargeParts,
  request: ChargeRequest,
  refusedBy: string | null,
): Promise<ChargeResult | null> => {
  const { catchUp, log } = parts;
  const released = await releaseExpiredOf(parts, request.userId);
  const attempt = released > 0 ? await attemptCharge(parts, request) : { result: null, refusedBy };
  if (attempt.result !== null) return attempt.result;
  await catchUp(request.userId).catch((error: unknown) =>
    log.warn({ err: error }, 'plan and packs not read from billing'),
  );
  return (await attemptCharge(parts, request, attempt.refusedBy)).result;
};

type ReserveRequest = Omit<ChargeRequest, 'reservation'> & ReserveInput;

/** Long enough for a slow lookup, and short enough that the credits of a client that failed are available again soon. */
const HOLD_SECONDS = inSeconds(minutes(5));

/**
 * Charges credits for a client that pays only on success, once per operation id. They count as used at once, so reservations cannot
 * exceed the limit. A commit of a part returns the others, a release or the expiry of the reservation all.
 */
export const reserveCredit = async (
  parts: ChargeParts,
  { holdSeconds = HOLD_SECONDS, ...request }: ReserveRequest,
): Promise<Reservation> => {
  const { userId, operationId } = request;
  const tx = parts.db.manager;
  const reserving = { ...request, reservation: { id: randomUUID(), holdSeconds } };
  const { charged, ...amounts } = await chargeCredit(parts, reserving);
  const reservation = await findReservationOfOperation(tx, userId, operationId);
  if (reservation === null) {
    // Without a reservation the operation is a plain charge, unless the user was deleted after the charge.
    throw createError((await isDeleted(tx, userId)) ? 'credits.user_not_found' : 'credits.key_reused');
  }
  const { id, state, expiresAt } = reservation;
  if ((reservation.holdSeconds ?? holdSeconds) !== holdSeconds) throw createError('credits.key_reused');
  return { id, amount: charged, state, expiresAt: expiresAt.toISOString(), ...amounts };
};
