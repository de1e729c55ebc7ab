import { DELETION_DAYS, EXPORT_DAYS } from '@shortlist/contracts/limits';
import { date } from './format.ts';
import { mailText } from './messages.ts';

type Context = { brand: string; data: Record<string, string> };

const KEEP_LINK = { label: mailText('keepAccount'), path: '/login' };

/** The mails about the deletion of an account and about the file with its data. */
export const PRIVACY_LETTERS = {
  deletion_requested: ({ brand, data }: Context) => ({
    subject: mailText('deletionRequested', { brand }),
    lines: [
      mailText('deletedOn', { brand, date: date(data['dueAt']) }),
      mailText('keepUntilThen', { days: DELETION_DAYS }),
      mailText('deletionNotYou'),
    ],
    link: KEEP_LINK,
  }),
  deletion_approaching: ({ brand, data }: Context) => ({
    subject: mailText('deletionApproaching', { brand }),
    lines: [mailText('deletedOn', { brand, date: date(data['dueAt']) }), mailText('lastDays')],
    link: KEEP_LINK,
  }),
  deletion_cancelled: ({ brand }: Context) => ({
    subject: mailText('deletionCancelled', { brand }),
    lines: [mailText('keptAccount'), mailText('passwordNotYou')],
    link: { label: mailText('openAccount'), path: '/' },
  }),
  account_deleted: ({ brand }: Context) => ({
    subject: mailText('accountDeleted', { brand }),
    lines: [mailText('deletedForGood', { brand }), mailText('invoicesStay'), mailText('lastMail')],
    link: { label: mailText('visit', { brand }), path: '/register' },
  }),
  data_ready: ({ data }: Context) => ({
    subject: mailText('dataReady'),
    lines: [
      mailText('dataReadyUntil', { date: date(data['expiresAt']), days: EXPORT_DAYS }),
      mailText('dataNotYou'),
    ],
    link: { label: mailText('downloadData'), path: '/privacy' },
  }),
} as const;
