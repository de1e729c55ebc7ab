import type { UserView } from '@shortlist/contracts/api/profile';
import type { SubscriptionChoice } from '@shortlist/contracts/api/privacy';
import { DELETION_DAYS } from '@shortlist/contracts/limits';
import { daysAfter, shortDay } from '../../lib/dates.ts';
import { privacyText } from '../../messages/privacy.ts';

type Plan = UserView['subscription'];

/** Whether there is paid or granted time that the user may keep. A renewal that is not paid leaves none. */
export const canKeep = ({ continuation, premiumUntil }: Plan): boolean =>
  continuation !== null && continuation !== 'collecting' && premiumUntil !== null;

/** The day of the deletion: after DELETION_DAYS, or at the end of premium that the user keeps. */
const deletionDay = (plan: Plan, choice: SubscriptionChoice, now: string): string => {
  const after = daysAfter(now, DELETION_DAYS);
  const end = choice === 'keep' && canKeep(plan) ? new Date(plan.premiumUntil ?? now) : after;
  return shortDay(end > after ? end : after);
};

const nowText = (plan: Plan, choice: SubscriptionChoice, amount: string): string => {
  const { continuation, premiumUntil } = plan;
  if (continuation === null) return privacyText('nowFree');
  if (choice === 'end_now' || premiumUntil === null) return privacyText('nowEnd');
  const day = shortDay(premiumUntil);
  return continuation === 'renews'
    ? privacyText('nowKeep', { amount, day })
    : privacyText('nowGranted', { day });
};

type Deletion = { plan: Plan; choice: SubscriptionChoice; amount: string; now: string };

/** Returns what happens to the account now, until the deletion, and on its day. */
export const timelineOf = ({ plan, choice, amount, now }: Deletion): (readonly [string, string])[] => {
  const day = deletionDay(plan, choice, now);
  const isKept = choice === 'keep' && canKeep(plan);
  return [
    [privacyText('now'), nowText(plan, choice, amount)],
    [privacyText('until', { day }), privacyText(isKept ? 'untilPaid' : 'untilWhat')],
    [day, privacyText('then')],
  ];
};
