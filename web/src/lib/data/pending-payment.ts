import { useSyncExternalStore } from 'react';
import { minutes } from '@shortlist/contracts/durations';
import { now } from '../clock.ts';
import { removeTabItem, readTabItem, writeTabItem } from '../storage.ts';

// A user who returns from the checkout is not shown as Free unless the payment has failed. The mark names the user, so that it
// does not apply to the next one who logs in in the same tab.
const KEY = 'pendingPayment';
const PENDING_MS = minutes(15);
const CHANGED = 'shortlist:pending-payment';

const read = (): { owner: string; since: number } => {
  const [owner = '', since = ''] = (readTabItem(KEY) ?? '').split(' ');
  return { owner, since: Number(since) };
};

const announce = (): void => void window.dispatchEvent(new Event(CHANGED));

export const markPaymentPending = (userId: string): void => {
  writeTabItem(KEY, `${userId} ${now()}`);
  announce();
};

export const clearPendingPayment = (userId: string): void => {
  if (read().owner !== userId) return;
  removeTabItem(KEY);
  announce();
};

const isPending = (userId: string | null): boolean => {
  const { owner, since } = read();
  return owner === userId && now() - since < PENDING_MS;
};

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
};

export const usePaymentPending = (userId: string | null): boolean =>
  useSyncExternalStore(subscribe, () => isPending(userId));
