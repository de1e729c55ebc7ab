import { FREE_WINDOW_DAYS, PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import type { MailLink, MailContents, MailData } from './mail-data.ts';
import { date } from './formats.ts';
import { mailText } from './messages.ts';

const USAGE_LINK: MailLink = { label: mailText('seeUsage'), path: '/credits' };

type LowCredits = MailData['credits_low'];

/** If the plan may end before it renews, the email promises no date. */
const whatNext = ({ plan, limit }: LowCredits): string =>
  plan === 'free'
    ? mailText('lowFree', { limit, premium: PREMIUM_CREDITS })
    : mailText('lowPremium', { limit, days: FREE_WINDOW_DAYS });

/** Credits of grants and packs do not end with the plan's period. */
const howManyLeft = ({ left, beside, limit, windowEnd }: LowCredits): string =>
  mailText(Number(beside) > 0 ? 'creditsLeftInAll' : 'creditsLeft', { left, limit, date: date(windowEnd) });

/** The emails about credits. A user can turn off the warnings. */
export const CREDIT_MAILS: MailContents<'credits_low' | 'credits_exhausted' | 'credits_granted'> = {
  credits_low: ({ data }) => ({
    subject: mailText('creditsLow'),
    lines: [howManyLeft(data), whatNext(data), mailText('creditEmailsOff')],
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
  credits_granted: ({ data: { credits, endsAt } }) => ({
    subject: mailText('creditsGranted', { credits }),
    lines: [mailText('creditsGrantedText', { credits, date: date(endsAt) })],
    link: { label: mailText('seeCredits'), path: '/credits' },
  }),
};
