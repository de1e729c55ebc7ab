import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { periodEndAfter } from '../model/billing-cycle.rules.ts';
import { findDecline } from '../model/card.rules.ts';
import { discountOf } from '../model/discount.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { cardError, invalidRequest } from '../model/errors.ts';
import { buildUpdateInvoice } from '../model/invoice.ts';
import { buildLine, buildProrationLine } from '../model/invoice-lines.ts';
import { cycleOf, movePrice } from '../model/subscription.ts';
import { newId, refId } from '../state.ts';
import { collectInvoice } from './collect-invoice.ts';
import { discountInvoice, openInvoice, taxInvoice } from './open-invoice.ts';

/** Prices that items move to now. `at`: the second from which the unused time is credited. */
export type ItemsChange = { moves: { item: Stripe.SubscriptionItem; price: Stripe.Price }[]; at: number };

const requireSameCurrency = ({ currency }: Stripe.Subscription, price: Stripe.Price): void => {
  if (price.currency === currency) return;
  const message = `The price specified supports currencies of \`${price.currency}\`. This doesn't match the expected currency: \`${currency}\`.`;
  throw invalidRequest({ message, param: 'items[0][price]' });
};

const creditOf = ({ price, quantity = 1, ...period }: Stripe.SubscriptionItem, at: number): number => {
  const { current_period_start: start, current_period_end: end } = period;
  if (at < start || at > end) {
    const message = `The proration date must be in the current period, between ${start} and ${end}.`;
    throw invalidRequest({ message, param: 'proration_date' });
  }
  return Math.round(((price.unit_amount ?? 0) * quantity * (end - at)) / (end - start));
};

/** The item at its new price. Its period begins now, because the interval changes: https://docs.stripe.com/billing/subscriptions/billing-cycle */
const movedItem = (
  context: Context,
  { item, price }: ItemsChange['moves'][number],
): Stripe.SubscriptionItem => {
  const moved = structuredClone(item);
  movePrice(moved, price);
  moved.current_period_start = now(context);
  moved.current_period_end = periodEndAfter(cycleOf(price, now(context)), now(context));
  return moved;
};

const customerOf = ({ state }: Context, subscription: Stripe.Subscription): Stripe.Customer => {
  const customer = state.customers.get(refId(subscription.customer) ?? '');
  if (!customer) throw invalidRequest({ message: 'The customer of this subscription was deleted.' });
  return customer;
};

/** The invoice of the change, which is stored only when the change is made. */
const draftInvoice = (context: Context, subscription: Stripe.Subscription, { moves, at }: ItemsChange) => {
  const id = newId('in');
  for (const { price } of moves) requireSameCurrency(subscription, price);
  const moved = moves.map((move) => movedItem(context, move));
  const credits = moves.map(({ item }) =>
    buildProrationLine(id, subscription, { item, amount: -creditOf(item, at), start: at }),
  );
  const lines = [...credits, ...moved.map((item) => buildLine(id, subscription, item))];
  const customer = customerOf(context, subscription);
  const invoice = buildUpdateInvoice(context, { id, subscription, customer, lines });
  const discount = discountOf(context, subscription);
  if (discount) discountInvoice(invoice, discount);
  taxInvoice(context, invoice, subscription.automatic_tax.enabled);
  return { invoice, moved, customer };
};

/** What the change would charge now: https://docs.stripe.com/api/invoices/create_preview */
export const previewItems = (
  context: Context,
  subscription: Stripe.Subscription,
  change: ItemsChange,
): Stripe.Invoice => {
  const { invoice } = draftInvoice(context, subscription, change);
  return { ...invoice, id: `upcoming_${invoice.id}` };
};

const requirePayment = (
  { state }: Context,
  {
    subscription,
    customer,
    amount,
  }: { subscription: Stripe.Subscription; customer: Stripe.Customer; amount: number },
): void => {
  if (amount === 0) return;
  const method =
    refId(subscription.default_payment_method) ?? refId(customer.invoice_settings.default_payment_method);
  const card = state.cards.get(method ?? '');
  const decline = card ? findDecline(card.number, 'later', false) : null;
  if (!decline) return;
  const isAuthentication = decline.code === 'authentication_required';
  throw cardError(
    isAuthentication ? { ...decline, code: 'subscription_payment_intent_requires_action' } : decline,
  );
};

/** Moves items at once and collects the difference. A payment that fails changes nothing, as `error_if_incomplete` has it. */
export const changeItems = (
  context: Context,
  subscription: Stripe.Subscription,
  change: ItemsChange,
): void => {
  const { invoice, moved, customer } = draftInvoice(context, subscription, change);
  requirePayment(context, { subscription, customer, amount: invoice.amount_due });
  const previous = captureChanges(subscription, () => {
    for (const item of moved) {
      const index = subscription.items.data.findIndex(({ id }) => id === item.id);
      subscription.items.data[index] = item;
    }
    subscription.billing_cycle_anchor = now(context);
    subscription.latest_invoice = invoice.id;
  });
  context.state.invoices.set(invoice.id, invoice);
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
  emit(context, 'invoice.created', invoice);
  openInvoice(context, invoice, customer);
  collectInvoice(context, invoice, { by: 'customer', isAuthenticated: false });
};
