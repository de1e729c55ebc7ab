import type { Plan } from '../plan.ts';
import type { LoginInput, ProfileFields } from '../schemas/account.ts';
import type { ReserveInput, SpendInput } from '../schemas/credits.ts';
import type { AuditQuery, AuditView } from './audit.ts';
import { defineEndpoint } from './endpoint.ts';

/** A person as screens see them. Times are ISO 8601; names in snake_case are spec.md's own. */
export type UserView = ProfileFields & {
  id: string;
  email: string;
  picture: string | null;
  createdAt: string;
  /** Grows with each edit; sent back with the next one so that two editors do not overwrite each other. */
  version: number;
  /** As an admin set it; empty when nobody did. */
  roleType: string;
  plan: Plan;
  last_credit_reset: string | null;
  current_period_start: string | null;
  current_period_end: string | null;
  stripe_customer_id: string | null;
  composed: number;
  subscription: { startDate: string | null; endDate: string | null; isPremium: boolean };
};

/** A row of the admin's list. `plan` is a copy for showing and filtering, never the basis of a right. */
export type DirectoryRow = Pick<
  UserView,
  | 'id'
  | 'email'
  | 'firstName'
  | 'lastName'
  | 'organizationName'
  | 'country'
  | 'picture'
  | 'createdAt'
  | 'plan'
>;

export const DIRECTORY_SORTS = ['createdAt', 'name', 'email', 'organizationName', 'country'] as const;
export type DirectorySort = (typeof DIRECTORY_SORTS)[number] | `-${(typeof DIRECTORY_SORTS)[number]}`;

export type DirectoryQuery = {
  search?: string;
  plan?: Plan;
  country?: string;
  joinedFrom?: string;
  joinedTo?: string;
  sort?: DirectorySort;
  limit?: number;
  cursor?: string;
};

/** The whole list, with its dates as days of this time zone. */
export type DirectoryExport = Omit<DirectoryQuery, 'cursor' | 'limit'> & { timeZone?: string };

/** `total` is exact, unless `isCapped`: then there are at least so many, since counting stops where nobody reads on. */
export type DirectoryPage = { data: DirectoryRow[]; total: number; isCapped: boolean; next: string | null };

export type CreditsView = {
  plan: Plan;
  limit: number;
  used: number;
  available: number;
  exhausted: boolean;
  premiumUsed: number;
  freeUsed: number;
  /** Null until a free window is started by its first spend. */
  windowStart: string | null;
  windowEnd: string | null;
};

/** A credit that is held: spent for now, until it is committed, released, or `expiresAt` gives it back. */
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

export type EarningsPeriod = 'week' | 'month' | 'year';
/** Minor units. Earnings are paid invoices; expenses are refunds and the provider's fees. */
export type EarningsView = {
  currency: string;
  from: string;
  to: string;
  buckets: { start: string; earnings: number; expenses: number }[];
  earnings: number;
  expenses: number;
};

/** An amount in minor units of `currency` (ISO 4217, lower case), for one month. */
export type Price = { amount: number; currency: string };

export type SubscriptionView = {
  plan: Plan;
  /** Start and end of the period in force, or of the latest one that has ended. */
  periodStart: string | null;
  periodEnd: string | null;
  /** Whether another installment will be taken at the end of the period. */
  renews: boolean;
  /** A renewal could not be collected; the plan ends then unless it is paid. */
  graceUntil: string | null;
  customerId: string | null;
  /** The price of the user's own subscription while it is ongoing, otherwise that of the current offer. */
  price: Price;
  lastPayment: { amount: number; currency: string; paidAt: string } | null;
};

/** What the browser needs to know of this installation. */
export type PublicConfig = {
  brand: string;
  /** The price of the current offer, as Stripe charges it. */
  price: Price;
  links: {
    automationBot: string;
    crm: string;
    about: string;
    support: string;
    privacy: string;
    terms: string;
    provider: string;
  };
};

type None = Record<never, never>;
type Message = { message: string };

/** The doors of the backend-for-frontend. Those that spec.md §7 names answer at this path and under /api. */
export const publicEndpoints = {
  signup: defineEndpoint<FormData, Message & { data: { id: string; email: string; picture: string | null } }>(
    'POST',
    '/signup',
  ),
  login: defineEndpoint<
    LoginInput,
    Message & { data: { token: string; user: UserView; remainingTime: number } }
  >('POST', '/login'),
  adminLogin: defineEndpoint<LoginInput, Message & { credentials: { token: string; expiresIn: number } }>(
    'POST',
    '/super-admin-authentication',
  ),
  checkUser: defineEndpoint<None, { remainingTime: number; user: UserView }>('GET', '/authentication_check'),
  checkAdmin: defineEndpoint<None, { remainingTime: number }>('GET', '/check_authentication'),
  logout: defineEndpoint<None, Message>('POST', '/api/logout'),
  emailAvailability: defineEndpoint<{ email: string }, { available: boolean }>(
    'GET',
    '/api/email-availability',
  ),
  listUsers: defineEndpoint<DirectoryQuery, DirectoryPage>('GET', '/users'),
  exportUsers: defineEndpoint<DirectoryExport, string>('GET', '/api/users.csv'),
  newestUsers: defineEndpoint<{ limit?: number }, { data: DirectoryRow[] }>('GET', '/api/users/newest'),
  getUser: defineEndpoint<{ id: string }, { data: UserView }>('GET', '/api/users/:id'),
  updateUser: defineEndpoint<FormData, Message & { data: UserView }>('PUT', '/users/:id'),
  deleteUser: defineEndpoint<{ id: string }, Message>('DELETE', '/users/:id'),
  subscribe: defineEndpoint<{ email?: string }, { url: string }>('GET', '/subscribe'),
  confirmPayment: defineEndpoint<{ user?: unknown; xsl: string }, Message & { data: UserView }>(
    'PUT',
    '/user-payment',
  ),
  billingPortal: defineEndpoint<{ id: string }, { url: string }>('GET', '/customers/:id'),
  grantPlan: defineEndpoint<{ userId: string }, Message & { data: UserView }>(
    'PUT',
    '/admin/user-payment/:userId',
  ),
  revokePlan: defineEndpoint<{ userId: string }, Message & { data: UserView }>(
    'PUT',
    '/admin/unsubscribe/:userId',
  ),
  earnings: defineEndpoint<{ period: EarningsPeriod; timeZone?: string }, { data: EarningsView }>(
    'GET',
    '/api/admin/earnings',
  ),
  audit: defineEndpoint<AuditQuery, { data: AuditView[]; next: string | null }>('GET', '/api/admin/audit'),
  subscription: defineEndpoint<None, { data: SubscriptionView }>('GET', '/api/subscription'),
  credits: defineEndpoint<None, CreditsView>('GET', '/api/credits'),
  creditsHistory: defineEndpoint<
    { limit?: number; cursor?: string },
    { data: CreditsEntry[]; next: string | null }
  >('GET', '/api/credits/history'),
  chargeCredit: defineEndpoint<SpendInput, CreditsAmounts>('POST', '/api/credits/spend'),
  /** Takes a credit for work that may fail: commit it, or release it; a hold that is forgotten runs out by itself. */
  reserveCredit: defineEndpoint<ReserveInput, Reservation>('POST', '/api/credits/reservations'),
  commitReservation: defineEndpoint<{ reservationId: string }, CreditsAmounts>(
    'POST',
    '/api/credits/reservations/:reservationId/commit',
  ),
  releaseReservation: defineEndpoint<{ reservationId: string }, CreditsAmounts>(
    'POST',
    '/api/credits/reservations/:reservationId/release',
  ),
  config: defineEndpoint<None, PublicConfig>('GET', '/api/config'),
} as const;

/** Doors whose bodies only pass through. */
export const publicPaths = {
  stripeWebhook: '/api/webhooks/stripe',
  pictures: '/profile_pictures/',
  live: '/api/live',
} as const;

/** The cross-site request forgery token: the cookie that carries it and the header that repeats it. */
export const XSRF_COOKIE = 'XSRF-TOKEN';
export const XSRF_HEADER = 'x-xsrf-token';
