import Joi from 'joi';
import { PAYMENT_PROBLEMS, type Plan, PLANS } from '../plan.ts';
import { type UnsubscribeInput, unsubscribeRules } from '../schemas/admin.ts';
import {
  type HistoryQuery,
  historyRules,
  type ReserveInput,
  reserveRules,
  type SpendInput,
  spendRules,
} from '../schemas/credits.ts';
import {
  amount,
  count,
  flag,
  listOf,
  message,
  nextCursor,
  nullableCount,
  nullableText,
  nullableTime,
  oneOf,
  text,
  view,
} from '../schemas/replies.ts';
import { time, uuid } from '../schemas/text.ts';
import { forAdmins, forUsers } from './public-endpoint.ts';
import { userView, type UserView } from './user-view.ts';

export type CreditsView = {
  plan: Plan;
  limit: number;
  used: number;
  available: number;
  exhausted: boolean;
  premiumUsed: number;
  freeUsed: number;
  /** Null until the first charge starts a free window. */
  windowStart: string | null;
  windowEnd: string | null;
};

/** A reserved credit: charged until it is committed, released, or expires at `expiresAt`. */
export type Reservation = CreditsAmounts & {
  id: string;
  state: 'held' | 'committed' | 'released';
  expiresAt: string;
};

export type CreditsEntry = {
  id: string;
  amount: number;
  reason: string;
  reference: string | null;
  createdAt: string;
};
export type CreditsAmounts = { used: number; available: number; limit: number };

/** An amount in minor units of `currency` (ISO 4217, lower case), for one month. */
export type Price = { amount: number; currency: string };

/** `payUrl` is the provider's page of the open invoice; null where only the billing portal helps, or nothing is to be done. */
export type PaymentProblem = {
  kind: (typeof PAYMENT_PROBLEMS)[number];
  amount: number | null;
  currency: string | null;
  payUrl: string | null;
};

export type SubscriptionView = {
  plan: Plan;
  /** Start and end of the current period, or of the latest one that has ended. */
  periodStart: string | null;
  periodEnd: string | null;
  /** Whether the plan renews at the end of the period. */
  renews: boolean;
  /** Set while a renewal could not be collected: the plan ends then unless the invoice is paid. */
  graceUntil: string | null;
  customerId: string | null;
  /** The price of the user's own subscription while it is ongoing, otherwise that of the current offer. */
  price: Price;
  lastPayment: { amount: number; currency: string; paidAt: string } | null;
  /** What keeps a payment from going through, or null. */
  problem: PaymentProblem | null;
};

type None = Record<never, never>;
type Message = { message: string };

const plan = oneOf(PLANS);
export const price = view<Price>({ amount: count, currency: text });
const paymentProblem = view<PaymentProblem>({
  kind: oneOf(PAYMENT_PROBLEMS),
  amount: nullableCount,
  currency: nullableText,
  payUrl: nullableText,
});
const subscriptionView = view<SubscriptionView>({
  plan,
  periodStart: nullableTime,
  periodEnd: nullableTime,
  renews: flag,
  graceUntil: nullableTime,
  customerId: nullableText,
  price,
  lastPayment: Joi.object({ amount: count, currency: text, paidAt: time }).allow(null).required(),
  problem: paymentProblem.allow(null),
});
const amounts: Record<keyof CreditsAmounts, Joi.Schema> = { used: count, available: count, limit: count };
const creditsAmounts = view<CreditsAmounts>(amounts);
const reservation = view<Reservation>({
  ...amounts,
  id: uuid,
  state: oneOf(['held', 'committed', 'released']),
  expiresAt: time,
});
const creditsView = view<CreditsView>({
  ...amounts,
  plan,
  exhausted: flag,
  premiumUsed: count,
  freeUsed: count,
  windowStart: nullableTime,
  windowEnd: nullableTime,
});
const creditsEntry = view<CreditsEntry>({
  id: text,
  amount,
  reason: text,
  reference: nullableText,
  createdAt: time,
});

const providerId = (message: string) =>
  Joi.string()
    .pattern(/^[A-Za-z0-9_]{1,100}$/)
    .required()
    .messages({ '*': message });

/** The endpoints of the plan, its payment, and the credits that come with it. */
export const publicPlanEndpoints = {
  subscribe: forUsers<{ email?: string }, { url: string }>({
    method: 'GET',
    path: '/subscribe',
    input: { email: Joi.string().max(254).allow('') },
    reply: { url: text },
  }),
  confirmPayment: forUsers<{ user?: object; xsl: string }, Message & { data: UserView }>({
    method: 'PUT',
    path: '/user-payment',
    input: {
      user: Joi.any(), // part of the specified call and ignored: the session says who pays
      xsl: providerId('This payment link is not complete'),
    },
    reply: { message, data: userView },
  }),
  billingPortal: forUsers<{ id: string }, { url: string }>({
    method: 'GET',
    path: '/customers/:id',
    input: { id: providerId('There is no such billing customer.') },
    reply: { url: text },
  }),
  grantPlan: forAdmins<{ userId: string }, Message & { data: UserView }>({
    method: 'PUT',
    path: '/admin/user-payment/:userId',
    permission: 'plan.grant',
    recent: true,
    input: { userId: uuid },
    reply: { message, data: userView },
  }),
  revokePlan: forAdmins<{ userId: string } & UnsubscribeInput, Message & { data: UserView }>({
    method: 'PUT',
    path: '/admin/unsubscribe/:userId',
    permission: 'plan.revoke',
    recent: true,
    input: { userId: uuid, ...unsubscribeRules },
    reply: { message, data: userView },
  }),
  subscription: forUsers<None, { data: SubscriptionView }>({
    method: 'GET',
    path: '/api/subscription',
    whileViewing: true,
    reply: { data: subscriptionView },
  }),
  credits: forUsers<None, CreditsView>({
    method: 'GET',
    path: '/api/credits',
    whileViewing: true,
    reply: creditsView,
  }),
  creditsHistory: forUsers<HistoryQuery, { data: CreditsEntry[]; next: string | null }>({
    method: 'GET',
    path: '/api/credits/history',
    whileViewing: true,
    input: historyRules,
    reply: { data: listOf(creditsEntry), next: nextCursor },
  }),
  chargeCredit: forUsers<SpendInput, CreditsAmounts>({
    method: 'POST',
    path: '/api/credits/spend',
    input: spendRules,
    reply: creditsAmounts,
  }),
  /** Reserves a credit for work that may fail: commit or release it; otherwise it expires and is released. */
  reserveCredit: forUsers<ReserveInput, Reservation>({
    method: 'POST',
    path: '/api/credits/reservations',
    input: reserveRules,
    reply: reservation,
  }),
  commitReservation: forUsers<{ reservationId: string }, CreditsAmounts>({
    method: 'POST',
    path: '/api/credits/reservations/:reservationId/commit',
    input: { reservationId: uuid },
    reply: creditsAmounts,
  }),
  releaseReservation: forUsers<{ reservationId: string }, CreditsAmounts>({
    method: 'POST',
    path: '/api/credits/reservations/:reservationId/release',
    input: { reservationId: uuid },
    reply: creditsAmounts,
  }),
} as const;
