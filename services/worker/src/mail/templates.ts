import { FREE_CREDITS, FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import { alertLetter } from './alert-letter.ts';
import { date, money } from './format.ts';

export type Recipient = { email: string; firstName: string };
export type Letter = { subject: string; text: string; html: string };

type Context = { recipient: Recipient; brand: string; publicUrl: string; data: Record<string, string> };
type Parts = { subject: string; lines: string[]; link: { label: string; path: string } };

/** An amount of 0 was paid by a discount or a balance, not received. */
const received = (data: Record<string, string>): string =>
  data['amount'] === '0'
    ? 'There was nothing to pay this time: your discount or your balance covered the whole price.'
    : `We received ${money(data)} on ${date(data['paidAt'])}.`;

/** After a grace without payment Stripe may still collect the invoice, so that mail promises nothing about charges. */
const PLAN_ENDS: Record<string, string> = {
  grace_end:
    'We could not collect your monthly installment. Your premium plan has ended and your account is now Free.',
  dispute:
    'Your bank returned your payment to you, so your premium plan has ended and your account is now Free. Nothing further will be charged.',
};

const planEnd = ({ reason = '' }: Record<string, string>): string =>
  PLAN_ENDS[reason] ??
  'Your premium plan has ended and your account is now Free. Nothing further will be charged.';

/** The texts of each mail, by the value of the `template` column. */
export const TEMPLATES = {
  welcome: ({ brand }) => ({
    subject: `Welcome to ${brand}`,
    lines: [
      `Your account is ready. You have ${FREE_CREDITS} free credits to begin with, good for ${FREE_WINDOW_DAYS} days from the first one you use.`,
    ],
    link: { label: 'Open your account', path: '/' },
  }),
  receipt: ({ brand, data }) => ({
    subject: `Your ${brand} receipt`,
    lines: [
      received(data),
      data['periodEnd'] ? `Your plan is paid until ${date(data['periodEnd'])}.` : '',
      `Invoice ${data['invoiceId'] ?? ''}.`,
    ],
    link: { label: 'See your subscription', path: '/payments' },
  }),
  payment_failed: ({ data }) => ({
    subject: 'Your payment did not go through',
    lines: [
      'We could not collect your monthly installment. Your plan goes on for now; please check your card.',
      data['graceUntil'] ? `If nothing changes, the plan ends on ${date(data['graceUntil'])}.` : '',
    ],
    link: { label: 'Update your card', path: '/subscription' },
  }),
  plan_granted: ({ brand, data }) => ({
    subject: `You are now a ${brand} Premium user`,
    lines: [`Your account was made premium until ${date(data['periodEnd'])}. There is nothing to pay.`],
    link: { label: 'See your credits', path: '/credits' },
  }),
  plan_revoked: ({ brand, data }) => ({
    subject: `Your ${brand} plan has ended`,
    lines: [planEnd(data)],
    link: { label: 'Subscribe again', path: '/payments' },
  }),
  credits_exhausted: ({ data }) => ({
    subject: 'You have used all your credits',
    lines: [
      `All ${data['limit'] ?? ''} credits of this window are used. New ones come on ${date(data['windowEnd'])}.`,
    ],
    link: { label: 'See your usage', path: '/credits' },
  }),
  alert: ({ data }) => ({
    ...alertLetter(data),
    link: { label: 'See all alerts', path: '/admin/system' },
  }),
} as const satisfies Record<string, (context: Context) => Parts>;

export type Template = keyof typeof TEMPLATES;

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

/** The mail as text and as HTML. User input is escaped, and a subject is always one line. */
export const writeLetter = (template: Template, context: Context): Letter => {
  const { subject, lines, link } = TEMPLATES[template](context);
  const url = `${context.publicUrl}${link.path}`;
  const paragraphs = [`Hello ${context.recipient.firstName},`, ...lines.filter((line) => line !== '')];
  const html = paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return {
    subject: oneLine(subject),
    text: `${paragraphs.join('\n\n')}\n\n${link.label}: ${url}\n\n${context.brand}\n`,
    html: `${html}\n<p><a href="${escapeHtml(url)}">${escapeHtml(link.label)}</a></p>\n<p>${escapeHtml(context.brand)}</p>`,
  };
};
