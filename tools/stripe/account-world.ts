import { setTimeout as sleep } from 'node:timers/promises';
import { days, inSeconds, minutes, seconds } from '@shortlist/contracts/durations';
import type { Stripe } from 'stripe';
import {
  type Access,
  type Actions,
  BUYER,
  type Card,
  createClient,
  findPrice,
  nextStart,
  NotPossible,
  type Provider,
  type Purchase,
} from './world.ts';

/** https://docs.stripe.com/testing */
const CARDS: Record<Card, string> = {
  accepted: 'pm_card_visa',
  'declined later': 'pm_card_chargeCustomerFail',
  authenticated: 'pm_card_authenticationRequired',
  disputed: 'pm_card_createDispute',
  'refund fails': 'pm_card_refundFail',
};
const BANK_ACCOUNTS = {
  succeeded: 'pm_usBankAccount_success',
  failed: 'pm_usBankAccount_insufficientFunds',
};

const POLL_MS = seconds(3);
const POLLS = minutes(5) / POLL_MS;
/** Events follow what they tell of by a few seconds. */
const SETTLE_MS = seconds(10);

/** Asks until something is found; test mode takes seconds, rarely minutes. */
const until = async <T>(what: string, find: () => Promise<T | undefined | false>): Promise<T> => {
  for (let poll = 0; poll < POLLS; poll += 1) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    await sleep(POLL_MS);
  }
  throw new Error(`${what} did not happen.`);
};

const idOf = (reference: string | { id: string } | null | undefined): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '');

/** The parts that every action needs: the client and the clock of this scenario. */
type Parts = { stripe: Stripe; clock: string };

const addCustomer = async ({ stripe, clock }: Parts): Promise<string> =>
  (await stripe.customers.create({ ...BUYER, test_clock: clock })).id;

/** A bank account that the payer has verified by the two small deposits of test mode. */
const addBankAccount = async (stripe: Stripe, customer: string, account: string): Promise<string> => {
  const intent = await stripe.setupIntents.create({
    customer,
    payment_method: account,
    allowed_payment_method_types: ['us_bank_account'],
    mandate_data: { customer_acceptance: { type: 'offline' } },
    confirm: true,
  });
  if (intent.next_action?.type === 'verify_with_microdeposits')
    await stripe.setupIntents.verifyMicrodeposits(intent.id, { amounts: [32, 45] });
  return idOf(intent.payment_method);
};

const addMethod = async (
  stripe: Stripe,
  customer: string,
  { card = 'accepted', debit }: Purchase,
): Promise<string> =>
  debit === undefined
    ? (await stripe.paymentMethods.attach(CARDS[card], { customer })).id
    : addBankAccount(stripe, customer, BANK_ACCOUNTS[debit]);

const subscribe = async (parts: Parts, purchase: Purchase): ReturnType<Actions['subscribe']> => {
  const { stripe } = parts;
  const { percentOff = 0, isTaxed = false, currency = 'usd' } = purchase;
  const customer = await addCustomer(parts);
  const default_payment_method = await addMethod(stripe, customer, purchase);
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method } });
  const coupons =
    percentOff === 0 ? [] : [await stripe.coupons.create({ percent_off: percentOff, duration: 'once' })];
  const subscription = await stripe.subscriptions.create({
    customer,
    items: [{ price: await findPrice(stripe, currency) }],
    default_payment_method,
    discounts: coupons.map(({ id }) => ({ coupon: id })),
    automatic_tax: { enabled: isTaxed },
  });
  return { customer, subscription: subscription.id, invoice: idOf(subscription.latest_invoice) };
};

const replaceCard = async ({ stripe }: Parts, customer: string, card: Card): Promise<void> => {
  const { id } = await stripe.paymentMethods.attach(CARDS[card], { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
  const { data } = await stripe.subscriptions.list({ customer });
  for (const subscription of data)
    await stripe.subscriptions.update(subscription.id, { default_payment_method: id });
};

const advance = async ({ stripe, clock }: Parts, count: number): Promise<void> => {
  const { testClocks } = stripe.testHelpers;
  const { frozen_time } = await testClocks.retrieve(clock);
  await testClocks.advance(clock, { frozen_time: frozen_time + inSeconds(days(count)) });
  await until('The advance of the clock', async () => (await testClocks.retrieve(clock)).status === 'ready');
};

const intentOf = async (stripe: Stripe, invoice: string): Promise<Stripe.PaymentIntent> => {
  const { data } = await stripe.invoicePayments.list({ invoice });
  return stripe.paymentIntents.retrieve(idOf(data[0]?.payment.payment_intent));
};

const createActions = (parts: Parts): Actions => {
  const { stripe } = parts;
  return {
    findPrice: () => findPrice(stripe),
    addCustomer: () => addCustomer(parts),
    subscribe: (purchase = {}) => subscribe(parts, purchase),
    payCheckout: () => Promise.reject(new NotPossible("Checkout's page is paid in a browser.")),
    replaceCard: (customer, card) => replaceCard(parts, customer, card),
    advance: (count) => advance(parts, count),
    retryOn: () => Promise.reject(new NotPossible('The retry schedule is set in the dashboard.')),
    dispute: async (invoice) => {
      const payment_intent = (await intentOf(stripe, invoice)).id;
      const find = async () => (await stripe.disputes.list({ payment_intent })).data[0];
      return (await until('The dispute', find)).id;
    },
    winDispute: async (dispute) => {
      await stripe.disputes.update(dispute, {
        evidence: { uncategorized_text: 'winning_evidence' },
        submit: true,
      });
      await until('The win', async () => (await stripe.disputes.retrieve(dispute)).status === 'won');
    },
    failRefund: async (refund) => {
      await until('The failure', async () => (await stripe.refunds.retrieve(refund)).status === 'failed');
    },
    // The bank account says what the bank does.
    settleDebit: async (invoice) => {
      await until('The debit', async () => (await intentOf(stripe, invoice)).status !== 'processing');
    },
    pause: async (subscription) => void (await stripe.subscriptions.pause(subscription)),
    resume: async (subscription) => void (await stripe.subscriptions.resume(subscription)),
    settle: () => sleep(SETTLE_MS),
  };
};

/** An account in test mode. Each scenario has a clock of its own, which takes its customers with it. */
export const connectAccount = (access: Access): Provider => {
  const stripe = createClient(access);
  return {
    access,
    open: async () => {
      const startedAt = nextStart(Math.floor(Date.now() / 1_000));
      const { id: clock } = await stripe.testHelpers.testClocks.create({ frozen_time: startedAt });
      return {
        startedAt,
        actions: createActions({ stripe, clock }),
        close: async () => {
          await stripe.testHelpers.testClocks.del(clock);
        },
      };
    },
  };
};
