// Stripe's events: verifying deliveries, the stored part of an event, and its object.
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import type { Clock } from '@shortlist/kit/process/clock';
import { AppError, createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import { Stripe } from 'stripe';
import { date, idOf, isOurPrice, PLAN_METADATA_KEY } from './from-stripe.ts';

type Reference = string | { id: string } | null;
type Item = { price?: { lookup_key?: string | null; metadata?: Record<string, string> } };
type EventObject = {
  id?: string;
  object?: string;
  charge?: Reference;
  fraud_type?: string;
  amount_due?: number;
  currency?: string;
  last_finalization_error?: { message?: string } | null;
  items?: { data?: Item[]; has_more?: boolean };
};

const storedItem = ({ price = {} }: Item): Item => ({
  price: {
    lookup_key: price.lookup_key ?? null,
    metadata: { [PLAN_METADATA_KEY]: price.metadata?.[PLAN_METADATA_KEY] ?? '' },
  },
});

/** JSON omits undefined values. */
const storedObject = (source: EventObject): object => ({
  id: source.id,
  object: source.object,
  charge: idOf(source.charge),
  fraud_type: source.fraud_type,
  amount_due: source.amount_due,
  currency: source.currency,
  last_finalization_error: source.last_finalization_error && {
    message: source.last_finalization_error.message,
  },
  items: source.items && {
    data: source.items.data?.map(storedItem) ?? [],
    has_more: source.items.has_more,
  },
});

/**
 * The stored part of an event: only the fields that actions read. Stripe's objects contain names, addresses and cards of customers, and an
 * event may arrive during or after the deletion of its user; what is not stored need not be found and redacted.
 */
export const storedPayload = (event: { data: { object: object } }): string =>
  JSON.stringify({ data: { object: storedObject(event.data.object) } });

/** The id of a Stripe object's customer, or of the object if it is one. */
export const customerOfObject = (source: object): string | null => {
  const { object, id, customer } = source as {
    object: string;
    id?: string;
    customer?: string | { id: string } | null;
  };
  return object === 'customer' ? (id ?? null) : idOf(customer);
};

const TOLERANCE_SECONDS = inSeconds(minutes(5));

/** The relevant part of a delivered event. `customerId`: the customer of the event's object. */
export type DeliveredEvent = {
  eventId: string;
  type: string;
  customerId: string | null;
  /** In whole seconds of Stripe's clock. */
  createdAt: Date;
  /** The request that caused the event; null if none did. */
  requestId: string | null;
  livemode: boolean;
  /** The stored part. */
  payload: string;
};
export type SignatureCheck = (body: Buffer, header: string | undefined) => DeliveredEvent;

/** The end of the year 9999. */
const MAX_UNIX_TIME = 253_402_300_799;

/** The fields of an event that are stored, whether it was delivered or listed. */
export const storedFields = (event: Pick<Stripe.Event, 'id' | 'type' | 'created' | 'request' | 'data'>) => ({
  eventId: event.id,
  type: event.type as string,
  customerId: customerOfObject(event.data.object),
  createdAt: date(event.created),
  requestId: event.request?.id ?? null,
  payload: storedPayload(event),
});

/** Signed JSON need not be an event, because any program with the secret can sign. */
const eventSchema = Joi.object<Stripe.Event>({
  id: Joi.string()
    .pattern(/^[\x21-\x7e]{1,64}$/)
    .required(),
  type: Joi.string()
    .pattern(/^[\x21-\x7e]{1,80}$/)
    .required(),
  created: Joi.number().strict().integer().min(0).max(MAX_UNIX_TIME).required(),
  request: Joi.object({ id: Joi.string().max(64).allow(null) })
    .unknown()
    .allow(null),
  livemode: Joi.boolean().strict().required(),
  data: Joi.object({ object: Joi.object().unknown().required() }).unknown().required(),
})
  .unknown()
  .required();

const parseEvent = (payload: unknown): DeliveredEvent => {
  const result = eventSchema.validate(payload);
  if (result.error !== undefined) throw createError('request.malformed', { cause: result.error });
  return { ...storedFields(result.value), livemode: result.value.livemode };
};

/** Whether a signature is too far in the future. Stripe's library refuses only signatures that are too old. */
const isAhead = (header: string, receivedAt: Date): boolean =>
  header
    .split(',')
    .map((item) => item.split('='))
    .some(
      ([name, value = '']) =>
        name === 't' && Number.parseInt(value, 10) > receivedAt.getTime() / 1_000 + TOLERANCE_SECONDS,
    );

/**
 * Returns a function that parses a delivery if its signature matches one of the secrets and is at most five minutes off. It throws
 * `billing.signature_refused` otherwise, and `request.malformed` for a signed body that is not an event.
 */
export const createSignatureCheck = (
  stripe: Stripe,
  { secrets, clock }: { secrets: readonly string[]; clock: Clock },
): SignatureCheck => {
  const verify = (body: Buffer, header: string, secret: string): unknown => {
    const receivedAt = clock().getTime();
    return stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_SECONDS, undefined, receivedAt);
  };
  return (body, header = '') => {
    if (isAhead(header, clock())) throw createError('billing.signature_refused');
    for (const secret of secrets) {
      try {
        return parseEvent(verify(body, header, secret));
      } catch (error) {
        if (error instanceof AppError) throw error;
        // The signature matches, but the body is not JSON.
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) break;
      }
    }
    throw createError('billing.signature_refused');
  };
};

/** Empty if redacted. */
const objectOf = (payload: string): EventObject =>
  (JSON.parse(payload) as { data?: { object?: EventObject } }).data?.object ?? {};

/** The charge that a dispute or a fraud warning is about. */
export const chargeOfEvent = (payload: string): string | null => idOf(objectOf(payload).charge);

/** The id of the object that an event is about. */
export const idOfEventObject = (payload: string): string | null => objectOf(payload).id ?? null;

type FraudWarning = { id: string; chargeId: string; fraudType: string };

export const warningOfEvent = (payload: string): FraudWarning | null => {
  const { id, charge, fraud_type: fraudType = 'unknown' } = objectOf(payload);
  const chargeId = idOf(charge);
  return id === undefined || chargeId === null ? null : { id, chargeId, fraudType };
};

/** An invoice that Stripe could not finalize may not have an amount and a currency yet. */
export type FinalizationFailure = {
  id: string;
  amount: number | null;
  currency: string | null;
  message: string;
};

export const finalizationFailureOfEvent = (payload: string): FinalizationFailure | null => {
  const { id, amount_due: due, currency, last_finalization_error: error } = objectOf(payload);
  if (id === undefined) return null;
  const sum = currency ? { amount: due ?? null, currency } : { amount: null, currency: null };
  return { id, ...sum, message: error?.message ?? '' };
};

/** Whether an event's payload is a subscription at none of our prices. Items beyond its first page are unknown. */
export const describesOtherPrice = (payload: string): boolean => {
  const { data } = JSON.parse(payload) as { data?: { object?: Partial<Stripe.Subscription> } };
  const { items } = data?.object ?? {};
  return items !== undefined && !items.has_more && !items.data.some(({ price }) => isOurPrice(price));
};
