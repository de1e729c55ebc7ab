// The texts of the credit history, for the screen and its CSV file: what an entry was for, and which app made it.
import type { ApiKey, Connection } from './api/connected-apps.ts';
import { messages } from './messages.ts';
import type { BalanceReason, ReturnReason, SpendReason } from './api/credits.ts';

const chargeReasons: Record<SpendReason | ReturnReason, string> = {
  message_composed: 'Message composed',
  email_found: 'Email found',
  released: 'Returned: released',
  expired: 'Returned: expired',
  already_paid: 'Returned: already paid',
  unused: 'Returned: not used',
};

const balanceReasons: Record<BalanceReason, string> = {
  pack_bought: 'Pack bought',
  pack_withdrawn: 'Pack refunded or disputed',
  pack_restored: 'Pack restored',
  credits_granted: 'Extra credits from support',
  credits_revoked: 'Extra credits taken back',
  plan_withdrawn: 'Plan refunded in part',
  plan_restored: 'Credits of the plan restored',
};

const reasons = { ...chargeReasons, ...balanceReasons };

export const creditReasonText = messages(reasons);

const creditToolText = messages({ browser: 'Browser', unknown: 'Unknown app', withHint: '{name} ({hint})' });

export const historyFileText = messages({
  cut: 'This file ends after {count, number} entries. Choose days to download earlier ones.',
});

type Named = Pick<ApiKey, 'id' | 'name' | 'hint'>;

type Connected = Pick<Connection, 'id' | 'name' | 'device' | 'browser' | 'system' | 'createdAt'>;

/** A connected app, listed among the keys: connections of the same app are distinguished by device or by their first day. */
export const namedConnection = ({ id, name, device, browser, system, createdAt }: Connected): Named => {
  const where = [browser, system].filter((part) => part !== '').join(', ');
  return { id, name, hint: device || where || createdAt.slice(0, 10) };
};

/** The name of each app, by the id of its key or connection; equal names are distinguished by their hints. */
export const namesOfTools = (keys: readonly Named[]): Map<string, string> =>
  new Map(
    keys.map(({ id, name, hint }) => {
      const isUnique = keys.every((other) => other.id === id || other.name !== name);
      return [id, isUnique ? name : creditToolText('withHint', { name, hint })];
    }),
  );

/** The name of the app with this key or connection; null stands for the browser. */
export const nameOfTool = (names: ReadonlyMap<string, string>, clientId: string | null): string =>
  clientId === null ? creditToolText('browser') : (names.get(clientId) ?? creditToolText('unknown'));

/** Whether entries of this reason are made by an app or by the user in the browser. Entries that add or remove credits otherwise are not. */
export const isOfTool = (reason: string): boolean => !Object.hasOwn(balanceReasons, reason);

/** Why credits were charged, returned, added or removed. An unknown reason is its code with spaces. */
export const creditReason = (reason: string): string => {
  if (Object.hasOwn(reasons, reason)) return reasons[reason as keyof typeof reasons];
  const text = reason.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
