// The charge of credits, from top to bottom:
//   charge: attempt → recorded response → retry → refuse
//   attempt: select the buckets (cached or current) → write
//   write: price of the contact → take the credits beyond it, with their events → ledger entry, in one transaction
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
import {
  type ChargeData,
  creditsExhausted,
  creditsLow,
  creditsSpent,
} from '@shortlist/contracts/events/credits';
import { type Db, inTransaction, isDuplicate, type Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { LRUCache } from 'lru-cache';
import { findAccount, isDeleted } from '../accounts/queries.ts';
import type { Bucket } from '../buckets/bucket.entity.ts';
import { balanceOf, divideCharge, type Part } from '../buckets/bucket.rules.ts';
import { openNextBucket } from '../buckets/open-bucket.ts';
import { periodEndOf, thresholdReached, windowOf } from '../buckets/plan-bucket.rules.ts';
import {
  changeUse,
  type CurrentBuckets,
  findCurrentBuckets,
  getBalance,
  insertWarningIfAbsent,
  isSameSelection,
  type OpenBuckets,
  takeFromPlan,
} from '../buckets/queries.ts';
import {
  type Contact,
  contactOf,
  findPrice,
  findRepeat,
  raisePrice,
  updateRepeat,
} from '../contacts/queries.ts';
import { findLedgerEntry, insertLedgerEntry } from '../ledger/queries.ts';
import {
  findReservationOfOperation,
  insertReservation,
  listExpiredOf,
  type NewReservation,
} from '../reservations/queries.ts';
import { releaseExpired } from '../reservations/settle-reservation.ts';
import type { CatchUp } from './catch-up.ts';
import { countUse } from './daily-use-queries.ts';

/** `clientId`: the app that charges; null for the browser. */
type ChargeInput = SpendInput & { userId: string; operationId: string; clientId: string | null };
/** `reservation` makes the charge a reservation, in the same transaction. */
type ChargeRequest = Omit<ChargeInput, 'reference'> & {
  reference: string | null;
  amount: number;
  reservation: NewReservation | null;
};

/** The response to an earlier request of this operation. Throws `credits.key_reused` when that was another charge. */
const findRecordedResponse = async (tx: Tx, request: ChargeRequest): Promise<ChargeResult | null> => {
  const { userId, operationId, reason, reference, amount, reservation } = request;
  const entry = await findLedgerEntry(tx, userId, operationId);
  if (entry !== null) {
    const isSame =
      entry.reason === reason &&
      entry.reference === reference &&
      entry.requestedAmount === amount &&
      // A reserved credit may be returned, so the response to a reservation does not answer a plain charge.
      (reservation !== null || (await findReservationOfOperation(tx, userId, operationId)) === null);
    if (!isSame) throw createError('credits.key_reused');
    return { ...entry.balance, charged: Math.abs(entry.amount) };
  }
  const repeat = await findRepeat(tx, request);
  if (repeat === null) return null;
  const isOfContact = repeat.reason === reason && repeat.contactKey === contactOf(request)?.contactKey;
  if (!isOfContact || repeat.amount !== amount || reservation !== null)
    throw createError('credits.key_reused');
  return repeat.response;
};

const WARNINGS = { 80: creditsLow, 100: creditsExhausted } as const;

/** A charge as its event has it, before its buckets are known. */
type Charge = Omit<ChargeData, 'bucketId' | 'parts'>;

const chargeOf = ({ reservation, ...request }: ChargeRequest, amount: number): Charge => {
  const { operationId, reason, reference, clientId, amount: requestedAmount } = request;
  return { operationId, amount, requestedAmount, reason, reference, clientId, reservation };
};

/** Emits CreditsSpent, and CreditsLow or CreditsExhausted, each once for a bucket of the plan, when few or no credits are left. */
const emitCharged = async (tx: Tx, charged: OpenBuckets, charge: ChargeData, clock: Clock): Promise<void> => {
  const { userId, state, plan, others } = charged;
  const { amount } = charge;
  const now = clock();
  const data = windowOf(plan, periodEndOf(plan, state, now));
  await emit(tx, creditsSpent, { subject: userId, data: { ...data, charge }, clock });
  const { available, limit } = balanceOf(plan, others, now);
  const threshold = thresholdReached(limit, available, amount);
  // Only a charge that reaches a threshold sends a statement.
  if (threshold === null || !(await insertWarningIfAbsent(tx, { bucketId: plan.id, threshold, userId })))
    return;
  const { wantsMails: mail } = await findAccount(tx, userId);
  const warning = { ...data, available, mail };
  await emit(tx, WARNINGS[threshold], { subject: userId, data: warning, clock });
};

/** Takes credits, all or none. Throws `credits.balance_too_low` when there are too few, or the selection is outdated. */
export const takeCredits = async (
  tx: Tx,
  selected: OpenBuckets,
  charge: Charge,
  clock: Clock,
): Promise<{ balance: CreditsAmounts; parts: Part[] }> => {
  const now = clock();
  const { amount } = charge;
  if (amount === 0)
    return { balance: await getBalance(tx, selected.plan, now, 'credits.balance_too_low'), parts: [] };
  let charged: OpenBuckets;
  let parts: Part[] = [];
  if (selected.others.length === 0) {
    const used = await takeFromPlan(tx, selected, amount, now);
    if (used === null) throw createError('credits.balance_too_low');
    charged = { ...selected, plan: { ...selected.plan, used } };
  } else {
    const current = await findCurrentBuckets(tx, selected.userId, now, 'FOR UPDATE');
    if (!current.isOpen || !isSameSelection(current, selected)) throw createError('credits.balance_too_low');
    const divided = divideCharge([current.plan, ...current.others], amount, now);
    if (divided === null) throw createError('credits.balance_too_low');
    for (const part of divided)
      if (part.amount > 0) await changeUse(tx, current.userId, part.source, part.amount);
    const taken = new Map(divided.map((part) => [part.source, part.amount]));
    const use = <B extends Bucket>(bucket: B): B => ({
      ...bucket,
      used: bucket.used + (taken.get(bucket.source) ?? 0),
    });
    charged = { ...current, plan: use(current.plan), others: current.others.map(use) };
    parts = divided;
  }
  await emitCharged(tx, charged, { ...charge, bucketId: selected.plan.source, parts }, clock);
  return { balance: balanceOf(charged.plan, charged.others, now), parts };
};

/** Errors that a repeated request gets as well. */
const REPEATED: readonly ErrorCode[] = ['credits.key_reused', 'credits.daily_limit'];

const mayBeRepeated = (error: unknown): boolean =>
  isDuplicate(error) || (error instanceof AppError && REPEATED.includes(error.code));

/** Buckets that end or fill up are followed by others; more than this many mean a defect. */
const MAX_ATTEMPTS = 5;

type Attempt = { request: ChargeRequest; refused: CurrentBuckets | null };

/** Long enough for a slow lookup, and short enough that the credits of a client that failed are available again soon. */
const HOLD_SECONDS = inSeconds(minutes(5));

export class Charges {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #catchUp: CatchUp;
  /**
   * The buckets of each user's last charge, so that the next one need not read them; only of users who have no grant or pack left. Entries may
   * be stale: the UPDATE that takes the credits tests them, and a charge that it refuses reads the buckets again.
   */
  readonly #cache = new LRUCache<string, OpenBuckets>({ max: 10_000 });

  constructor(db: Db, clock: Clock, log: Log, catchUp: CatchUp) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#catchUp = catchUp;
  }

  /** Charges credits, all or none, once per operation id: a repeated request gets the first response, whichever app sends it. */
  async charge(input: ChargeInput, reservation: NewReservation | null = null): Promise<ChargeResult> {
    const tx = this.#db.manager;
    const { amount = 1, reference = null } = input;
    const request = { ...input, amount, reference, reservation };
    const attempt = { request, refused: null };
    try {
      const result =
        (await this.#attempt(attempt)) ??
        (await findRecordedResponse(tx, request)) ??
        (await this.#retry(attempt));
      if (result === null) throw createError('credits.balance_too_low');
      return result;
    } catch (error) {
      const recorded = mayBeRepeated(error) ? await findRecordedResponse(tx, request) : null;
      if (recorded === null) throw error;
      return recorded;
    }
  }

  /** Charges credits for a client that pays only on success. They count as used at once, so reservations cannot exceed the limit. */
  async reserve({
    holdSeconds = HOLD_SECONDS,
    ...input
  }: ChargeInput & Pick<ReserveInput, 'holdSeconds'>): Promise<Reservation> {
    const { userId, operationId } = input;
    const tx = this.#db.manager;
    const { charged, ...amounts } = await this.charge(input, { id: randomUUID(), holdSeconds });
    const reservation = await findReservationOfOperation(tx, userId, operationId);
    // Without a reservation the operation is a plain charge, unless the user was deleted after the charge.
    if (reservation === null)
      throw createError((await isDeleted(tx, userId)) ? 'credits.user_not_found' : 'credits.key_reused');
    const { id, state, expiresAt } = reservation;
    if (reservation.holdSeconds !== holdSeconds) throw createError('credits.key_reused');
    return { id, amount: charged, state, expiresAt: expiresAt.toISOString(), ...amounts };
  }

  /**
   * Charges buckets that are selected again after each refusal: they may change between the selection and the charge, so only a selection that
   * refuses twice has too few credits. Returns null, with nothing written, when one does.
   */
  async #attempt(attempt: Attempt): Promise<ChargeResult | null> {
    const { request } = attempt;
    for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
      // Nothing tests cached buckets against the account when the contact takes no credit, so a charge with a reference reads them.
      const canUseCache = attempt.refused === null && request.reference === null;
      const cached = canUseCache ? this.#cache.get(request.userId) : undefined;
      const isCurrent = cached !== undefined && cached.plan.endsAt > this.#clock();
      const selected = isCurrent ? cached : await this.#openCurrent(request.userId);
      if (attempt.refused !== null && isSameSelection(selected, attempt.refused)) return null;
      try {
        return await inTransaction(this.#db, (tx) => this.#write(tx, request, selected));
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'credits.balance_too_low')) throw error;
      }
      attempt.refused = selected;
    }
    return null;
  }

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

  /** Charges what the request costs. A reservation that takes nothing has an entry too, for its commit and for repeated requests. */
  async #write(tx: Tx, request: ChargeRequest, selected: OpenBuckets): Promise<ChargeResult> {
    const { userId, amount, reservation } = request;
    const contact = contactOf(request);
    const due = contact === null ? amount : await this.#payForContact(tx, contact, request);
    if (contact !== null && due === 0 && reservation === null)
      return this.#repeat(tx, contact, request, selected);
    // A deletion waits for the counted use.
    if (reservation !== null) await countUse(tx, userId, 'reservation', this.#clock());
    const taken = await takeCredits(tx, selected, chargeOf(request, due), this.#clock);
    const entry = { bucketId: selected.plan.id, requestedAmount: amount, amount: -due, added: 0 };
    await insertLedgerEntry(tx, { ...request, ...taken, ...entry, createdAt: this.#clock() });
    if (reservation !== null) await insertReservation(tx, request, reservation);
    return { ...taken.balance, charged: due };
  }

  /** What a charge costs beyond what was paid for its contact. A reservation pays with its commit, which compares the price again. */
  async #payForContact(tx: Tx, contact: Contact, { amount, reservation }: ChargeRequest): Promise<number> {
    if (reservation === null) return raisePrice(tx, contact, { amount, limit: amount }, this.#clock());
    const { paid } = await findPrice(tx, contact, this.#clock());
    return Math.max(0, amount - paid);
  }

  /** Responds to a charge that costs nothing. It writes no entry: the contact, which the caller has locked, remembers the last one. */
  async #repeat(
    tx: Tx,
    contact: Contact,
    request: ChargeRequest,
    selected: OpenBuckets,
  ): Promise<ChargeResult> {
    const recorded = await findRecordedResponse(tx, request);
    if (recorded !== null) return recorded;
    await countUse(tx, request.userId, 'free_charge', this.#clock());
    const { balance } = await takeCredits(tx, selected, chargeOf(request, 0), this.#clock);
    const response = { ...balance, charged: 0 };
    await updateRepeat(tx, contact, { amount: request.amount, response });
    return response;
  }

  /** The last attempts before a refusal: after the release of the user's expired reservations, and then with billing's plan state and packs. */
  async #retry(attempt: Attempt): Promise<ChargeResult | null> {
    const { userId } = attempt.request;
    const expired = await listExpiredOf(this.#db.manager, userId);
    if ((await releaseExpired(this.#db, this.#clock, this.#log, expired)) > 0) {
      attempt.refused = null;
      const result = await this.#attempt(attempt);
      if (result !== null) return result;
    }
    await this.#catchUp(userId).catch((error: unknown) =>
      this.#log.warn({ err: error }, 'plan and packs not read from billing'),
    );
    return this.#attempt(attempt);
  }
}
