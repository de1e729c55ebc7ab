// What the history of credits says: what an entry was for, and which app made it, in words. The screen and its CSV file read these texts.
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
};

const reasons = { ...chargeReasons, ...balanceReasons };

export const creditReasonText = messages(reasons);

const creditToolText = messages({ browser: 'Browser', unknown: 'Unknown app', withHint: '{name} ({hint})' });

export const historyFileText = messages({
  cut: 'This file ends after {count, number} entries. Choose days to download the ones before.',
});

type Named = Pick<ApiKey, 'id' | 'name' | 'hint'>;

type Connected = Pick<Connection, 'id' | 'name' | 'device' | 'browser' | 'system' | 'createdAt'>;

/** A connected app among the keys: several of the same app are told apart by their devices, or by the day on which they began. */
export const namedConnection = ({ id, name, device, browser, system, createdAt }: Connected): Named => {
  const where = [browser, system].filter((part) => part !== '').join(', ');
  return { id, name, hint: device || where || createdAt.slice(0, 10) };
};

/** The name of each app by the id of its key or connection; those of the same name are told apart by their hints. */
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

/** Whether an app, or the user in the browser, made the entries of this reason. None made those of credits that were added or taken away. */
export const isOfTool = (reason: string): boolean => !Object.hasOwn(balanceReasons, reason);

/** Why credits were charged, returned, added or taken away. A reason of a later version is its code with spaces. */
export const creditReason = (reason: string): string => {
  if (Object.hasOwn(reasons, reason)) return reasons[reason as keyof typeof reasons];
  const text = reason.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
