// What may happen to a user on our side: buying, an admin's grant or revocation, and a deletion while a checkout is open.
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days, hours } from '@shortlist/contracts/durations';
import { until } from '@shortlist/kit/testing/until';
import type { Billing } from '../../services/billing/test/support.ts';
import { type Action, type Control, possibleActions } from './actions.ts';
import { isTouched, paidOf, paidUntil } from './plan-model.ts';
import {
  addSubscription,
  addTrial,
  changeToYear,
  currentOf,
  endSubscription,
  type ModelInvoice,
  type ModelSubscription,
  monthsAfter,
  priceOfChange,
} from './stripe-model.ts';
import { termActions } from './term-actions.ts';
import { lookAfterAction, lookAtPlan, type UserHistory } from './user-history.ts';

type World = {
  billing: Billing;
  random: () => number;
  /** How often each kind of action has happened. Given that, new kinds are preferred, and most happen twice at most. */
  happened?: ReadonlyMap<string, number>;
  /** Whether an operator changes the terms of subscriptions in Stripe's dashboard. */
  changesTerms?: boolean;
  /** The cards with which a trial was begun. */
  cardsInTrials: Set<string>;
  /** Whether years are sold and no months. */
  sellsYears?: boolean;
};
type Payment = { customer: string; subscription: string; invoice: string };

const LATER_BAD_CARD = '4000000000000341';
const GOOD_CARD = '4242424242424242';
const GOOD_CARDS = [GOOD_CARD, '5555555555554444', '4000056655665556', '2223003122003222'];

/** Opens a checkout. What the last subscription could still charge for is closed before: it cannot be paid beside the new one. */
const openCheckout = async (
  { billing }: World,
  { userId, model }: UserHistory,
  interval: 'month' | 'year' = 'month',
): Promise<string> => {
  const sessionId = billing.sessionIn((await billing.openCheckout(userId, interval)).url);
  const [newest] = model.subscriptions;
  if (newest === undefined) return sessionId;
  if (newest.status !== 'canceled') endSubscription(newest, model.now);
  for (const invoice of newest.invoices)
    if (invoice.status === 'open' || invoice.status === 'uncollectible') invoice.status = 'void';
  return sessionId;
};

/** The code of a coupon that takes everything off. */
export const FREE_CODE = 'FRIENDS';

/** A month or a year; with a code that takes everything off, the method is a card. */
type Bought = { name: string; interval: 'month' | 'year'; isFree: boolean };
const MONTH: Bought = { name: 'buy', interval: 'month', isFree: false };
const YEAR: Bought = { name: 'buy a year', interval: 'year', isFree: false };
const WITH_CODE: Bought = { name: 'buy with a code', interval: 'month', isFree: true };

/** Whether the user's next subscription begins with a trial. */
const hasTrial = ({ billing }: World, { model }: UserHistory): boolean =>
  billing.trials.days > 0 && model.subscriptions.length === 0;

/** The first subscription of a user, with one of a few cards: a card that another user has begun a trial with begins none. */
const beginTrial = (world: World, user: UserHistory, { interval, isFree } = MONTH): Action => ({
  name: 'begin a trial',
  run: async (control) => {
    const { billing, random, cardsInTrials } = world;
    const { userId, model } = user;
    const sessionId = await openCheckout(world, user, interval);
    model.cardIsGood = random() < 0.8;
    const goodCard = GOOD_CARDS[Math.floor(random() * GOOD_CARDS.length)] ?? GOOD_CARD;
    const card = model.cardIsGood ? goodCard : LATER_BAD_CARD;
    const payment = { card, ...(isFree && { promotionCode: FREE_CODE }) };
    const { customer, subscription, invoice } = await control<Payment>(
      `/checkout_sessions/${sessionId}/pay`,
      payment,
    );
    user.customerId = customer;
    const isRefused = cardsInTrials.has(card);
    cardsInTrials.add(card);
    const { days: trialDays } = billing.trials;
    addTrial(model, { id: subscription, invoiceId: invoice, interval, isFree, trialDays, isRefused });
    // Who begins first is decided here, and not by the order of the events.
    const outcome = await billing.confirm(userId, sessionId).then(
      () => 'begun',
      ({ code }: { code: string }) => code,
    );
    if (outcome !== (isRefused ? 'billing.trial_refused' : 'begun'))
      throw new Error(`a trial was ${outcome} against the model`);
  },
});

const buy = (world: World, user: UserHistory, bought = MONTH): Action =>
  hasTrial(world, user) ? beginTrial(world, user, bought) : pay(world, user, bought);

const pay = (world: World, user: UserHistory, { name, interval, isFree }: Bought): Action => ({
  name,
  run: async (control) => {
    const { billing, random } = world;
    const { userId, model } = user;
    const sessionId = await openCheckout(world, user, interval);
    const method = random() < 0.35 && !isFree ? 'bank_debit' : 'card';
    // Where it can be paid late, most renewals fail.
    model.cardIsGood = method === 'bank_debit' || random() < (model.voidsUnpaid ? 0.7 : 0.1);
    const card = model.cardIsGood ? {} : { card: LATER_BAD_CARD };
    const { customer, subscription, invoice } = await control<Payment>(
      `/checkout_sessions/${sessionId}/pay`,
      {
        method,
        ...card,
        ...(isFree && { promotionCode: FREE_CODE }),
      },
    );
    user.customerId = customer;
    addSubscription(model, { id: subscription, invoiceId: invoice, method, interval, isFree });
    if (method === 'card' && random() < 0.5) await billing.confirm(userId, sessionId);
  },
});

/** On any plan, beside whatever becomes of a subscription. The card is used once. */
const buyPack = ({ billing, random }: World, user: UserHistory): Action => ({
  name: 'buy a pack',
  run: async (control) => {
    const { userId, model } = user;
    const sessionId = billing.sessionIn((await billing.openPackCheckout(userId)).url);
    const { customer, invoice } = await control<Payment>(`/checkout_sessions/${sessionId}/pay`);
    user.customerId = customer;
    model.packs.push({ id: invoice, paidAt: model.now, refunds: [], dispute: null });
    if (random() < 0.5) await billing.confirmPack(userId, sessionId);
  },
});

/** When a grant until this time ends: on the day on which a month of it ends, with the month. */
const grantEnd = (until: number, now: number): number =>
  [1, 2, 3].map((count) => monthsAfter(now, count)).find((end) => until >= end && until < end + hours(25)) ??
  until;

/** For a month, or for some days, or a few months, that the admin chose. */
const grant = ({ billing, random }: World, user: UserHistory): Action => ({
  name: 'grant',
  run: async () => {
    const { userId, model } = user;
    const isChosen = random() < 0.5;
    const length = isChosen ? random() : 0;
    const until =
      model.now + days(length < 0.7 ? 1 + Math.floor(length * 37) : Math.floor(length * 100) - 40);
    user.grantedUntil = isChosen ? grantEnd(until, model.now) : monthsAfter(model.now, 1);
    await billing.grant(userId, isChosen ? { until: new Date(until).toISOString() } : {});
    lookAtPlan(user); // billing knows it at once, even if it ends tomorrow
  },
});

const revoke = ({ billing }: World, user: UserHistory): Action => ({
  name: 'revoke',
  run: async () => {
    const { model } = user;
    await billing.revoke(user.userId);
    user.grantedUntil = Math.min(user.grantedUntil, model.now);
    user.revokedAt = model.now;
    const current = currentOf(model);
    if (current === null) return;
    if (current.status === 'incomplete') for (const invoice of current.invoices) invoice.status = 'void';
    endSubscription(current, model.now);
  },
});

const RECORDS = [
  'DELETE FROM refunds WHERE invoice_id IN (SELECT invoice_id FROM invoices WHERE user_id = ?)',
  'DELETE FROM dispute_transactions WHERE dispute_id IN (SELECT dispute_id FROM disputes WHERE user_id = ?)',
  'DELETE FROM disputes WHERE user_id = ?',
  'DELETE FROM invoices WHERE user_id = ?',
  'DELETE FROM credit_packs WHERE user_id = ?',
  'DELETE FROM subscriptions WHERE user_id = ?',
  'DELETE FROM checkout_intents WHERE user_id = ?',
  `UPDATE subscribers SET customer_id = NULL, customer_key = NULL, subscription_id = NULL, subscription_status = NULL,
     renews = FALSE, paid = NULL, problem = NULL WHERE user_id = ?`,
];

/**
 * Billing loses what it knows of a customer whose subscription goes on. Reconciliation finds it again at Stripe, where it takes up ongoing
 * subscriptions alone.
 */
const loseRecords = ({ billing }: World, user: UserHistory): Action => ({
  name: 'lose the records',
  run: async () => {
    for (const sql of RECORDS) await billing.db.query(sql, [user.userId]);
    user.recordedAgain += user.model.subscriptions.flatMap(paidOf).length;
  },
});

/**
 * The user pays what a subscription owed when it ended. It buys a whole period, after a grant that is in force; or it is given back,
 * when the user has a paid period already.
 */
const payLate = ({ billing }: World, user: UserHistory, invoice: ModelInvoice): Action => ({
  name: 'pay late',
  run: async (control) => {
    const { customerId, model, revokedAt, grantedUntil } = user;
    const isCovered = paidUntil(model, revokedAt) > model.now;
    const card = await control<{ id: string }>(`/customers/${customerId}/card`, { card: GOOD_CARD });
    await billing.api.invoices.pay(invoice.id ?? '', { payment_method: card.id });
    const lateFrom = Math.max(model.now, grantedUntil);
    Object.assign(invoice, { status: 'paid', paidAt: model.now, lateFrom, nextAttemptAt: null });
    model.cardIsGood = true;
    if (isCovered) invoice.refunds.push({ id: '', amount: invoice.price, failed: false });
  },
});

const latePayments = (world: World, user: UserHistory): Action[] =>
  user.model.subscriptions
    .filter(({ status }) => status === 'canceled')
    .flatMap(({ invoices }) => invoices.filter(({ id, status }) => id !== null && status === 'open'))
    .map((invoice) => payLate(world, user, invoice));

/** Whether billing has closed everything by which Stripe could take money of a deleted user. */
const isClosed = async ({ db }: Billing, userId: string): Promise<boolean> => {
  const closing: unknown[] = await db.query('SELECT 1 FROM subscribers WHERE user_id = ? AND closing', [
    userId,
  ]);
  return closing.length === 0;
};

/** The user is deleted while the page of a checkout is open; when the session could not be expired, it is paid all the same. */
const removeWhilePaying = (world: World, user: UserHistory): Action => ({
  name: 'delete while a checkout is open',
  run: async (control) => {
    const { billing, random } = world;
    const sessionId = await openCheckout(world, user);
    const isStripeAway = random() < 0.5;
    if (isStripeAway)
      await billing.sandbox.control('PUT', '/faults', {
        method: 'POST',
        path: `/v1/checkout/sessions/${sessionId}/expire`,
        status: 500,
        times: 1,
      });
    await billing.remove(user.userId);
    user.isDeleted = true;
    if (!isStripeAway) await until('the deletion to end', () => isClosed(billing, user.userId));
    const payment = await control<Payment>(`/checkout_sessions/${sessionId}/pay`).catch(() => null);
    if ((payment !== null) !== isStripeAway) throw new Error('a page was open, or closed, against the model');
    if (payment !== null) user.paidLateAt = user.model.now;
  },
});

/** Stripe collects nothing more for the period of an active subscription whose renewal was voided or given up. */
const isGivenUp = ({ status, invoices, pause, sellsPlan }: ModelSubscription): boolean => {
  const isPlain = pause === null && sellsPlan;
  const newest = invoices.at(-1)?.status;
  return status === 'active' && isPlain && (newest === 'void' || newest === 'uncollectible');
};

const mayBuy = (user: UserHistory, current: ModelSubscription | null): boolean =>
  !user.isPremium && (current === null || isGivenUp(current));

/** Whether the subscription is still ongoing when billing reconciles, a day later. */
const goesOn = ({ model }: UserHistory, { cancelsAtEnd, endsAt, periodEnd }: ModelSubscription): boolean =>
  (!cancelsAtEnd && endsAt === null) || periodEnd > model.now + days(1);

const premiumActions = (world: World, user: UserHistory, current: ModelSubscription | null): Action[] => {
  if (world.random() < 0.2) return [revoke(world, user)];
  const isOn = current?.status === 'active' || current?.status === 'trialing';
  return isOn && current.sellsPlan && goesOn(user, current) ? [loseRecords(world, user)] : [];
};

type Target = { world: World; user: UserHistory; subscription: ModelSubscription };

const preview = async ({ world: { billing }, user: { userId } }: Target, interval: 'month' | 'year') =>
  (await billing.call(billingEndpoints.previewInterval, { userId, interval }, billing.asUser(userId))).data;

const confirm = async (
  { world: { billing }, user: { userId } }: Target,
  { interval, amount, currency, prorationAt }: Awaited<ReturnType<typeof preview>>,
): Promise<void> => {
  const confirmed = { userId, interval, amount, currency, prorationAt };
  await billing.call(billingEndpoints.changeInterval, confirmed, billing.asUser(userId));
};

/** After a preview, whose amount the model must have too. */
const toYear = (target: Target): Action => ({
  name: 'change to a year',
  run: async () => {
    const { world, user, subscription } = target;
    const { customerId, model } = user;
    const shown = await preview(target, 'year');
    const price = priceOfChange(model, subscription);
    if (shown.amount !== price) throw new Error(`the change costs ${shown.amount}, in the model ${price}`);
    await confirm(target, shown);
    const { data } = await world.billing.api.invoices.list({ customer: customerId, limit: 1 });
    changeToYear(model, subscription, { id: data[0]?.id ?? '', price });
  },
});

const toMonths = (target: Target): Action => ({
  name: 'change to months',
  run: async () => {
    await confirm(target, await preview(target, 'month'));
    target.subscription.nextInterval = 'month';
  },
});

const keepYear = ({ world: { billing }, user: { userId }, subscription }: Target): Action => ({
  name: 'keep the year',
  run: async () => {
    await billing.call(billingEndpoints.keepInterval, { userId }, billing.asUser(userId));
    subscription.nextInterval = null;
  },
});

/** Whether no other subscription has paid for longer, such as a year whose refund failed after the next was bought. */
const paysLongest = ({ model, revokedAt }: UserHistory, subscription: ModelSubscription): boolean => {
  const others = model.subscriptions.filter((one) => one !== subscription);
  const [own, other] = [[subscription], others].map((subscriptions) =>
    paidUntil({ ...model, subscriptions }, revokedAt),
  );
  return (own ?? 0) >= (other ?? 0);
};

/** Whether a subscription is paid by card, renews, and has no payment in trouble. */
const isPlain = (user: UserHistory, subscription: ModelSubscription): boolean => {
  const { model, revokedAt } = user;
  const { status, cancelsAtEnd, endsAt, method, invoices } = subscription;
  const newest = invoices.at(-1);
  const isPaid = newest?.status === 'paid' && newest.end > model.now;
  const isRevoked = revokedAt !== null && (newest?.paidAt ?? 0) <= revokedAt;
  const renews = status === 'active' && !cancelsAtEnd && endsAt === null;
  const isUntouched = !isTouched(subscription) && paysLongest(user, subscription);
  return renews && method === 'card' && isPaid && !isRevoked && isUntouched;
};

/** Where the product offers a change. */
const intervalActions = (world: World, user: UserHistory): Action[] => {
  const subscription = currentOf(user.model);
  if (subscription === null || world.changesTerms || user.isDeleted || !isPlain(user, subscription))
    return [];
  const target = { world, user, subscription };
  if (subscription.nextInterval !== null) return [keepYear(target)];
  if (subscription.interval === 'year') return [toMonths(target)];
  return user.model.cardIsGood || subscription.isFree ? [toYear(target)] : [];
};

const MOST_PACKS = 3;

const packActions = (world: World, user: UserHistory): Action[] =>
  user.isDeleted || user.model.packs.length >= MOST_PACKS || world.random() > 0.1
    ? []
    : [buyPack(world, user)];

const planActions = (world: World, user: UserHistory): Action[] => {
  const current = currentOf(user.model);
  const others = world.changesTerms ? [] : [buy(world, user, YEAR), buy(world, user, WITH_CODE)];
  const usual = world.sellsYears === true ? YEAR : MONTH;
  const buying = [
    ...[usual, usual, usual].map((bought) => buy(world, user, bought)),
    ...others,
    grant(world, user),
  ];
  if (mayBuy(user, current))
    return world.random() < 0.04 && !hasTrial(world, user) ? [removeWhilePaying(world, user)] : buying;
  return user.isPremium && current?.status !== 'incomplete' ? premiumActions(world, user, current) : [];
};

const choose = ({ happened }: World, actions: Action[]): Action[] => {
  if (happened === undefined) return actions;
  const newKinds = actions.filter(({ name }) => !happened.has(name));
  if (newKinds.length > 0) return newKinds;
  // Most other actions need a purchase.
  return actions.filter(({ name }) => name === 'buy' || (happened.get(name) ?? 0) < 2);
};

/** Does one of the things that may happen next, chosen at random. Returns its name, or null when nothing may. */
export const actOnce = async (world: World, user: UserHistory, control: Control): Promise<string | null> => {
  const actions = [
    ...possibleActions(user),
    ...planActions(world, user),
    ...packActions(world, user),
    ...intervalActions(world, user),
    ...latePayments(world, user),
    ...(world.changesTerms ? termActions(world.billing, user) : []),
  ];
  const choice = choose(world, actions);
  const action = choice[Math.floor(world.random() * choice.length)];
  if (action === undefined) return null;
  user.log.push(`${new Date(user.model.now).toISOString().slice(0, 10)} ${action.name}`);
  await action.run(control);
  lookAfterAction(user);
  return action.name;
};
