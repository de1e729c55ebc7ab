import type { Line } from './layout.ts';
import type { MailLink, MailParts, MailContents, MailData } from './mail-data.ts';
import { date, day, money, month } from './formats.ts';
import { mailText } from './messages.ts';

type Receipt = MailData['receipt'];

/** An amount of 0 was covered by a discount or a balance, not received. */
const received = (data: Receipt): string =>
  data.amount === '0'
    ? mailText('nothingToPay')
    : mailText('received', { amount: money(data), date: date(data.paidAt) });

/** The facts of the invoice. An email from before its details were stored has only the amount. */
const invoiceFacts = (data: Receipt): Line => {
  const { number = '', tax = '', currency, invoicedFrom = '', invoicedUntil = '' } = data;
  const period = invoicedFrom && mailText('fromTo', { from: day(invoicedFrom), until: day(invoicedUntil) });
  const facts = [
    [mailText('invoiceNumber'), number || data.invoiceId],
    [mailText('invoicePeriod'), period],
    [mailText('paidOn'), day(data.paidAt)],
    [mailText('amount'), money(data)],
    [mailText('taxIncluded'), tax && money({ amount: tax, currency })],
  ] as const;
  return { facts: facts.filter(([, value]) => value !== '') };
};

/** Has the invoices, the card, and the renewal. */
const PLAN_PAGE = '/payments';

/** Stripe's PDF; without its URL, the page with all invoices. */
const invoiceLink = ({ pdfUrl }: Receipt): MailLink =>
  pdfUrl
    ? { label: mailText('downloadInvoice'), url: pdfUrl }
    : { label: mailText('seeInvoices'), path: PLAN_PAGE };

/** After an unpaid grace, Stripe may still collect the invoice, so that email promises nothing about charges. */
const planEnd = ({ reason }: MailData['plan_revoked']): string => {
  if (reason === 'grace_end') return mailText('endedUnpaid');
  return mailText(reason === 'dispute' ? 'endedDisputed' : 'ended');
};

/** The page with the amount due and how to pay it. */
const PAY_LINK = { label: mailText('payInvoice'), path: PLAN_PAGE };

const failedPayment = ({ graceUntil }: MailData['payment_failed']): MailParts => ({
  subject: mailText('paymentFailed'),
  lines: [
    mailText('couldNotCollect'),
    graceUntil === '' ? mailText('payToReturn') : mailText('payBefore', { date: date(graceUntil) }),
  ],
  link: PAY_LINK,
});

/** The bank requires the payer's confirmation (3-D Secure) on Stripe's page. */
const paymentToConfirm = ({ graceUntil, confirmUrl }: MailData['payment_failed']): MailParts => ({
  subject: mailText('confirmNeeded'),
  lines: [
    mailText('bankNeedsConfirmation'),
    graceUntil === '' ? mailText('confirmToReturn') : mailText('confirmBefore', { date: date(graceUntil) }),
  ],
  link: { label: mailText('confirmPayment'), url: confirmUrl },
});

/** The emails about payments and the plan. */
export const BILLING_MAILS: MailContents<
  | 'receipt'
  | 'payment_failed'
  | 'pack_bought'
  | 'plan_granted'
  | 'plan_revoked'
  | 'renewal_stopped'
  | 'renewal_resumed'
  | 'card_expiring'
  | 'trial_ending'
> = {
  receipt: ({ brand, data }) => ({
    subject: mailText('receipt', { brand }),
    lines: [
      received(data),
      invoiceFacts(data),
      data.periodEnd ? mailText('paidUntil', { date: date(data.periodEnd) }) : '',
      data.pdfUrl ? '' : mailText('invoiceElsewhere'),
    ],
    link: invoiceLink(data),
  }),
  payment_failed: ({ data }) => (data.confirmUrl ? paymentToConfirm(data) : failedPayment(data)),
  pack_bought: ({ data }) => ({
    subject: mailText('packBought', { credits: Number(data.credits) }),
    lines: [
      mailText('packAdded', { credits: Number(data.credits), date: date(data.paidAt) }),
      mailText('packOnce'),
      mailText('invoiceElsewhere'),
    ],
    link: { label: mailText('seeCredits'), path: '/credits' },
  }),
  plan_granted: ({ brand, data }) => ({
    subject: mailText('planGranted', { brand }),
    lines: [mailText('grantedUntil', { date: date(data.periodEnd) })],
    link: { label: mailText('seeCredits'), path: '/credits' },
  }),
  plan_revoked: ({ brand, data }) => ({
    subject: mailText('planEnded', { brand }),
    lines: [planEnd(data)],
    link: data.reason === 'grace_end' ? PAY_LINK : { label: mailText('subscribeAgain'), path: PLAN_PAGE },
  }),
  renewal_stopped: ({ brand, data: { premiumUntil, renewsUntil } }) => ({
    subject: mailText(renewsUntil ? 'renewalLimited' : 'renewalStopped', { brand }),
    lines: renewsUntil
      ? [mailText('renewalLimitedText', { date: date(renewsUntil) })]
      : [mailText('renewalStoppedText', { date: date(premiumUntil) }), mailText('renewalStoppedBack')],
    link: { label: mailText('manageSubscription'), path: PLAN_PAGE },
  }),
  renewal_resumed: ({ brand, data }) => ({
    subject: mailText('renewalResumed', { brand }),
    lines: [mailText('renewalResumedText', { date: date(data.periodEnd) })],
    link: { label: mailText('manageSubscription'), path: PLAN_PAGE },
  }),
  card_expiring: ({ data: { brand, last4, expires } }) => ({
    subject: mailText('cardExpires'),
    lines: [
      mailText('cardExpiresText', { brand, last4, month: month(expires) }),
      mailText('cardExpiresNext'),
    ],
    link: { label: mailText('updateCard'), path: '/subscription?page=card' },
  }),
  trial_ending: ({ brand, data: { endsAt, amount, currency, interval } }) => ({
    subject: mailText('trialEnding', { brand }),
    lines: [
      amount === ''
        ? mailText('trialEndingPrice', { date: date(endsAt), interval })
        : mailText('trialEndingText', { date: date(endsAt), amount: money({ amount, currency }), interval }),
      mailText('trialEndingCancel'),
    ],
    link: { label: mailText('manageSubscription'), path: PLAN_PAGE },
  }),
};
