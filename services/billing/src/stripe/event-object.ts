// What is stored of an event, and what it says about its object.
import { idOf, PLAN_METADATA_KEY } from './from-stripe.ts';

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
  items?: { data?: Item[] };
};

const storedItem = ({ price = {} }: Item): Item => ({
  price: {
    lookup_key: price.lookup_key ?? null,
    metadata: { [PLAN_METADATA_KEY]: price.metadata?.[PLAN_METADATA_KEY] ?? '' },
  },
});

/** JSON leaves out what is undefined. */
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
  items: source.items && { data: source.items.data?.map(storedItem) ?? [] },
});

/**
 * What is stored of an event: what its actions read, by name. Objects of Stripe have names, addresses and cards of customers, and an
 * event may arrive when its user is deleted already, or is being deleted; what is not stored need not be found again.
 */
export const storedPayload = (event: { data: { object: object } }): string =>
  JSON.stringify({ data: { object: storedObject(event.data.object) } });

/** Empty for one that was redacted. */
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

export type FinalizationFailure = { id: string; amount: number; currency: string; message: string };

export const finalizationFailureOfEvent = (payload: string): FinalizationFailure | null => {
  const { id, amount_due: amount = 0, currency = '', last_finalization_error: error } = objectOf(payload);
  return id === undefined ? null : { id, amount, currency, message: error?.message ?? '' };
};
