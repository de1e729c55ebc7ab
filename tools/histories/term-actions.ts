// What an operator may do in the dashboard with an active subscription beyond ending it: move its price, set an end in a later period,
// pause its collection, and charge for something else, on its next invoice or at once.
import { days, inSeconds } from '@shortlist/contracts/durations';
import type { Billing } from '../../services/billing/test/support.ts';
import type { Action } from './actions.ts';
import { currentOf, type ModelSubscription, monthsAfter } from './stripe-model.ts';
import type { UserHistory } from './user-history.ts';

export const TERM_KINDS = [
  'move to another price',
  'move back',
  'end in a later period',
  'pause collection',
  'resume collection',
  'add lines to the next invoice',
  'charge once',
];

const OTHER = 4_900;
const BEHAVIOURS = ['void', 'keep_as_draft', 'mark_uncollectible'] as const;
/** More than a page of an embedded list. They come to nothing, so that the invoice's amount is the plan's. */
const LINES = [100, -100, 200, -200, 300, -300, 400, -400, 500, -500, 0];

type Target = { billing: Billing; user: UserHistory; subscription: ModelSubscription };

const move = ({ billing, subscription }: Target): Action => ({
  name: subscription.sellsPlan ? 'move to another price' : 'move back',
  run: async () => {
    const { api, stripe } = billing;
    const { items } = await api.subscriptions.retrieve(subscription.id);
    const other = {
      currency: 'usd',
      unit_amount: OTHER,
      recurring: { interval: 'month' },
      product_data: { name: 'Something else' },
    } as const;
    const price = subscription.sellsPlan
      ? (await api.prices.create(other)).id
      : (await stripe.findPrice()).id;
    const moved = [{ id: items.data[0]?.id ?? '', price }];
    await api.subscriptions.update(subscription.id, { items: moved, proration_behavior: 'none' });
    subscription.sellsPlan = !subscription.sellsPlan;
    if (!subscription.sellsPlan) subscription.wasMoved = true;
  },
});

const endLater = ({ billing, subscription }: Target): Action => ({
  name: 'end in a later period',
  run: async () => {
    const endsAt = monthsAfter(subscription.anchor, subscription.renewals + 2);
    await billing.api.subscriptions.update(subscription.id, { cancel_at: inSeconds(endsAt) });
    subscription.endsAt = endsAt;
  },
});

const pause = ({ billing, user, subscription }: Target): Action => ({
  name: 'pause collection',
  run: async () => {
    const behavior = BEHAVIOURS[user.log.length % BEHAVIOURS.length] ?? 'void';
    await billing.api.subscriptions.update(subscription.id, { pause_collection: { behavior } });
    subscription.pause = behavior;
  },
});

const resume = ({ billing, subscription }: Target): Action => ({
  name: 'resume collection',
  run: async () => {
    await billing.api.subscriptions.update(subscription.id, { pause_collection: '' });
    subscription.pause = null;
  },
});

const charge = ({ billing, user, subscription: { id } }: Target, amount: number): Promise<unknown> =>
  billing.api.invoiceItems.create({ customer: user.customerId, subscription: id, amount, currency: 'usd' });

const addLines = (target: Target): Action => ({
  name: 'add lines to the next invoice',
  run: async () => {
    for (const amount of LINES) await charge(target, amount);
  },
});

const chargeOnce = (target: Target): Action => ({
  name: 'charge once',
  run: async () => {
    const { api } = target.billing;
    await charge(target, 300);
    const { id } = await api.invoices.create({
      customer: target.user.customerId,
      subscription: target.subscription.id,
      pending_invoice_items_behavior: 'include',
    });
    await api.invoices.finalizeInvoice(id);
  },
});

const ofPlan = (target: Target): Action[] => {
  const { subscription, user } = target;
  const actions = [move(target), pause(target), addLines(target)];
  if (!subscription.cancelsAtEnd && subscription.endsAt === null) actions.push(endLater(target));
  if (user.model.cardIsGood) actions.push(chargeOnce(target));
  return actions;
};

/** None shortly before the end of a period: billing learns of a change a day later. */
export const termActions = (billing: Billing, user: UserHistory): Action[] => {
  const subscription = currentOf(user.model);
  if (subscription?.status !== 'active' || user.isDeleted) return [];
  if (subscription.periodEnd <= user.model.now + days(2)) return [];
  const target = { billing, user, subscription };
  if (subscription.pause !== null) return [resume(target)];
  return subscription.sellsPlan ? ofPlan(target) : [move(target)];
};
