import {
  DELETION_DAYS,
  EMAIL_CHANGE_HOURS,
  EMAIL_UNDO_DAYS,
  EXPORT_DAYS,
  MAILED_CODE_MINUTES,
} from '@shortlist/contracts/limits';
import { LOCALE } from '@shortlist/contracts/messages';
import { mailText } from './messages.ts';

/** Empty for a missing time. */
export const date = (iso: string | undefined): string =>
  iso === undefined || iso === ''
    ? ''
    : new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
        new Date(iso),
      ) + ' UTC';

/** An amount in minor units as Stripe charged it; some currencies have no minor unit. */
export const money = ({ amount = '0', currency = 'usd' }: Record<string, string>): string => {
  const format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(Number(amount) / 10 ** maximumFractionDigits);
};

type Letter = { subject: string; lines: string[]; link: { label: string; path: string } };
type MailData = Record<string, string>;

/** To the new address. */
export const confirmNewEmail = (brand: string, { token = '', code = '' }: MailData): Letter => ({
  subject: mailText('confirmNewEmail'),
  lines: [
    mailText('confirmNewEmailText', { brand }),
    mailText('confirmEmailCode', { hours: EMAIL_CHANGE_HOURS, minutes: MAILED_CODE_MINUTES, code }),
    mailText('confirmNewEmailIgnore'),
  ],
  link: { label: mailText('confirmNewEmail'), path: `/confirm-email#token=${token}` },
});

/** To the owner of an address that another account requested. */
export const emailTaken = (brand: string, isAdmin: boolean): Letter => ({
  subject: mailText('emailTaken'),
  lines: [mailText('emailTakenText', { brand }), mailText('emailTakenNext')],
  link: { label: mailText('logIn'), path: isAdmin ? '/admin/login' : '/login' },
});

/** To the present address. */
export const emailChangeStarted = (brand: string, { token = '', startedAt }: MailData): Letter => ({
  subject: mailText('emailChangeStarted'),
  lines: [
    mailText('emailChangeStartedText', { brand, date: date(startedAt) }),
    mailText('emailChangeStartedYours'),
    mailText('emailChangeStartedStop'),
    mailText('undoRemoves'),
  ],
  link: { label: mailText('stopChange'), path: `/undo-email-change#token=${token}` },
});

/** To the former address. */
export const emailChanged = (brand: string, { token = '', changedAt }: MailData): Letter => ({
  subject: mailText('emailChanged'),
  lines: [
    mailText('emailChangedText', { brand, date: date(changedAt) }),
    mailText('emailChangedUndo', { days: EMAIL_UNDO_DAYS }),
    mailText('undoRemoves'),
  ],
  link: { label: mailText('undoChange'), path: `/undo-email-change#token=${token}` },
});

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
