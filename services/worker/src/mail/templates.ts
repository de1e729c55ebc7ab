import { UNSUBSCRIBE_PATH } from '@shortlist/contracts/api/email';
import {
  FREE_CREDITS,
  FREE_WINDOW_DAYS,
  INVITATION_DAYS,
  MAILED_CODE_MINUTES,
  RESET_MINUTES,
  VERIFICATION_HOURS,
} from '@shortlist/contracts/limits';
import { alertMail, SECURITY_MAILS, TEAM_MAILS } from './security-mails.ts';
import { ADDRESS_MAILS, PRIVACY_MAILS } from './account-mails.ts';
import type {
  MailContents,
  MailContext,
  MailLink,
  MailParts,
  Recipient,
  Secrets,
  Template,
} from './mail-data.ts';
import { findExample } from './example-data.ts';
import { BILLING_MAILS } from './billing-mails.ts';
import { CREDIT_MAILS } from './credit-mails.ts';
import { WEBHOOK_MAILS } from './webhook-mails.ts';
import { type Line, toHtml, toText } from './layout.ts';
import { date } from './formats.ts';
import { mailText } from './messages.ts';
import { mailedPhrase } from './user-text.rules.ts';

export type MailContent = { subject: string; text: string; html: string };

const CODE_TIMES = { hours: VERIFICATION_HOURS, minutes: MAILED_CODE_MINUTES };

const verificationLines = ({ code = '' }: Secrets): Line[] => [
  mailText('confirmEmailText'),
  mailText('confirmEmailCode', CODE_TIMES),
  { code },
];

const verificationLink = ({ token = '' }: Secrets): MailLink => ({
  label: mailText('confirmEmail'),
  path: `/verify-email#token=${token}`,
});

/** What an admin wrote, without the lines that look like an advertisement. */
const adminMail = ({ subject, text }: { subject: string; text: string }): MailParts => ({
  subject: mailedPhrase(subject),
  lines: text.split('\n').map(mailedPhrase),
  link: { label: mailText('openAccount'), path: '/' },
});

const TEMPLATES: MailContents<Template> = {
  // Without a token if an admin vouched for the address.
  welcome: ({ brand, data }) => ({
    subject: mailText('welcome', { brand }),
    lines: [
      mailText('welcomeCredits', { credits: FREE_CREDITS, days: FREE_WINDOW_DAYS }),
      ...(data.token ? verificationLines(data) : []),
    ],
    link: data.token ? verificationLink(data) : { label: mailText('openAccount'), path: '/' },
    footnote: data.token ? mailText('confirmEmailIgnore') : '',
  }),
  verify_email: ({ data }) => ({
    subject: mailText('confirmEmail'),
    lines: verificationLines(data),
    link: verificationLink(data),
    footnote: mailText('confirmEmailIgnore'),
  }),
  confirm_reminder: ({ brand, data }) => ({
    subject: mailText('confirmReminder'),
    lines: [
      mailText('confirmReminderText', { brand, date: date(data.dueAt) }),
      mailText('confirmEmailCode', CODE_TIMES),
      { code: data.code ?? '' },
    ],
    link: verificationLink(data),
    footnote: mailText('confirmEmailIgnore'),
  }),
  confirm_registration: ({ brand, data }) => ({
    subject: mailText('confirmRegistration', { brand }),
    lines: [
      mailText('confirmRegistrationText', { brand, hours: VERIFICATION_HOURS }),
      mailText('confirmRegistrationReplaces'),
    ],
    link: verificationLink(data),
    footnote: mailText('confirmEmailIgnore'),
  }),
  password_reset: ({ data }) => ({
    subject: mailText('resetPassword'),
    lines: [mailText('resetRequested'), mailText('resetLink', { minutes: RESET_MINUTES })],
    link: { label: mailText('setPassword'), path: `/reset-password#token=${data.token}` },
    footnote: mailText('resetIgnore'),
  }),
  ...ADDRESS_MAILS,
  message: ({ data }) => adminMail(data),
  news: ({ brand, data }) => ({ ...adminMail(data), turnOff: mailText('whyNews', { brand }) }),
  admin_invitation: ({ brand, data }) => ({
    subject: mailText('invitation', { brand }),
    lines: [
      mailText('invitationText', { brand, role: data.role }),
      mailText('invitationLink', { days: INVITATION_DAYS }),
    ],
    link: { label: mailText('acceptInvitation'), path: `/admin/accept-invitation#token=${data.token}` },
    footnote: mailText('invitationIgnore'),
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
  ...BILLING_MAILS,
  ...CREDIT_MAILS,
  ...WEBHOOK_MAILS,
  ...SECURITY_MAILS,
  ...PRIVACY_MAILS,
  ...TEAM_MAILS,
  example: ({ data, ...context }) => exampleMail(data.name, context),
  alert: ({ data }) => ({
    ...alertMail(data),
    link: { label: mailText('seeAlerts'), path: '/admin/system' },
  }),
};

/** Another email with the values of its example, and a subject that says so. */
const exampleMail = (name: string, context: Omit<MailContext<'example'>, 'data'>): MailParts => {
  const example = findExample(name);
  if (example === null) throw new Error(`there is no example ${name}`);
  const write = TEMPLATES[example.template] as (context: MailContext<Template>) => MailParts;
  const parts = write({ ...context, data: example.data });
  return { ...parts, subject: mailText('exampleOf', { subject: parts.subject }) };
};

export const TEMPLATE_NAMES: readonly string[] = Object.keys(TEMPLATES);

const greetingOf = ({ firstName }: Recipient): string =>
  firstName === '' ? mailText('greetingWithoutName') : mailText('greeting', { name: firstName });

/** Without line breaks, for a header value. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

type StoredMail = { template: Template; data: Record<string, string>; redactedAt: Date | null };

/** The subject of a stored email. Without data that fit the template, as after their removal, it is the template's name in words. */
export const subjectOf = ({ template, data, redactedAt }: StoredMail, brand: string): string => {
  const name = template.replaceAll('_', ' ');
  if (redactedAt !== null || !TEMPLATE_NAMES.includes(template)) return name;
  try {
    const write = TEMPLATES[template] as (context: MailContext<Template>) => { subject: string };
    return oneLine(write({ brand, data, recipient: { email: '', firstName: '' } }).subject);
  } catch {
    return name;
  }
};

/** `unsubscribeLink`: which turns off emails of this kind. An example has one that turns off nothing. */
type Context<Name extends Template> = MailContext<Name> & {
  publicUrl: string;
  unsubscribeLink?: string | null;
};

/** The email as text and as HTML with the same content. User input is escaped, and the subject is always one line. */
export const writeMail = <Name extends Template>(template: Name, context: Context<Name>): MailContent => {
  const { brand, publicUrl, recipient, unsubscribeLink } = context;
  const { subject, lines, link, footnote = '', turnOff } = TEMPLATES[template](context);
  const said = lines.filter((line) => line !== '');
  const content = {
    brand,
    subject: oneLine(subject),
    // The preview says what happened, but never shows a code, which someone could read over the user's shoulder.
    preheader: said.find((line) => typeof line === 'string') ?? subject,
    lines: [greetingOf(recipient), ...said],
    link: { label: link.label, url: 'url' in link ? link.url : `${publicUrl}${link.path}` },
    footnote,
    turnOff:
      turnOff === undefined
        ? null
        : {
            why: turnOff,
            label: mailText('turnOff'),
            url: unsubscribeLink ?? `${publicUrl}${UNSUBSCRIBE_PATH}`,
          },
  };
  return { subject: content.subject, text: toText(content), html: toHtml(content) };
};
