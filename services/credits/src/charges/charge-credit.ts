// The charge of credits, from top to bottom:
//   chargeCredit: attempt → recorded response → retry → refuse
//   attemptCharge: select the window (cached or current) → write
//   writeCharge: price of the contact → take the credits beyond it, with their events → ledger entry, in one transaction. A user who has
//     credits beside the window is charged by chargeBuckets, others by one UPDATE
import { randomUUID } from 'node:crypto';
import type { ChargeResult, Reservation } from '@shortlist/contracts/api/credits';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import type { ErrorCode } from '@shortlist/contracts/errors';
import type { ReserveInput, SpendInput } from '@shortlist/contracts/schemas/credits';
import { type Db, inTransaction, isDuplicate, type Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { insertLedgerParts, sumUsable } from '../buckets/queries.ts';
import {
  type Contact,
  contactOf,
  findPrice,
  findRepeat,
  lockPrice,
  type Price,
  updateRepeat,
  updatePrice,
} from '../ledger/contact-queries.ts';
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
import { countUse } from './daily-use-queries.ts';

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
 * it. Throws `credits.balance_too_low` and `credits.daily_limit`.
 */
export const chargeCredit = async (parts: ChargeParts, request: ChargeRequest): Promise<ChargeResult> => {
  try {
    const attempt = await attemptCharge(parts, request);
    const result =
      attempt.result ??
      (await findRecordedResponse(parts.db.manager, request)) ??
      (await retryRefusedCharge(parts, request, attempt.refusedBy));
    if (result === null) throw createError('credits.balance_too_low');
    return result;
  } catch (error) {
    const recorded = mayBeRepeated(error) ? await findRecordedResponse(parts.db.manager, request) : null;
    if (recorded === null) throw error;
    return recorded;
  }
};

/** Errors that a repeated request meets, too. */
const REPEATED: readonly ErrorCode[] = ['credits.key_reused', 'credits.daily_limit'];

const mayBeRepeated = (error: unknown): boolean =>
  isDuplicate(error) || (error instanceof AppError && REPEATED.includes(error.code));

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
  const { reservation } = request;
  try {
    return await inTransaction(db, (tx) =>
      reservation === undefined ? chargeFinally(tx, charge) : chargeReserved(tx, charge, reservation),
    );
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

/** What the request costs beyond what was paid for its contact. */
const dueOf = (request: ChargeRequest, price: Price | null): number =>
  Math.max(0, amountOf(request) - (price?.paid ?? 0));

const chargeFinally = async (tx: Tx, charge: Charge): Promise<ChargeResult> => {
  const { request, window, clock } = charge;
  const contact = contactOf(request);
  if (contact === null)
    return resultOf(window, await recordCharge(tx, charge, amountOf(request)), amountOf(request));
  const price = await lockPrice(tx, contact, clock());
  const due = dueOf(request, price);
  if (due === 0) return repeatCharge(tx, charge, contact);
  const taken = await recordCharge(tx, charge, due);
  await updatePrice(tx, contact, { ...price, paid: price.paid + due });
  return resultOf(window, taken, due);
};

/**
 * Responds to a charge that costs nothing, since as much was paid for its contact before. It writes no entry: the contact, which the caller
 * has locked, remembers the last such charge.
 */
const repeatCharge = async (tx: Tx, charge: Charge, contact: Contact): Promise<ChargeResult> => {
  const { request, window, clock } = charge;
  const recorded = await findRecordedResponse(tx, request);
  if (recorded !== null) return recorded;
  await countUse(tx, { userId: request.userId, kind: 'free_charge' }, clock());
  const response = resultOf(window, await readAmounts(tx, charge), 0);
  await updateRepeat(tx, contact, { amount: amountOf(request), response });
  return response;
};

/** The price is read without a lock: the commit compares it again. A deletion waits for the counted use. */
const chargeReserved = async (tx: Tx, charge: Charge, reservation: NewReservation): Promise<ChargeResult> => {
  const { request, window, clock } = charge;
  const contact = contactOf(request);
  const price = contact && (await findPrice(tx, contact, clock()));
  const due = dueOf(request, price);
  await countUse(tx, { userId: request.userId, kind: 'reservation' }, clock());
  const taken = due === 0 ? await recordFreeReservation(tx, charge) : await recordCharge(tx, charge, due);
  await insertReservation(tx, request, reservation);
  return resultOf(window, taken, due);
};

const take = async (tx: Tx, { window, clock }: Charge, amount: number): Promise<Taken | null> => {
  if (window.inBuckets > 0) return chargeBuckets(tx, window, { amount, clock });
  const used = await chargeWindow(tx, window, { amount, clock });
  return used === null ? null : { used, inBuckets: 0, parts: [] };
};

/** Takes the credits and writes them to the ledger. Throws `credits.balance_too_low`, which rolls the contact back. */
const recordCharge = async (tx: Tx, charge: Charge, amount: number): Promise<Taken> => {
  const taken = await take(tx, charge, amount);
  if (taken === null) throw createError('credits.balance_too_low');
  const entryId = await insertEntry(tx, charge, { amount: -amount, ...taken });
  const { parts } = taken;
  await insertLedgerParts(tx, { entryId, userId: charge.request.userId, parts, sign: -1 });
  return taken;
};

/** What the user has after a charge that takes nothing. A window that is gone refuses: the user is being deleted. */
const readAmounts = async (tx: Tx, { window, clock }: Charge): Promise<Taken> => {
  const stored = await findWindow(tx, window.id);
  if (stored === null) throw createError('credits.balance_too_low');
  const inBuckets = window.inBuckets === 0 ? 0 : await sumUsable(tx, window.userId, clock());
  return { used: stored.used, inBuckets, parts: [] };
};

/** A reservation that takes nothing has an entry too, for its commit and for repeated requests. */
const recordFreeReservation = async (tx: Tx, charge: Charge): Promise<Taken> => {
  const amounts = await readAmounts(tx, charge);
  await insertEntry(tx, charge, { amount: 0, ...amounts });
  return amounts;
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

/**
 * The response that the ledger has for this operation, or a contact if it cost nothing; or null. Throws `credits.key_reused` when it was
 * another charge.
 */
const findRecordedResponse = async (tx: Tx, request: ChargeRequest): Promise<ChargeResult | null> => {
  const entry = await findLedgerEntry(tx, request.userId, request.operationId);
  if (entry === null) return findRepeatedResponse(tx, request);
  const window = await findWindow(tx, entry.windowId);
  if (window === null) return null;
  if (!(await isSameCharge(tx, request, entry))) throw createError('credits.key_reused');
  const { usedAfter: used, bucketsAfter: inBuckets, amount } = entry;
  return resultOf(window, { used, inBuckets }, Math.abs(amount));
};

const findRepeatedResponse = async (tx: Tx, request: ChargeRequest): Promise<ChargeResult | null> => {
  const repeat = await findRepeat(tx, request);
  if (repeat === null) return null;
  const { reason, contactKey, amount, response } = repeat;
  const contact = contactOf(request);
  const isSame =
    contact?.reason === reason && contact.contactKey === contactKey && amount === amountOf(request);
  if (!isSame || request.reservation) throw createError('credits.key_reused');
  return response;
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
