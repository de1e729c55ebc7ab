import type { AdminRole } from '../admin-permissions.ts';
import type { Plan } from '../plan.ts';
import type { ListedFieldName } from '../profile-fields.ts';
import type { LoginInput } from '../schemas/account.ts';
import {
  type HistoryQuery,
  historyRules,
  type ReserveInput,
  reserveRules,
  type SpendInput,
  spendRules,
} from '../schemas/credits.ts';
import { userId } from '../schemas/text.ts';
import type { AuditQuery, UnsubscribeInput } from '../schemas/admin.ts';
import type { AlertView, SystemView } from '../system.ts';
import type { EarningsPeriod, EarningsView } from '../earnings.ts';
import type { AuditView } from './audit.ts';
import { defineEndpoint } from './endpoint.ts';
import { forUsers } from './public-endpoint.ts';
import {
  type AdminLogIn,
  publicFactorEndpoints,
  publicSessionEndpoints,
  type SecondStepReply,
  type UserLogIn,
} from './public-sessions.ts';
import type { UserView } from './user-view.ts';
import { publicTeamEndpoints } from './public-team.ts';
import { publicViewingEndpoints } from './identity.ts';
import { emailEndpoints, passwordEndpoints, publicPrivacyEndpoints } from './public-account.ts';

export type { Continuation, PlanOutlook, UserView } from './user-view.ts';

/** A row of the admin's user list. `plan` is a copy for display and filters; entitlements never depend on it. */
export type DirectoryRow = Pick<
  UserView,
  'id' | 'email' | 'picture' | 'createdAt' | 'plan' | ListedFieldName
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

/** The whole list; its dates are days in this time zone. */
export type DirectoryExport = Omit<DirectoryQuery, 'cursor' | 'limit'> & { timeZone?: string };

/** `total` is exact, unless `isCapped`: counting stops at DIRECTORY_COUNT_MAX. */
export type DirectoryPage = { data: DirectoryRow[]; total: number; isCapped: boolean; next: string | null };

/** The numbers of all users and of the premium ones. `countedAt`: a large directory is not counted for every request. */
export type DirectoryTotals = { registered: number; premium: number; countedAt: string };

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

/** The configuration of this installation that the browser needs. */
export type PublicConfig = {
  brand: string;
  /** The consent that a sign-up requires, or null. `text` replaces our own; it marks links by <terms> and <privacy>. */
  consent: { version: string; text: string | null } | null;
  /** The price of the current offer, as Stripe charges it. */
  price: Price;
  /** The minimum length of a new password, in characters. */
  passwordMin: number;
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

/** `deletionDueAt`: the account is about to be deleted, and the session may only keep it. */
export type CheckedUser = { remainingTime: number; user: UserView; deletionDueAt?: string };

type None = Record<never, never>;
type Message = { message: string };

/** The endpoints of the backend-for-frontend. Those without /api in their path are also served under /api. */
export const publicEndpoints = {
  ...passwordEndpoints,
  ...emailEndpoints,
  /** `isPending`: the account is created when its address is confirmed by mail. Left out otherwise. */
  signup: defineEndpoint<
    FormData,
    Message & { data: { id: string; email: string; picture: string | null; isPending?: boolean } }
  >('POST', '/signup'),
  login: defineEndpoint<LoginInput, UserLogIn | SecondStepReply>('POST', '/login'),
  adminLogin: defineEndpoint<LoginInput, AdminLogIn | SecondStepReply>('POST', '/super-admin-authentication'),
  ...publicFactorEndpoints,
  checkUser: defineEndpoint<None, CheckedUser>('GET', '/authentication_check'),
  checkAdmin: defineEndpoint<None, { remainingTime: number; role: AdminRole; needsSecondFactor?: boolean }>(
    'GET',
    '/check_authentication',
  ),
  logout: defineEndpoint<None, Message>('POST', '/api/logout'),
  emailAvailability: defineEndpoint<{ email: string }, { available: boolean }>(
    'GET',
    '/api/email-availability',
  ),
  listUsers: defineEndpoint<DirectoryQuery, DirectoryPage>('GET', '/users'),
  exportUsers: defineEndpoint<DirectoryExport, string>('GET', '/api/users.csv'),
  userTotals: defineEndpoint<Record<never, never>, { data: DirectoryTotals }>('GET', '/api/users/totals'),
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
  revokePlan: defineEndpoint<{ userId: string } & UnsubscribeInput, Message & { data: UserView }>(
    'PUT',
    '/admin/unsubscribe/:userId',
  ),
  earnings: defineEndpoint<{ period: EarningsPeriod; timeZone?: string }, { data: EarningsView }>(
    'GET',
    '/api/admin/earnings',
  ),
  audit: defineEndpoint<AuditQuery, { data: AuditView[]; next: string | null }>('GET', '/api/admin/audit'),
  system: defineEndpoint<None, { data: SystemView }>('GET', '/api/admin/system'),
  resolveAlert: defineEndpoint<{ alertId: string }, { data: AlertView }>(
    'POST',
    '/api/admin/alerts/:alertId/resolve',
  ),
  subscription: defineEndpoint<None, { data: SubscriptionView }>('GET', '/api/subscription'),
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
  config: defineEndpoint<None, PublicConfig>('GET', '/api/config'),
  ...publicSessionEndpoints,
  ...publicPrivacyEndpoints,
  ...publicTeamEndpoints,
  ...publicViewingEndpoints,
} as const;

/** Paths whose requests are not JSON. */
export const publicPaths = {
  stripeWebhook: '/api/webhooks/stripe',
  pictures: '/profile_pictures/',
  live: '/api/live',
} as const;

/** The cross-site request forgery token: the cookie that carries it and the header that repeats it. */
export const XSRF_COOKIE = 'XSRF-TOKEN';
export const XSRF_HEADER = 'x-xsrf-token';
