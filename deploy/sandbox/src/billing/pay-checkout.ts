import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { type CardEntry, findDecline, validateCard } from '../model/card.rules.ts';
import { customerDetails } from '../model/checkout-session.ts';
import { buildCustomer, parseEmail } from '../model/customer.ts';
import { emit } from '../model/emit-event.ts';
import { cardError, invalidRequest } from '../model/errors.ts';
import { buildInvoice, buildPaymentInvoice, paymentIntentOf } from '../model/invoice.ts';
import { buildSubscription } from '../model/subscription.ts';
import { addDiscount, discountOf, endDiscounts, redeemCode } from '../model/discount.ts';
import { newId, refId } from '../state.ts';
import {
  addCustomer,
  attachBankAccount,
  attachCard,
  useBankAccountOnce,
  useCardOnce,
} from './attach-card.ts';
import { collectInvoice } from './collect-invoice.ts';
import { discountInvoice, openInvoice, taxInvoice } from './open-invoice.ts';

export const expireCheckout = (context: Context, session: Stripe.Checkout.Session): void => {
  session.status = 'expired';
  session.url = null;
  emit(context, 'checkout.session.expired', session);
};

type CheckoutPayment = {
  /** A bank debit is confirmed or returned days later; the card is not used then. */
  method?: 'card' | 'bank_debit';
  card: CardEntry;
  isAuthenticated: boolean;
  email: string | null;
  /** The discount of a coupon on the first invoice. */
  percentOff?: number;
  /** What the customer enters where the session allows it. */
  promotionCode?: string | null;
};

const customerOf = (
  context: Context,
  session: Stripe.Checkout.Session,
  { email, card }: CheckoutPayment,
): Stripe.Customer => {
  const id = refId(session.customer);
  const existing = id === null ? undefined : context.state.customers.get(id);
  if (existing) return existing;
  if (id !== null) throw invalidRequest({ message: 'The customer of this checkout session was deleted.' });
  const emailAddress = session.customer_email ?? email;
  if (!emailAddress) throw invalidRequest({ message: 'Enter your email address.', param: 'email' });
  const customer = buildCustomer(context, { email: parseEmail(emailAddress), name: card.name });
  addCustomer(context, customer);
  return customer;
};

type PayingCustomer = {
  customer: Stripe.Customer;
  paymentMethod: Stripe.PaymentMethod;
};

const addSubscription = (
  context: Context,
  session: Stripe.Checkout.Session,
  { customer, paymentMethod }: PayingCustomer,
): Stripe.Subscription => {
  const draft = context.state.subscriptionDrafts.get(session.id);
  const subscription = buildSubscription(context, {
    customer: customer.id,
    paymentMethod: paymentMethod.id,
    metadata: draft?.metadata ?? {},
    description: draft?.description ?? null,
    lineItems: context.state.lineItems.get(session.id) ?? [],
    trialDays: draft?.trialDays ?? 0,
  });
  subscription.automatic_tax.enabled = draft?.automaticTax ?? false;
  customer.currency = subscription.currency;
  context.state.subscriptions.set(subscription.id, subscription);
  return subscription;
};

type Completion = {
  customer: Stripe.Customer;
  /** Null for a one-time payment. */
  subscription: Stripe.Subscription | null;
  invoice: Stripe.Invoice;
  /** Whether the bank has yet to confirm the payment. */
  isPending: boolean;
  name: string | null;
};

const sum = (amounts: { amount: number }[] | null): number =>
  (amounts ?? []).reduce((total, { amount }) => total + amount, 0);

const paymentStatus = ({ invoice, isPending }: Completion): Stripe.Checkout.Session.PaymentStatus => {
  if (invoice.total === 0) return 'no_payment_required';
  return isPending ? 'unpaid' : 'paid';
};

const completeSession = (session: Stripe.Checkout.Session, completion: Completion): void => {
  session.status = 'complete';
  const { total } = completion.invoice;
  session.payment_status = paymentStatus(completion);
  session.amount_total = total;
  session.total_details = {
    amount_discount: sum(completion.invoice.total_discount_amounts),
    amount_shipping: 0,
    amount_tax: sum(completion.invoice.total_taxes),
  };
  session.url = null;
  session.customer = completion.customer.id;
  session.subscription = completion.subscription?.id ?? null;
  session.invoice = completion.invoice.id;
  session.customer_details = customerDetails(completion.customer.email, completion.name);
};

const requirePayable = (
  context: Context,
  { status }: Stripe.Checkout.Session,
  { method, card, isAuthenticated }: CheckoutPayment,
): void => {
  if (status !== 'open')
    throw invalidRequest({ message: `This checkout session is ${status}; it cannot be paid.` });
  if (method === 'bank_debit') return;
  const decline = validateCard(card, now(context)) ?? findDecline(card.number, 'first', isAuthenticated);
  if (decline) throw cardError(decline);
};

type Sale = { customer: Stripe.Customer; subscription: Stripe.Subscription };

export const addFirstInvoice = (
  context: Context,
  { subscription, customer }: Sale,
  percentOff: number,
): Stripe.Invoice => {
  const { created } = subscription;
  const invoice = buildInvoice(context, {
    subscription,
    customer,
    billingReason: 'subscription_create',
    invoicedPeriod: { start: created, end: created },
  });
  const discount =
    percentOff === 0 ? discountOf(context, subscription) : { id: newId('di'), percentOff, amountOff: null };
  if (discount) discountInvoice(invoice, discount);
  endDiscounts(context, subscription);
  taxInvoice(context, invoice, subscription.automatic_tax.enabled);
  context.state.invoices.set(invoice.id, invoice);
  subscription.latest_invoice = invoice.id;
  return invoice;
};

type Purchase = { payment: CheckoutPayment; customer: Stripe.Customer };

/** The coupon of the code that the customer entered; null without one. */
const codeOf = (
  context: Context,
  { allow_promotion_codes: isAllowed, currency }: Stripe.Checkout.Session,
  { promotionCode }: CheckoutPayment,
) => {
  if (!promotionCode) return null;
  if (!isAllowed) throw invalidRequest({ message: 'This session takes no promotion codes.' });
  return redeemCode(context, promotionCode, currency);
};

const subscribe = (
  context: Context,
  session: Stripe.Checkout.Session,
  { payment, customer }: Purchase,
): void => {
  const { card, isAuthenticated } = payment;
  const isDebit = payment.method === 'bank_debit';
  const code = codeOf(context, session, payment);
  const paymentMethod = isDebit
    ? attachBankAccount(context, customer)
    : attachCard(context, { customer, card });
  const subscription = addSubscription(context, session, { customer, paymentMethod });
  if (code) addDiscount(context, subscription, code);
  // While the first payment is being processed: https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses
  if (isDebit) subscription.status = 'incomplete';
  const invoice = addFirstInvoice(context, { subscription, customer }, payment.percentOff ?? 0);
  completeSession(session, { customer, subscription, invoice, isPending: isDebit, name: card.name });
  emit(context, 'checkout.session.completed', session);
  emit(context, 'customer.subscription.created', subscription);
  emit(context, 'invoice.created', invoice);
  openInvoice(context, invoice, customer);
  collectInvoice(context, invoice, { by: 'schedule', isAuthenticated, moment: 'first' });
};

const addPaymentInvoice = (
  context: Context,
  session: Stripe.Checkout.Session,
  { payment, customer }: Purchase,
): Stripe.Invoice => {
  const { lineItems, paymentDrafts, invoices } = context.state;
  const draft = paymentDrafts.get(session.id);
  const invoice = buildPaymentInvoice(context, {
    customer,
    lineItems: lineItems.get(session.id) ?? [],
    metadata: draft?.invoiceMetadata ?? {},
  });
  const { percentOff = 0 } = payment;
  if (percentOff > 0) discountInvoice(invoice, { id: newId('di'), percentOff, amountOff: null });
  taxInvoice(context, invoice, draft?.automaticTax ?? false);
  invoices.set(invoice.id, invoice);
  return invoice;
};

/** Gives the payment what the session's order says of it. It is not repeated without the customer, unlike that of a subscription. */
const describePayment = (
  { state }: Context,
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent,
): void => {
  const { metadata = {}, description = null } = state.paymentDrafts.get(session.id) ?? {};
  Object.assign(intent, { metadata, description, setup_future_usage: null });
  session.payment_intent = intent.id;
};

/** Stripe makes the invoice once the payment has succeeded; while the bank confirms a debit, it is a draft here. */
const payOnce = (
  context: Context,
  session: Stripe.Checkout.Session,
  { payment, customer }: Purchase,
): void => {
  const { card, isAuthenticated } = payment;
  const isPending = payment.method === 'bank_debit';
  const method = isPending ? useBankAccountOnce(context, customer) : useCardOnce(context, { customer, card });
  const invoice = addPaymentInvoice(context, session, { payment, customer });
  openInvoice(context, invoice, customer);
  const intent = context.state.paymentIntents.get(paymentIntentOf(context, invoice.id) ?? '');
  if (intent) describePayment(context, session, intent);
  completeSession(session, { customer, subscription: null, invoice, isPending, name: card.name });
  emit(context, 'checkout.session.completed', session);
  invoice.default_payment_method = method.id;
  collectInvoice(context, invoice, { by: 'customer', isAuthenticated, moment: 'first' });
  if (isPending) invoice.status = 'draft';
};

/** Completes the session with its subscription or payment. A declined card changes nothing: the session stays open. */
export const payCheckout = (
  context: Context,
  session: Stripe.Checkout.Session,
  payment: CheckoutPayment,
): void => {
  requirePayable(context, session, payment);
  const customer = customerOf(context, session, payment);
  const pay = session.mode === 'payment' ? payOnce : subscribe;
  pay(context, session, { payment, customer });
};
