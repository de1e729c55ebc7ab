import {
  DELETION_DAYS,
  EMAIL_CHANGE_HOURS,
  EMAIL_UNDO_DAYS,
  EXPORT_DAYS,
  MAILED_CODE_MINUTES,
} from '@shortlist/contracts/limits';
import type { MailContext, MailParts, MailContents } from './mail-data.ts';
import { date } from './formats.ts';
import { mailText } from './messages.ts';

/** To the new address. */
const confirmNewEmail = ({
  brand,
  data: { token = '', code = '' },
}: MailContext<'confirm_new_email'>): MailParts => ({
  subject: mailText('confirmNewEmail'),
  lines: [
    mailText('confirmNewEmailText', { brand }),
    mailText('confirmEmailCode', { hours: EMAIL_CHANGE_HOURS, minutes: MAILED_CODE_MINUTES }),
    { code },
  ],
  link: { label: mailText('confirmNewEmail'), path: `/confirm-email#token=${token}` },
  footnote: mailText('confirmNewEmailIgnore'),
});

/** To the owner of an address that another account requested. */
const emailTaken = ({ brand, recipient }: MailContext<'email_taken'>): MailParts => ({
  subject: mailText('emailTaken'),
  lines: [mailText('emailTakenText', { brand }), mailText('emailTakenNext')],
  link: { label: mailText('logIn'), path: recipient.isAdmin ? '/admin/login' : '/login' },
});

/** To the current address. */
const emailChangeStarted = ({
  brand,
  data: { token = '', startedAt },
}: MailContext<'email_change_started'>): MailParts => ({
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
const emailChanged = ({
  brand,
  data: { token = '', changedAt },
}: MailContext<'email_changed'>): MailParts => ({
  subject: mailText('emailChanged'),
  lines: [
    mailText('emailChangedText', { brand, date: date(changedAt) }),
    mailText('emailChangedUndo', { days: EMAIL_UNDO_DAYS }),
    mailText('undoRemoves'),
  ],
  link: { label: mailText('undoChange'), path: `/undo-email-change#token=${token}` },
});

/** The emails about an account's address and its change. */
export const ADDRESS_MAILS: MailContents<
  'confirm_new_email' | 'email_taken' | 'test' | 'email_change_started' | 'email_changed'
> = {
  confirm_new_email: confirmNewEmail,
  email_taken: emailTaken,
  test: ({ brand }) => ({
    subject: mailText('test'),
    lines: [mailText('testText', { brand }), mailText('testNext')],
    link: { label: mailText('openAccount'), path: '/' },
  }),
  email_change_started: emailChangeStarted,
  email_changed: emailChanged,
};

const KEEP_LINK = { label: mailText('keepAccount'), path: '/login' };

/** The emails about the deletion of an account and the export of its data. */
export const PRIVACY_MAILS: MailContents<
  'deletion_requested' | 'deletion_approaching' | 'deletion_cancelled' | 'account_deleted' | 'data_ready'
> = {
  deletion_requested: ({ brand, data }) => ({
    subject: mailText('deletionRequested', { brand }),
    lines: [
      mailText('deletedOn', { brand, date: date(data.dueAt) }),
      mailText('keepUntilThen', { days: DELETION_DAYS }),
      mailText('deletionNotYou'),
    ],
    link: KEEP_LINK,
  }),
  deletion_approaching: ({ brand, data }) => ({
    subject: mailText('deletionApproaching', { brand }),
    lines: [mailText('deletedOn', { brand, date: date(data.dueAt) }), mailText('lastDays')],
    link: KEEP_LINK,
  }),
  deletion_cancelled: ({ brand }) => ({
    subject: mailText('deletionCancelled', { brand }),
    lines: [mailText('keptAccount'), mailText('passwordNotYou')],
    link: { label: mailText('openAccount'), path: '/' },
  }),
  account_deleted: ({ brand }) => ({
    subject: mailText('accountDeleted', { brand }),
    lines: [mailText('deletedForGood', { brand }), mailText('invoicesStay'), mailText('lastMail')],
    link: { label: mailText('visit', { brand }), path: '/register' },
  }),
  data_ready: ({ data }) => ({
    subject: mailText('dataReady'),
    lines: [mailText('dataReadyUntil', { date: date(data.expiresAt), days: EXPORT_DAYS })],
    link: { label: mailText('downloadData'), path: '/privacy' },
    footnote: mailText('dataNotYou'),
  }),
};
