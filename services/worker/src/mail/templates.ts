import {
  FREE_CREDITS,
  FREE_WINDOW_DAYS,
  INVITATION_DAYS,
  MAILED_CODE_MINUTES,
  RESET_MINUTES,
  VERIFICATION_HOURS,
} from '@shortlist/contracts/limits';
import { alertLetter, SECURITY_LETTERS, TEAM_LETTERS } from './security-letters.ts';
import { ADDRESS_LETTERS, PRIVACY_LETTERS } from './account-letters.ts';
import type {
  LetterContext,
  LetterLink,
  LetterParts,
  Letters,
  MailData,
  Secrets,
  Template,
} from './mail-data.ts';
import { date, mailText, money } from './messages.ts';

export type Letter = { subject: string; text: string; html: string };

/** An amount of 0 was paid by a discount or a balance, not received. */
const received = (data: MailData['receipt']): string =>
  data.amount === '0'
    ? mailText('nothingToPay')
    : mailText('received', { amount: money(data), date: date(data.paidAt) });

/** After a grace without payment Stripe may still collect the invoice, so that mail promises nothing about charges. */
const planEnd = ({ reason }: MailData['plan_revoked']): string => {
  if (reason === 'grace_end') return mailText('endedUnpaid');
  return mailText(reason === 'dispute' ? 'endedDisputed' : 'ended');
};

/** Where the user finds what is to be paid, and how. */
const PAY_LINK = { label: mailText('seeAmountDue'), path: '/payments' };

const failedPayment = ({ graceUntil }: MailData['payment_failed']): LetterParts => ({
  subject: mailText('paymentFailed'),
  lines: [
    mailText('couldNotCollect'),
    graceUntil === '' ? mailText('payToReturn') : mailText('payBefore', { date: date(graceUntil) }),
  ],
  link: PAY_LINK,
});

/** The card is fine: its bank wants the payer's consent (3-D Secure), which Stripe's page collects. */
const paymentToConfirm = ({ graceUntil, confirmUrl }: MailData['payment_failed']): LetterParts => ({
  subject: mailText('confirmNeeded'),
  lines: [
    mailText('bankNeedsConfirmation'),
    graceUntil === '' ? mailText('confirmToReturn') : mailText('confirmBefore', { date: date(graceUntil) }),
  ],
  link: { label: mailText('confirmPayment'), url: confirmUrl },
});

const verificationLines = ({ code = '' }: Secrets): string[] => [
  mailText('confirmEmailText'),
  mailText('confirmEmailCode', { hours: VERIFICATION_HOURS, minutes: MAILED_CODE_MINUTES, code }),
  mailText('confirmEmailIgnore'),
];

const verificationLink = ({ token = '' }: Secrets): LetterLink => ({
  label: mailText('confirmEmail'),
  path: `/verify-email#token=${token}`,
});

const TEMPLATES: Letters<Template> = {
  // Without a token for an account whose address an admin has vouched for.
  welcome: ({ brand, data }) => ({
    subject: mailText('welcome', { brand }),
    lines: [
      mailText('welcomeCredits', { credits: FREE_CREDITS, days: FREE_WINDOW_DAYS }),
      ...(data.token ? verificationLines(data) : []),
    ],
    link: data.token ? verificationLink(data) : { label: mailText('openAccount'), path: '/' },
  }),
  verify_email: ({ data }) => ({
    subject: mailText('confirmEmail'),
    lines: verificationLines(data),
    link: verificationLink(data),
  }),
  confirm_reminder: ({ brand, data }) => ({
    subject: mailText('confirmReminder'),
    lines: [
      mailText('confirmReminderText', { brand, date: date(data.dueAt) }),
      mailText('confirmEmailCode', {
        hours: VERIFICATION_HOURS,
        minutes: MAILED_CODE_MINUTES,
        code: data.code ?? '',
      }),
      mailText('confirmEmailIgnore'),
    ],
    link: verificationLink(data),
  }),
  confirm_registration: ({ brand, data }) => ({
    subject: mailText('confirmRegistration', { brand }),
    lines: [
      mailText('confirmRegistrationText', { brand, hours: VERIFICATION_HOURS }),
      mailText('confirmRegistrationReplaces'),
      mailText('confirmEmailIgnore'),
    ],
    link: verificationLink(data),
  }),
  password_reset: ({ data }) => ({
    subject: mailText('resetPassword'),
    lines: [
      mailText('resetRequested'),
      mailText('resetLink', { minutes: RESET_MINUTES }),
      mailText('resetIgnore'),
    ],
    link: { label: mailText('setPassword'), path: `/reset-password#token=${data.token}` },
  }),
  ...ADDRESS_LETTERS,
  admin_invitation: ({ brand, data }) => ({
    subject: mailText('invitation', { brand }),
    lines: [
      mailText('invitationText', { brand, role: data.role }),
      mailText('invitationLink', { days: INVITATION_DAYS }),
      mailText('invitationIgnore'),
    ],
    link: { label: mailText('acceptInvitation'), path: `/admin/accept-invitation#token=${data.token}` },
  }),
  password_changed: ({ data }) => ({
    subject: mailText('passwordChanged'),
    lines: [
      mailText(data.changedBy === 'admin' ? 'passwordSetByAdmin' : 'passwordChangedAt', {
        date: date(data.changedAt),
      }),
      mailText('signedOutEverywhere'),
      mailText('passwordNotYou'),
    ],
    link: { label: mailText('setPassword'), path: '/forgot-password' },
  }),
  receipt: ({ brand, data }) => ({
    subject: mailText('receipt', { brand }),
    lines: [
      received(data),
      data.periodEnd ? mailText('paidUntil', { date: date(data.periodEnd) }) : '',
      mailText('invoice', { invoice: data.invoiceId }),
    ],
    link: { label: mailText('seeSubscription'), path: '/payments' },
  }),
  payment_failed: ({ data }) => (data.confirmUrl ? paymentToConfirm(data) : failedPayment(data)),
  plan_granted: ({ brand, data }) => ({
    subject: mailText('planGranted', { brand }),
    lines: [mailText('grantedUntil', { date: date(data.periodEnd) })],
    link: { label: mailText('seeCredits'), path: '/credits' },
  }),
  plan_revoked: ({ brand, data }) => ({
    subject: mailText('planEnded', { brand }),
    lines: [planEnd(data)],
    link: data.reason === 'grace_end' ? PAY_LINK : { label: mailText('subscribeAgain'), path: '/payments' },
  }),
  credits_exhausted: ({ data }) => ({
    subject: mailText('creditsUsed'),
    lines: [mailText('nextCredits', { limit: data.limit, date: date(data.windowEnd) })],
    link: { label: mailText('seeUsage'), path: '/credits' },
  }),
  ...SECURITY_LETTERS,
  ...PRIVACY_LETTERS,
  ...TEAM_LETTERS,
  alert: ({ data }) => ({
    ...alertLetter(data),
    link: { label: mailText('seeAlerts'), path: '/admin/system' },
  }),
};

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
/** Without line breaks, for a value of a header. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

type Context<Name extends Template> = LetterContext<Name> & { publicUrl: string };

/** The mail as text and as HTML. User input is escaped, and a subject is always one line. */
export const writeLetter = <Name extends Template>(template: Name, context: Context<Name>): Letter => {
  const { subject, lines, link } = TEMPLATES[template](context);
  const url = 'url' in link ? link.url : `${context.publicUrl}${link.path}`;
  const paragraphs = [
    mailText('greeting', { name: context.recipient.firstName }),
    ...lines.filter((line) => line !== ''),
  ];
  const html = paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return {
    subject: oneLine(subject),
    text: `${paragraphs.join('\n\n')}\n\n${link.label}: ${url}\n\n${context.brand}\n`,
    html: `${html}\n<p><a href="${escapeHtml(url)}">${escapeHtml(link.label)}</a></p>\n<p>${escapeHtml(context.brand)}</p>`,
  };
};
