import { FREE_CREDITS, FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import { alertLetter } from './alert-letter.ts';
import { date, money } from './format.ts';

export type Recipient = { email: string; firstName: string };
export type Letter = { subject: string; text: string; html: string };

type Context = { recipient: Recipient; brand: string; publicUrl: string; data: Record<string, string> };
/** A page of ours, or one of the payment provider's. */
type Link = { label: string; path: string } | { label: string; url: string };
type Parts = { subject: string; lines: string[]; link: Link };

/** An amount of 0 was paid by a discount or a balance, not received. */
const received = (data: Record<string, string>): string =>
  data['amount'] === '0'
    ? 'There was nothing to pay this time: your discount or your balance covered the whole price.'
    : `We received ${money(data)} on ${date(data['paidAt'])}.`;

/** After a grace without payment Stripe may still collect the invoice, so that mail promises nothing about charges. */
const PLAN_ENDS: Record<string, string> = {
  grace_end:
    'We could not collect your monthly installment. Your premium plan has ended and your account is now Free. Pay the open invoice to get your plan back.',
  dispute:
    'Your bank returned your payment to you, so your premium plan has ended and your account is now Free. Nothing further will be charged.',
};

const planEnd = ({ reason = '' }: Record<string, string>): string =>
  PLAN_ENDS[reason] ??
  'Your premium plan has ended and your account is now Free. Nothing further will be charged.';

/** Where the user finds what is to be paid, and how. */
const PAY_LINK = { label: 'See what to pay', path: '/payments' };

/** How the plan goes on; `graceUntil` is empty once the grace is over. */
const planLine = ({ graceUntil = '' }: Record<string, string>, condition: string): string =>
  graceUntil === ''
    ? `Your plan is not active any more. You get it back as soon as ${condition}.`
    : `Your plan goes on until ${date(graceUntil)}, and after that as soon as ${condition}.`;

const failedPayment = (data: Record<string, string>): Parts => ({
  subject: 'Your payment did not go through',
  lines: [
    'We could not collect your monthly installment. Please pay the open invoice or update your card.',
    planLine(data, 'it is paid'),
  ],
  link: PAY_LINK,
});

/** The card is fine: its bank wants the payer's consent (3-D Secure), which Stripe's page collects. */
const paymentToConfirm = (data: Record<string, string>): Parts => ({
  subject: 'Please confirm your payment',
  lines: [
    'Your bank needs you to confirm your monthly installment before it goes through.',
    planLine(data, 'you have confirmed it'),
  ],
  link: { label: 'Confirm your payment', url: data['confirmUrl'] ?? '' },
});

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
  payment_failed: ({ data }) => (data['confirmUrl'] ? paymentToConfirm(data) : failedPayment(data)),
  plan_granted: ({ brand, data }) => ({
    subject: `You are now a ${brand} Premium user`,
    lines: [`Your account was made premium until ${date(data['periodEnd'])}. There is nothing to pay.`],
    link: { label: 'See your credits', path: '/credits' },
  }),
  plan_revoked: ({ brand, data }) => ({
    subject: `Your ${brand} plan has ended`,
    lines: [planEnd(data)],
    link: data['reason'] === 'grace_end' ? PAY_LINK : { label: 'Subscribe again', path: '/payments' },
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
  const { subject, lines, link }: Parts = TEMPLATES[template](context);
  const url = 'url' in link ? link.url : `${context.publicUrl}${link.path}`;
  const paragraphs = [`Hello ${context.recipient.firstName},`, ...lines.filter((line) => line !== '')];
  const html = paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  return {
    subject: oneLine(subject),
    text: `${paragraphs.join('\n\n')}\n\n${link.label}: ${url}\n\n${context.brand}\n`,
    html: `${html}\n<p><a href="${escapeHtml(url)}">${escapeHtml(link.label)}</a></p>\n<p>${escapeHtml(context.brand)}</p>`,
  };
};
