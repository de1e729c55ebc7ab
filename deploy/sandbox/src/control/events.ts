import Joi from 'joi';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { matchesType } from '../stripe/events.ts';
import { getById } from '../stripe/pagination.ts';
import type { Attempt } from '../state.ts';
import { readBody } from './input.ts';

type EventLogEntry = {
  id: string;
  type: string;
  created: number;
  object: string | null;
  customer: string | null;
  status: string;
  attempts: Attempt[];
  nextAttemptAt: string | null;
};

type EventFilter = {
  type?: string;
  customer?: string;
};

const filterSchema = Joi.object<EventFilter>({ type: Joi.string(), customer: Joi.string() });

type Subject = {
  id?: string;
  object: string;
  customer?: string | null;
};

const subjectOf = (event: Stripe.Event): { object: string | null; customer: string | null } => {
  const { id = null, object, customer = null } = event.data.object as Subject;
  return { object: id, customer: object === 'customer' ? id : customer };
};

const toLogEntry = (context: Context, event: Stripe.Event): EventLogEntry => {
  const delivery = context.state.deliveries.get(event.id);
  const next = delivery?.nextAttemptAt ?? null;
  return {
    id: event.id,
    type: event.type,
    created: event.created,
    ...subjectOf(event),
    status: delivery?.status ?? 'pending',
    attempts: delivery?.attempts ?? [],
    nextAttemptAt: next === null ? null : new Date(next).toISOString(),
  };
};

/** Lists events, oldest first, with their delivery attempts. */
export const listEvents = (context: Context, query: unknown): EventLogEntry[] => {
  const { type, customer } = readBody(filterSchema, query);
  return [...context.state.events.values()]
    .map((event) => toLogEntry(context, event))
    .filter(
      (event) => matchesType(event.type, type) && (customer === undefined || event.customer === customer),
    );
};

type ResendParams = {
  times: number;
  parallel: boolean | number;
};

const resendSchema = Joi.object<ResendParams>({
  times: Joi.number().integer().min(1).max(10_000).default(1),
  parallel: Joi.alternatives(Joi.boolean(), Joi.number().integer().min(1).max(1000)).default(false),
});

/** `parallel` is the number of concurrent deliveries; true sends all copies at once. */
export const resendEvent = async (context: Context, id: string, body: unknown): Promise<object> => {
  const event = getById(context.state.events, 'event', id);
  const { times, parallel } = readBody(resendSchema, body);
  const concurrency = parallel === true ? times : Math.max(1, Number(parallel));
  const attempts: Attempt[] = [];
  let remaining = times;
  const sendSequentially = async () => {
    while (remaining > 0) {
      remaining -= 1;
      attempts.push(await context.deliveries.resend(event.id));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, times) }, sendSequentially));
  return { id: event.id, type: event.type, attempts };
};
