import Joi from 'joi';
import type { Plan } from '../plan.ts';
import { type UnsubscribeInput, unsubscribeRules } from '../schemas/admin.ts';
import {
  type HistoryQuery,
  historyRules,
  type ReserveInput,
  reserveRules,
  type SpendInput,
  spendRules,
} from '../schemas/credits.ts';
import { userId } from '../schemas/text.ts';
import { forAdmins, forUsers } from './public-endpoint.ts';
import type { UserView } from './user-view.ts';

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

/**
 * Why a payment for the plan has not gone through. `past_due`: a renewal could not be collected. `authentication`: the payer must
 * confirm it (3-D Secure). `processing`: the bank has not confirmed it yet. `incomplete`: the first payment failed or was not
 * finished, and the user may buy again. `paused`: the subscription collects nothing until it is resumed.
 */
export const PAYMENT_PROBLEMS = ['past_due', 'authentication', 'processing', 'incomplete', 'paused'] as const;

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
  }),
  confirmPayment: forUsers<{ user?: object; xsl: string }, Message & { data: UserView }>({
    method: 'PUT',
    path: '/user-payment',
    input: {
      user: Joi.any(), // part of the specified call and ignored: the session says who pays
      xsl: providerId('This payment link is not complete'),
    },
  }),
  billingPortal: forUsers<{ id: string }, { url: string }>({
    method: 'GET',
    path: '/customers/:id',
    input: { id: providerId('There is no such billing customer.') },
  }),
  grantPlan: forAdmins<{ userId: string }, Message & { data: UserView }>({
    method: 'PUT',
    path: '/admin/user-payment/:userId',
    permission: 'plan.grant',
    recent: true,
    input: { userId },
  }),
  revokePlan: forAdmins<{ userId: string } & UnsubscribeInput, Message & { data: UserView }>({
    method: 'PUT',
    path: '/admin/unsubscribe/:userId',
    permission: 'plan.revoke',
    recent: true,
    input: { userId, ...unsubscribeRules },
  }),
  subscription: forUsers<None, { data: SubscriptionView }>({
    method: 'GET',
    path: '/api/subscription',
    whileViewing: true,
  }),
  credits: forUsers<None, CreditsView>({ method: 'GET', path: '/api/credits', whileViewing: true }),
  creditsHistory: forUsers<HistoryQuery, { data: CreditsEntry[]; next: string | null }>({
    method: 'GET',
    path: '/api/credits/history',
    whileViewing: true,
    input: historyRules,
  }),
  chargeCredit: forUsers<SpendInput, CreditsAmounts>({
    method: 'POST',
    path: '/api/credits/spend',
    input: spendRules,
  }),
  /** Reserves a credit for work that may fail: commit or release it; otherwise it expires and is released. */
  reserveCredit: forUsers<ReserveInput, Reservation>({
    method: 'POST',
    path: '/api/credits/reservations',
    input: reserveRules,
  }),
  commitReservation: forUsers<{ reservationId: string }, CreditsAmounts>({
    method: 'POST',
    path: '/api/credits/reservations/:reservationId/commit',
    input: { reservationId: userId },
  }),
  releaseReservation: forUsers<{ reservationId: string }, CreditsAmounts>({
    method: 'POST',
    path: '/api/credits/reservations/:reservationId/release',
    input: { reservationId: userId },
  }),
} as const;
