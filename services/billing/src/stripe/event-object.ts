// What a stored event says about its object, for events whose object names no customer.
import { idOf } from './from-stripe.ts';

type Reference = string | { id: string } | null;
type EventObject = {
  id?: string;
  charge?: Reference;
  fraud_type?: string;
  amount_due?: number;
  currency?: string;
  last_finalization_error?: { message?: string } | null;
};

/** Empty for a payload that was redacted. */
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
