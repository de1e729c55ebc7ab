import { FREE_WINDOW_DAYS, PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import type { LetterLink, Letters, MailData } from './mail-data.ts';
import { date, mailText } from './messages.ts';

const USAGE_LINK: LetterLink = { label: mailText('seeUsage'), path: '/credits' };

type LowCredits = MailData['credits_low'];

/** Of a plan that may end before it renews, the mail promises no date. */
const whatNext = ({ plan, limit }: LowCredits): string =>
  plan === 'free'
    ? mailText('lowFree', { limit, premium: PREMIUM_CREDITS })
    : mailText('lowPremium', { limit, days: FREE_WINDOW_DAYS });

/** The mails about credits, which a user can turn off. */
export const CREDIT_LETTERS: Letters<'credits_low' | 'credits_exhausted'> = {
  credits_low: ({ data }) => ({
    subject: mailText('creditsLow'),
    lines: [
      mailText('creditsLeft', { left: data.left, limit: data.limit, date: date(data.windowEnd) }),
      whatNext(data),
      mailText('creditEmailsOff'),
    ],
    link: data.plan === 'free' ? { label: mailText('seePremium'), path: '/payments' } : USAGE_LINK,
  }),
  credits_exhausted: ({ data }) => ({
    subject: mailText('creditsUsed'),
    lines: [
      mailText('nextCredits', { limit: data.limit, date: date(data.windowEnd) }),
      mailText('creditEmailsOff'),
    ],
    link: USAGE_LINK,
  }),
};
