import { days } from '@shortlist/contracts/durations';
import { shuffle } from '@shortlist/kit/testing/sample';
import { until } from '@shortlist/kit/testing/until';
import { type Billing } from '../../services/billing/test/support.ts';
import type { Control } from './actions.ts';
import { differencesOf, type Difference } from './compare.ts';
import { actOnce, FREE_CODE } from './own-actions.ts';
import { endUnwanted, yearEndsOf } from './plan-model.ts';
import { passTime } from './stripe-model.ts';
import { lookAtPlan, newHistory, type UserHistory } from './user-history.ts';

type Settings = { retryDays: number[]; captureDelaySeconds: number };

type Random = () => number;
type Setup = {
  billing: Billing;
  /** Chooses actions. */
  random: Random;
  /** Chooses which events are lost, repeated and shuffled. Apart from the other, since their number differs from run to run. */
  deliveryRandom: Random;
  users: number;
  /** On a day something happens to this share of the users. */
  share: number;
  /** Prefers actions of new kinds, so that a short history contains every kind. */
  isVaried?: boolean;
  settings: Settings;
  /** Leaves open what an ended subscription owes, so that it may be paid late. */
  keepsUnpaid?: boolean;
  /** An operator moves prices, sets ends, pauses, and charges for something else. */
  changesTerms?: boolean;
  /** The days for which a first subscription is free. */
  trialDays?: number;
  /** Whoever buys by card without a code buys a year. */
  sellsYears?: boolean;
};

const DROPPED = 0.3;
const REPEATED = 0.2;

const createControl =
  ({ sandbox }: Billing): Control =>
  async <T>(path: string, body: object = {}, method: 'POST' | 'PUT' = 'POST') => {
    const reply = await sandbox.control<T & { error?: { message: string } }>(method, path, body);
    if (reply.error) throw new Error(`${path}: ${reply.error.message}`);
    return reply;
  };

/** Delivers Stripe's new events in any order, some of them twice and some never. */
const createDelivery = ({ billing, deliveryRandom: random }: Setup) => {
  let newest: string | null = null;
  const listNew = async (): Promise<{ id: string }[]> => {
    const events: { id: string }[] = [];
    for await (const event of billing.api.events.list({ limit: 100 })) {
      if (event.id === newest) break;
      events.push(event);
    }
    newest = events[0]?.id ?? newest;
    return events;
  };
  return async (): Promise<void> => {
    const delivered = (await listNew()).filter(() => random() >= DROPPED);
    const repeated = delivered.filter(() => random() < REPEATED);
    for (const event of shuffle([...delivered, ...repeated], random)) await billing.deliver(event);
    await until('the events to be processed', async () => {
      const pending: unknown[] = await billing.db.query(
        "SELECT 1 FROM stripe_events WHERE status = 'pending'",
      );
      return pending.length === 0;
    });
  };
};

/** The ids of the invoices that Stripe made at renewals, which the model knows by their periods. */
const learnInvoiceIds = async ({ api }: Billing, { customerId, model }: UserHistory): Promise<void> => {
  const unnamed = model.subscriptions.flatMap(({ invoices }) => invoices.filter(({ id }) => id === null));
  if (unnamed.length === 0) return;
  const { data } = await api.invoices.list({ customer: customerId, limit: 100 });
  for (const invoice of unnamed)
    invoice.id =
      data.find(({ lines }) => lines.data.some(({ period }) => period.end * 1_000 === invoice.end))?.id ??
      null;
};

/** Users whose histories are drawn at random, with a model of each. */
export const createHistories = async (setup: Setup) => {
  const {
    billing,
    random,
    share,
    isVaried = false,
    settings,
    keepsUnpaid = false,
    changesTerms = false,
    trialDays = 0,
    sellsYears = false,
  } = setup;
  billing.trials.days = trialDays;
  billing.policies.unpaidInvoices = keepsUnpaid ? 'keep' : 'void';
  const control = createControl(billing);
  await control('/settings', settings, 'PUT');
  const coupon = await billing.api.coupons.create({ percent_off: 100, duration: 'forever' });
  await billing.api.promotionCodes.create({
    promotion: { type: 'coupon', coupon: coupon.id },
    code: FREE_CODE,
  });
  const deliver = createDelivery(setup);
  const happened = new Map<string, number>();
  const cardsInTrials = new Set<string>();
  const users: UserHistory[] = [];
  for (let index = 0; index < setup.users; index += 1)
    users.push(
      newHistory(await billing.register(), billing.clock().getTime(), {
        retryDays: settings.retryDays,
        voidsUnpaid: !keepsUnpaid,
      }),
    );

  return {
    act: async (): Promise<void> => {
      for (const user of users) {
        if (user.isDeleted || random() > share) continue;
        const world = {
          billing,
          random,
          changesTerms,
          sellsYears,
          cardsInTrials,
          ...(isVaried ? { happened } : {}),
        };
        const name = await actOnce(world, user, control);
        if (name !== null) happened.set(name, (happened.get(name) ?? 0) + 1);
      }
    },
    /** A day passes at Stripe and here, or several in which nobody does anything; afterwards billing has caught up with Stripe. */
    passDays: async (count = 1): Promise<void> => {
      await billing.advance(days(count));
      await deliver();
      await billing.reconcile();
      await billing.retryInbox();
      await billing.endDuePlans();
      for (const user of users) {
        passTime(user.model, billing.clock().getTime());
        endUnwanted(user.model);
        lookAtPlan(user);
        await learnInvoiceIds(billing, user);
      }
    },
    differences: async (): Promise<Difference[]> => {
      const found = await Promise.all(users.map((user) => differencesOf(billing, user, settings)));
      return found.flat();
    },
    /** What has become of paid years at their ends. */
    yearEnds: (): string[] =>
      [...new Set(users.flatMap(({ model }) => model.subscriptions.flatMap(yearEndsOf)))].toSorted(),
    kinds: (): string[] => [...happened.keys()].toSorted(),
  };
};
