import { now } from '../clock.ts';
import { forgetInTab, recallInTab, rememberInTab } from '../storage.ts';

// A person who comes back from paying is never shown as Free until the payment is known to have failed.
const KEY = 'pendingPayment';
const PATIENCE_MS = 15 * 60_000;

export const markPaymentPending = (): void => rememberInTab(KEY, String(now()));
export const clearPendingPayment = (): void => forgetInTab(KEY);

export const isPaymentPending = (): boolean => {
  const since = Number(recallInTab(KEY) ?? Number.NaN);
  return now() - since < PATIENCE_MS;
};
