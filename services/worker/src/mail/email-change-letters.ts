import { EMAIL_CHANGE_HOURS, EMAIL_UNDO_DAYS, MAILED_CODE_MINUTES } from '@shortlist/contracts/limits';
import { date } from './format.ts';
import { mailText } from './messages.ts';

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
