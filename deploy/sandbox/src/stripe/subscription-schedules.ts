import Joi from 'joi';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { periodEndAfter } from '../model/billing-cycle.rules.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';
import { buildSchedule, isOngoing, itemOfPhase, releaseSchedule } from '../model/subscription.ts';
import { refId } from '../state.ts';
import { defineEndpoint, type Endpoint, NO_PARAMS, retrieveEndpoint } from './endpoint.ts';
import { getById, getReferenced } from './pagination.ts';
import { mergeMetadata, metadataParam, type MetadataPatch } from './params.ts';
import { recurringPrice } from './subscriptions.ts';

/** The sandbox creates a schedule from a subscription only, as Stripe does for one that exists. */
type CreateParams = { from_subscription: string };

const create = (context: Context, params: CreateParams): Stripe.SubscriptionSchedule => {
  const { subscriptions, subscriptionSchedules } = context.state;
  const reference = { kind: 'subscription', id: params.from_subscription, param: 'from_subscription' };
  const subscription = getReferenced(subscriptions, reference);
  if (!isOngoing(subscription) || subscription.schedule !== null || subscription.cancel_at !== null) {
    const message = 'You cannot migrate a subscription that has ended, is set to end, or has a schedule.';
    throw invalidRequest({ message, param: 'from_subscription' });
  }
  const schedule = buildSchedule(context, subscription);
  subscriptionSchedules.set(schedule.id, schedule);
  const previous = captureChanges(subscription, () => void (subscription.schedule = schedule.id));
  emit(context, 'subscription_schedule.created', schedule);
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
  return schedule;
};

type PhaseParams = {
  start_date?: number;
  end_date?: number;
  duration?: { interval: 'month' | 'year'; interval_count: number };
  items: { price: string; quantity: number }[];
  proration_behavior?: 'none';
};
type UpdateParams = {
  phases: PhaseParams[];
  end_behavior?: 'release';
  proration_behavior?: 'none';
  metadata?: MetadataPatch;
};

const phaseParams = Joi.object<PhaseParams>({
  start_date: Joi.number().integer(),
  end_date: Joi.number().integer(),
  duration: Joi.object({
    interval: Joi.string().valid('month', 'year').required(),
    interval_count: Joi.number().integer().min(1).default(1),
  }),
  items: Joi.array()
    .items(Joi.object({ price: Joi.string().required(), quantity: Joi.number().integer().min(1).default(1) }))
    .min(1)
    .required(),
  proration_behavior: Joi.string().valid('none'),
}).xor('end_date', 'duration');

const updateParams = Joi.object<UpdateParams>({
  phases: Joi.array().items(phaseParams).min(1).max(10).required(),
  end_behavior: Joi.string().valid('release'),
  proration_behavior: Joi.string().valid('none'),
  metadata: metadataParam,
});

const requireActive = ({ status }: Stripe.SubscriptionSchedule): void => {
  if (status === 'active') return;
  const message = `You cannot change a subscription schedule that is currently in the \`${status}\` status.`;
  throw invalidRequest({ message });
};

const phasesOf = (
  context: Context,
  schedule: Stripe.SubscriptionSchedule,
  params: PhaseParams[],
): Stripe.SubscriptionSchedule.Phase[] => {
  const [first] = schedule.phases;
  if (!first || params[0]?.start_date !== first.start_date) {
    const message = 'The first phase must have the `start_date` of the current one.';
    throw invalidRequest({ message, param: 'phases[0][start_date]' });
  }
  let start = first.start_date;
  return params.map(({ items, end_date, duration }) => {
    const prices = items.map(({ price }) => recurringPrice(context, price));
    const cycle = duration && {
      anchor: start,
      interval: duration.interval,
      intervalCount: duration.interval_count,
    };
    const end = end_date ?? (cycle ? periodEndAfter(cycle, start) : start);
    const phase = {
      ...structuredClone(first),
      start_date: start,
      end_date: end,
      items: prices.map((price, index) => itemOfPhase(price.id, items[index]?.quantity ?? 1)),
      proration_behavior: 'none' as const,
    };
    start = end;
    return phase;
  });
};

const update = (context: Context, params: UpdateParams, id: string): Stripe.SubscriptionSchedule => {
  const schedule = getById(context.state.subscriptionSchedules, 'subscription_schedule', id);
  requireActive(schedule);
  const previous = captureChanges(schedule, () => {
    schedule.phases = phasesOf(context, schedule, params.phases);
    schedule.metadata = mergeMetadata(schedule.metadata ?? {}, params.metadata);
  });
  emitUpdate(context, 'subscription_schedule.updated', { object: schedule, previous });
  return schedule;
};

const release = (context: Context, _params: unknown, id: string): Stripe.SubscriptionSchedule => {
  const schedule = getById(context.state.subscriptionSchedules, 'subscription_schedule', id);
  requireActive(schedule);
  const subscription = context.state.subscriptions.get(refId(schedule.subscription) ?? '');
  if (subscription) {
    const previous = captureChanges(subscription, () => releaseSchedule(context, subscription));
    emit(context, 'subscription_schedule.released', schedule);
    emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
  }
  return schedule;
};

const path = '/v1/subscription_schedules';

export const subscriptionScheduleEndpoints: Endpoint[] = [
  defineEndpoint({
    method: 'post',
    path,
    params: Joi.object<CreateParams>({ from_subscription: Joi.string().required() }),
    handle: create,
  }),
  retrieveEndpoint(`${path}/:id`, (context, id) =>
    getById(context.state.subscriptionSchedules, 'subscription_schedule', id),
  ),
  defineEndpoint({ method: 'post', path: `${path}/:id`, params: updateParams, handle: update }),
  defineEndpoint({ method: 'post', path: `${path}/:id/release`, params: NO_PARAMS, handle: release }),
];
