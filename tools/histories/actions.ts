// What may happen to a paying customer outside of us: the customer's bank, the customer in the billing portal, and the operator in
// Stripe's dashboard. An action changes Stripe through the sandbox's control API, and the model.
import { days } from '@shortlist/contracts/durations';
import {
  currentOf,
  endSubscription,
  markPaid,
  type ModelCustomer,
  type ModelInvoice,
  type ModelPack,
  type ModelSubscription,
  recover,
} from './stripe-model.ts';
import { PACK_PRICE, refundedOf } from './plan-model.ts';

/** A call of the sandbox's control API. Throws when the sandbox refuses it. */
export type Control = <T>(path: string, body?: object, method?: 'POST' | 'PUT') => Promise<T>;
export type Customer = { customerId: string; model: ModelCustomer };
export type Action = { name: string; run: (control: Control) => Promise<void> };
type WithId = ModelInvoice & { id: string };
/** What was paid by an invoice, at its price; `of` distinguishes the actions of packs. */
type Sold = { id: string; price: number; of: string; now: number } & Pick<
  ModelInvoice,
  'refunds' | 'dispute'
>;

const BAD_CARD = '4000000000000341';
const GOOD_CARD = '4242424242424242';
const PART = 1_000;

const named = (name: string, run: Action['run']): Action => ({ name, run });
const hasId = (invoice: ModelInvoice): invoice is WithId => invoice.id !== null;

/** As an admin's choice to take back credits marks it. A pack's refund does without. */
const TAKES_CREDITS = { metadata: { credits: 'taken_back' } };

const refund = ({ id: invoice, refunds, of, now }: Sold, name: string, amount: number): Action =>
  named(`${name}${of}`, async (control) => {
    const choice = amount === PART ? TAKES_CREDITS : {};
    const { id } = await control<{ id: string }>(`/invoices/${invoice}/refund`, { amount, ...choice });
    refunds.push({ id, amount, failed: false, ...(amount === PART && { takesCreditsAt: now }) });
  });

const refundActions = (sold: Sold): Action[] => {
  const rest = sold.price - refundedOf(sold);
  const part = rest > PART ? [refund(sold, 'refund a part', PART)] : [];
  const whole = rest > 0 ? [refund(sold, 'refund the rest', rest)] : [];
  const failing = sold.refunds
    .filter(({ id, failed }) => id !== '' && !failed)
    .map((one) =>
      named(`fail a refund${sold.of}`, async (control) => {
        await control(`/refunds/${one.id}/fail`);
        one.failed = true;
      }),
    );
  return [...part, ...whole, ...failing];
};

const closeDispute = (
  dispute: NonNullable<ModelInvoice['dispute']>,
  { status, of }: { status: 'won' | 'lost'; of: string },
): Action =>
  named(of === '' ? `close a dispute as ${status}` : `close a dispute${of}`, async (control) => {
    await control(`/disputes/${dispute.id}/close`, { status });
    dispute.status = status;
  });

const disputeActions = (
  { dispute, refunds, id: invoice, of }: Sold,
  setDispute: (dispute: ModelInvoice['dispute']) => void,
): Action[] => {
  if (dispute?.status === 'open')
    return (['won', 'lost'] as const).map((status) => closeDispute(dispute, { status, of }));
  if (dispute !== null || refunds.length > 0) return [];
  return [
    named(`dispute a payment${of}`, async (control) => {
      const { id } = await control<{ id: string }>(`/invoices/${invoice}/dispute`);
      setDispute({ id, status: 'open' });
    }),
  ];
};

/** What the bank and the operator may do with what was paid for the plan, or for a pack. */
const paidActions = (paid: WithId | ModelPack, terms: Pick<Sold, 'price' | 'of' | 'now'>): Action[] => {
  const { id, refunds, dispute } = paid;
  const sold = { id, refunds, dispute, ...terms };
  const disputing = disputeActions(sold, (opened) => void (paid.dispute = opened));
  return [...disputing, ...(dispute === null ? refundActions(sold) : [])];
};

const close = (subscription: ModelSubscription, invoice: WithId, status: 'void' | 'uncollectible'): Action =>
  named(`make an invoice ${status}`, async (control) => {
    await control(`/invoices/${invoice.id}/${status}`);
    Object.assign(invoice, { status, nextAttemptAt: null });
    recover(subscription);
  });

/** What the bank confirms after its period buys nothing, since the subscription goes on: billing gives it back. */
const giveBack = (invoice: ModelInvoice, at: number): void => {
  invoice.lateFrom = at;
  invoice.refunds.push({ id: '', amount: invoice.price, failed: false });
};

const settle = (
  { customerId, model }: Customer,
  { subscription, invoice }: { subscription: ModelSubscription; invoice: WithId },
  outcome: 'succeeded' | 'failed',
): Action =>
  named(`settle a debit as ${outcome}`, async (control) => {
    await control(`/invoices/${invoice.id}/settle`, { outcome });
    if (outcome === 'succeeded') {
      subscription.status = 'active';
      markPaid(subscription, invoice, model.now);
      if (model.now >= invoice.end) giveBack(invoice, model.now);
      // Renewals are by card: the model has no debits that a bank returns after a renewal.
      await control(`/customers/${customerId}/card`, { card: GOOD_CARD });
    } else {
      invoice.status = 'void';
      subscription.neverPaid = true;
      endSubscription(subscription, model.now);
    }
  });

const openActions = (
  customer: Customer,
  target: { subscription: ModelSubscription; invoice: WithId },
): Action[] => {
  const { subscription, invoice } = target;
  if (subscription.status !== 'incomplete')
    return [close(subscription, invoice, 'void'), close(subscription, invoice, 'uncollectible')];
  const isSettled = customer.model.now - subscription.anchor >= days(1);
  return isSettled ? [settle(customer, target, 'succeeded'), settle(customer, target, 'failed')] : [];
};

const invoiceActions = (customer: Customer): Action[] =>
  customer.model.subscriptions.flatMap((subscription) =>
    subscription.invoices.filter(hasId).flatMap((invoice) => {
      if (invoice.isForeign) return [];
      if (invoice.price === 0) return [];
      const { now } = customer.model;
      if (invoice.status === 'paid') return paidActions(invoice, { price: invoice.price, of: '', now });
      return invoice.status === 'open' ? openActions(customer, { subscription, invoice }) : [];
    }),
  );

const cancellations = ({ model }: Customer, subscription: ModelSubscription): Action[] => {
  const path = `/subscriptions/${subscription.id}/cancel`;
  const now = named('cancel at once', async (control) => {
    await control(path, { atPeriodEnd: false });
    endSubscription(subscription, model.now);
  });
  const atEnd = named('cancel at the end of the period', async (control) => {
    await control(path, { atPeriodEnd: true });
    Object.assign(subscription, { cancelsAtEnd: true, endsAt: null, nextInterval: null });
  });
  return subscription.cancelsAtEnd ? [now] : [now, atEnd];
};

const cardChange = ({ customerId, model }: Customer): Action =>
  named(model.cardIsGood ? 'the card expires' : 'the card is replaced', async (control) => {
    await control(`/customers/${customerId}/card`, { card: model.cardIsGood ? BAD_CARD : GOOD_CARD });
    model.cardIsGood = !model.cardIsGood;
  });

/** What may happen next to this customer at Stripe. */
export const possibleActions = (customer: Customer): Action[] => {
  const current = currentOf(customer.model);
  const isRunning = current !== null && current.status !== 'incomplete';
  return [
    ...invoiceActions(customer),
    ...customer.model.packs.flatMap((pack) =>
      paidActions(pack, { price: PACK_PRICE, of: ' of a pack', now: customer.model.now }),
    ),
    ...(isRunning ? [...cancellations(customer, current), cardChange(customer), cardChange(customer)] : []),
  ];
};
