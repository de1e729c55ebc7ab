// Which notices a user sees: those in force for everyone and for the user's plan, a warning before an announcement, and of each the newest
// first. A page reads them again when the next one begins or ends.
import type { CurrentNotices, NoticeAudience } from '@shortlist/contracts/api/notices';
import type { NoticeRow } from './queries.ts';

/** `premiumUntil`: of the copy of the user's plan. */
export const audiencesAt = (premiumUntil: Date | null, now: Date): NoticeAudience[] => [
  'everyone',
  premiumUntil !== null && premiumUntil > now ? 'premium' : 'free',
];

/** Of the notices for a user that are not over, the newest first. */
export const currentNoticesOf = (notices: readonly NoticeRow[], now: Date): CurrentNotices => {
  const inForce = notices.filter(({ fromAt }) => fromAt <= now);
  const ordered = [
    ...inForce.filter(({ tone }) => tone === 'warn'),
    ...inForce.filter(({ tone }) => tone !== 'warn'),
  ];
  const changes = notices.map(({ fromAt, untilAt }) => (fromAt > now ? fromAt : untilAt).getTime());
  return {
    notices: ordered.map(({ id, tone, text, linkLabel, linkTo }) => ({ id, tone, text, linkLabel, linkTo })),
    changesAt: changes.length === 0 ? null : new Date(Math.min(...changes)).toISOString(),
  };
};
