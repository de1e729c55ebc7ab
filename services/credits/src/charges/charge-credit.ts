// The charge of credits, from top to bottom:
//   charge: attempt → recorded response → retry → refuse
//   attempt: select the buckets (cached or current) → write
//   chargeFinally, chargeReserved: price of the contact → take the credits beyond it, with their events → ledger entry, in one transaction
import { randomUUID } from 'node:crypto';
import type {
  ChargeResult,
  CreditsAmounts,
  Reservation,
  ReserveInput,
  SpendInput,
} from '@shortlist/contracts/api/credits';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { type Db, inTransaction, isDuplicate, type Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { LRUCache } from 'lru-cache';
import { isDeleted } from '../accounts/queries.ts';
import {
  type CurrentBuckets,
  findCurrentBuckets,
  isSameSelection,
  type OpenBuckets,
} from '../buckets/current-buckets.ts';
import { openNextBucket } from '../buckets/open-bucket.ts';
import { findBalance } from '../buckets/queries.ts';
import {
  type Contact,
  contactOf,
  findPrice,
  findRepeat,
  lockPrice,
  type Price,
  updatePrice,
  updateRepeat,
} from '../contacts/queries.ts';
import { findLedgerEntry, insertLedgerEntry, type LedgerEntry } from '../ledger/queries.ts';
import {
  findReservationOfOperation,
  insertReservation,
  listExpiredOf,
  type NewReservation,
} from '../reservations/queries.ts';
import { releaseExpired } from '../reservations/return-credit.ts';
import type { CatchUp } from './catch-up.ts';
import { countUse } from './daily-use-queries.ts';
import { takeCredits } from './take-credits.ts';

type ChargeRequest = SpendInput & {
  userId: string;
  operationId: string;
  /** The app that charges; null for the browser. */
  clientId: string | null;
  /** Makes the charge a reservation, in the same transaction. */
  reservation?: NewReservation;
};

const amountOf = ({ amount = 1 }: ChargeRequest): number => amount;

/** What the request costs beyond what was paid for its contact. */
const dueOf = (request: ChargeRequest, price: Price | null): number =>
  Math.max(0, amountOf(request) - (price?.paid ?? 0));

/**
 * The response that the ledger has for this operation, or a contact if it cost nothing; or null. Throws `credits.key_reused` when it was
 * another charge.
 */
const findRecordedResponse = async (tx: Tx, request: ChargeRequest): Promise<ChargeResult | null> => {
  const entry = await findLedgerEntry(tx, request.userId, request.operationId);
  if (entry === null) return findRepeatedResponse(tx, request);
  if (!(await isSameCharge(tx, request, entry))) throw createError('credits.key_reused');
  return { ...entry.balance, charged: Math.abs(entry.amount) };
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
  // A reserved credit may be returned, so the response to a reservation does not answer a plain charge.
  return reservation !== undefined || (await findReservationOfOperation(tx, userId, operationId)) === null;
};

/** A charge of buckets that were selected. Its functions throw `credits.balance_too_low` when those have too few credits or are not current. */
type Charge = { request: ChargeRequest; selected: OpenBuckets; clock: Clock };

const chargeFinally = async (tx: Tx, charge: Charge): Promise<ChargeResult> => {
  const { request, clock } = charge;
  const contact = contactOf(request);
  if (contact === null) return recordCharge(tx, charge, amountOf(request));
  const price = await lockPrice(tx, contact, clock());
  const due = dueOf(request, price);
  if (due === 0) return repeatCharge(tx, charge, contact);
  const result = await recordCharge(tx, charge, due);
  await updatePrice(tx, contact, { ...price, paid: price.paid + due });
  return result;
};

/**
 * Responds to a charge that costs nothing, since as much was paid for its contact before. It writes no entry: the contact, which the caller
 * has locked, remembers the last such charge.
 */
const repeatCharge = async (tx: Tx, charge: Charge, contact: Contact): Promise<ChargeResult> => {
  const { request, clock } = charge;
  const recorded = await findRecordedResponse(tx, request);
  if (recorded !== null) return recorded;
  await countUse(tx, { userId: request.userId, kind: 'free_charge' }, clock());
  const response = { ...(await getBalance(tx, charge)), charged: 0 };
  await updateRepeat(tx, contact, { amount: amountOf(request), response });
  return response;
};

/** The price is read without a lock: the commit compares it again. A deletion waits for the counted use. */
const chargeReserved = async (tx: Tx, charge: Charge, reservation: NewReservation): Promise<ChargeResult> => {
  const { request, clock } = charge;
  const contact = contactOf(request);
  const price = contact && (await findPrice(tx, contact, clock()));
  await countUse(tx, { userId: request.userId, kind: 'reservation' }, clock());
  const result = await recordCharge(tx, charge, dueOf(request, price));
  await insertReservation(tx, request, reservation);
  return result;
};

/** Takes the credits and writes the entry. A reservation that takes nothing has one too, for its commit and for repeated requests. */
const recordCharge = async (tx: Tx, charge: Charge, amount: number): Promise<ChargeResult> => {
  const { request, selected, clock } = charge;
  const taken =
    amount === 0
      ? { balance: await getBalance(tx, charge), parts: [] }
      : await takeCredits(tx, selected, amount, clock);
  if (taken === null) throw createError('credits.balance_too_low');
  await insertLedgerEntry(tx, {
    ...taken,
    userId: request.userId,
    operationId: request.operationId,
    clientId: request.clientId,
    reason: request.reason,
    reference: request.reference ?? null,
    requestedAmount: amountOf(request),
    bucketId: selected.plan.id,
    amount: -amount,
    createdAt: clock(),
  });
  return { ...taken.balance, charged: amount };
};

/** What the user has after a charge that takes nothing. A bucket that is gone refuses: the user is being deleted. */
const getBalance = async (tx: Tx, { selected, clock }: Charge): Promise<CreditsAmounts> => {
  const balance = await findBalance(tx, selected.plan.id, clock());
  if (balance === null) throw createError('credits.balance_too_low');
  return balance;
};

/** Errors that a repeated request meets, too. */
const REPEATED: readonly ErrorCode[] = ['credits.key_reused', 'credits.daily_limit'];

const mayBeRepeated = (error: unknown): boolean =>
  isDuplicate(error) || (error instanceof AppError && REPEATED.includes(error.code));

/** Buckets that end or fill up during an attempt are followed by others. More than this many mean a defect. */
const MAX_ATTEMPTS = 5;

/** `refused` is a selection that has refused the charge. */
type Attempt = { result: ChargeResult | null; refused: CurrentBuckets | null };

/** Long enough for a slow lookup, and short enough that the credits of a client that failed are available again soon. */
const HOLD_SECONDS = inSeconds(minutes(5));

/** Charges credits, for good or for a reservation. */
export class Charges {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #catchUp: CatchUp;
  /**
   * The buckets of each user's last charge, so that the next charge does not read them; only of users who have no grant or pack left. An
   * entry may be stale: the UPDATE that takes the credit tests it, and a charge that it refuses reads the buckets again.
   */
  readonly #cache = new LRUCache<string, OpenBuckets>({ max: 10_000 });

  constructor(db: Db, clock: Clock, log: Log, catchUp: CatchUp) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#catchUp = catchUp;
  }

  /**
   * Charges the amount of a request, all or none, once per operation id: a repeated request gets the first response, whichever app sends
   * it. Throws `credits.balance_too_low` and `credits.daily_limit`.
   */
  async charge(request: ChargeRequest): Promise<ChargeResult> {
    const tx = this.#db.manager;
    try {
      const attempt = await this.#attempt(request, null);
      const result =
        attempt.result ??
        (await findRecordedResponse(tx, request)) ??
        (await this.#retry(request, attempt.refused));
      if (result === null) throw createError('credits.balance_too_low');
      return result;
    } catch (error) {
      const recorded = mayBeRepeated(error) ? await findRecordedResponse(tx, request) : null;
      if (recorded === null) throw error;
      return recorded;
    }
  }

  /**
   * Charges credits for a client that pays only on success, once per operation id. They count as used at once, so reservations cannot
   * exceed the limit. A commit of a part returns the others, a release or the expiry of the reservation all.
   */
  async reserve({
    holdSeconds = HOLD_SECONDS,
    ...request
  }: Omit<ChargeRequest, 'reservation'> & ReserveInput): Promise<Reservation> {
    const { userId, operationId } = request;
    const tx = this.#db.manager;
    const reserving = { ...request, reservation: { id: randomUUID(), holdSeconds } };
    const { charged, ...amounts } = await this.charge(reserving);
    const reservation = await findReservationOfOperation(tx, userId, operationId);
    if (reservation === null) {
      // Without a reservation the operation is a plain charge, unless the user was deleted after the charge.
      throw createError((await isDeleted(tx, userId)) ? 'credits.user_not_found' : 'credits.key_reused');
    }
    const { id, state, expiresAt } = reservation;
    if ((reservation.holdSeconds ?? holdSeconds) !== holdSeconds) throw createError('credits.key_reused');
    return { id, amount: charged, state, expiresAt: expiresAt.toISOString(), ...amounts };
  }

  /**
   * Charges buckets that are selected again after each refusal. They may end, or the plan or a bucket change, between the selection and the
   * charge, which decides; so only a selection that refuses twice has too few credits.
   */
  async #attempt(request: ChargeRequest, refusedBefore: CurrentBuckets | null): Promise<Attempt> {
    let refused = refusedBefore;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      // Nothing tests cached buckets against the account when the contact takes no credit, so a charge with a reference reads them.
      const canUseCache = refused === null && request.reference === undefined;
      const cached = canUseCache ? this.#findCached(request.userId) : null;
      const selected = cached ?? (await this.#openCurrent(request.userId));
      if (refused !== null && isSameSelection(selected, refused)) break;
      const result = await this.#write(request, selected);
      if (result) return { result, refused: null };
      refused = selected;
    }
    return { result: null, refused };
  }

  #findCached(userId: string): OpenBuckets | null {
    const cached = this.#cache.get(userId);
    return cached && cached.plan.endsAt > this.#clock() ? cached : null;
  }

  /** Reads the current buckets, and opens the plan's when it is not. */
  async #openCurrent(userId: string): Promise<OpenBuckets> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const current = await findCurrentBuckets(this.#db.manager, userId, this.#clock());
      if (current.isOpen) {
        if (current.others.length === 0) this.#cache.set(userId, current);
        else this.#cache.delete(userId);
        return current;
      }
      await inTransaction(this.#db, (tx) => openNextBucket(tx, userId, this.#clock));
    }
    throw createError('service.unavailable');
  }

  /** Writes a charge in one transaction. Returns null, with nothing written, when the buckets have too few credits or are not current. */
  async #write(request: ChargeRequest, selected: OpenBuckets): Promise<ChargeResult | null> {
    const charge = { request, selected, clock: this.#clock };
    const { reservation } = request;
    try {
      return await inTransaction(this.#db, (tx) =>
        reservation === undefined ? chargeFinally(tx, charge) : chargeReserved(tx, charge, reservation),
      );
    } catch (error) {
      if (error instanceof AppError && error.code === 'credits.balance_too_low') return null;
      throw error;
    }
  }

  /** The last attempts before a refusal: after the release of the user's expired reservations, and then with billing's plan state and packs. */
  async #retry(request: ChargeRequest, refused: CurrentBuckets | null): Promise<ChargeResult | null> {
    const expired = await listExpiredOf(this.#db.manager, request.userId);
    const released = await releaseExpired(this.#db, this.#clock, this.#log, expired);
    const attempt = released > 0 ? await this.#attempt(request, null) : { result: null, refused };
    if (attempt.result !== null) return attempt.result;
    await this.#catchUp(request.userId).catch((error: unknown) =>
      this.#log.warn({ err: error }, 'plan and packs not read from billing'),
    );
    return (await this.#attempt(request, attempt.refused)).result;
  }
}
