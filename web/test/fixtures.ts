import type { ApiKey } from '@shortlist/contracts/api/api-keys';
import type { Connection, ConnectionRequest } from '@shortlist/contracts/api/connections';
import type { Continuation, DirectoryRow, UserView } from '@shortlist/contracts/api/public';
import type { UserStanding } from '@shortlist/contracts/api/standing';
import type { CreditsView } from '@shortlist/contracts/api/credits';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import { PROFILE_FIELDS, type ProfileFieldName } from '@shortlist/contracts/profile-fields';

const emptyProfile = Object.fromEntries(PROFILE_FIELDS.map(({ name }) => [name, ''])) as Record<
  ProfileFieldName,
  string
>;

const FREE = { isPremium: false, continuation: null, premiumUntil: null };

export const userView = (overrides: Partial<UserView> = {}): UserView => ({
  ...emptyProfile,
  id: '0192f0c0-0000-7000-8000-000000000001',
  email: 'amara@talentfield.io',
  firstName: 'Amara',
  lastName: 'Okafor',
  organizationName: 'Talent Field',
  typeOfOrganization: 'Recruitment Agency',
  primaryRecruitingIndustry: 'Software',
  country: 'Norway',
  city: 'Bergen',
  picture: null,
  createdAt: '2026-11-01T09:00:00.000Z',
  version: 3,
  plan: 'free',
  last_credit_reset: null,
  current_period_start: null,
  current_period_end: null,
  stripe_customer_id: null,
  composed: 0,
  subscription: { ...FREE, startDate: null, endDate: null },
  ...overrides,
});

const START = '2026-11-20T09:41:00.000Z';
const END = '2026-12-20T09:41:00.000Z';

export const subscriptionOf = (continuation: Continuation): UserView['subscription'] => ({
  startDate: START,
  endDate: END,
  isPremium: true,
  premiumUntil: END,
  continuation,
});

export const premiumUser = (overrides: Partial<UserView> = {}): UserView =>
  userView({
    plan: 'premium',
    last_credit_reset: START,
    current_period_start: START,
    current_period_end: END,
    stripe_customer_id: 'cus_1',
    subscription: subscriptionOf('renews'),
    ...overrides,
  });

export const PRICE = { amount: 5900, currency: 'usd' };

export const subscriptionView = (overrides: Partial<SubscriptionView> = {}): SubscriptionView => ({
  plan: 'free',
  periodStart: null,
  periodEnd: null,
  renews: false,
  continuation: null,
  premiumUntil: null,
  graceUntil: null,
  customerId: null,
  price: PRICE,
  lastPayment: null,
  problem: null,
  ...overrides,
});

/** Of `premiumUser`. */
export const premiumSubscription = (overrides: Partial<SubscriptionView> = {}): SubscriptionView =>
  subscriptionView({
    plan: 'premium',
    periodStart: START,
    periodEnd: END,
    renews: true,
    continuation: 'renews',
    premiumUntil: END,
    customerId: 'cus_1',
    lastPayment: { ...PRICE, paidAt: START },
    ...overrides,
  });

/** What support reads of a user without a problem. */
export const standingOf = (
  { plan, subscription: { continuation } }: UserView,
  overrides: Partial<UserStanding> = {},
): UserStanding => ({
  subscription: plan === 'premium' ? premiumSubscription({ continuation }) : subscriptionView(),
  isVerified: true,
  confirmBy: null,
  blocksCheckout: false,
  lockedUntil: null,
  ...overrides,
});

export const creditsView = (overrides: Partial<CreditsView> = {}): CreditsView => ({
  plan: 'free',
  limit: 20,
  used: 6,
  available: 14,
  exhausted: false,
  premiumUsed: 0,
  freeUsed: 6,
  usedFor: null,
  windowStart: '2026-11-12T08:00:00.000Z',
  windowEnd: '2026-12-12T08:00:00.000Z',
  ...overrides,
});

export const directoryRow = (number: number, overrides: Partial<DirectoryRow> = {}): DirectoryRow => ({
  id: `0192f0c0-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`,
  email: `person${number}@talentfield.io`,
  firstName: 'Person',
  lastName: `Number ${number}`,
  organizationName: `Organization ${number}`,
  country: 'Norway',
  picture: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  plan: 'free',
  paymentProblem: null,
  ...overrides,
});

/** A tool that is connected and was never used. */
export const connectedTool = (number: number, overrides: Partial<Connection> = {}): Connection => ({
  id: `0192f0c0-0000-7000-8000-0000000003${String(number).padStart(2, '0')}`,
  name: `Tool ${number}`,
  logo: null,
  isVerified: true,
  scopes: ['credits:read'],
  device: '',
  browser: '',
  system: '',
  createdAt: '2026-11-04T09:00:00.000Z',
  expiresAt: '2099-02-02T09:00:00.000Z',
  endedAt: null,
  lastUsed: null,
  ...overrides,
});

/** What a tool on a device asks. */
export const connectionRequest = (overrides: Partial<ConnectionRequest> = {}): ConnectionRequest => ({
  name: 'Automation bot',
  logo: null,
  isVerified: true,
  scopes: ['credits:read', 'credits:charge'],
  device: 'MacBook of Marta',
  browser: '',
  system: 'macOS',
  place: 'Gothenburg, Sweden',
  requestedAt: '2026-11-26T09:00:00.000Z',
  code: 'WDJB-MJHT',
  ...overrides,
});

/** An API key that works and was never used. */
export const apiKey = (number: number, overrides: Partial<ApiKey> = {}): ApiKey => ({
  id: `0192f0c0-0000-7000-8000-0000000002${String(number).padStart(2, '0')}`,
  name: `Key ${number}`,
  scopes: ['credits:read'],
  hint: `sl_live_…8f${String(number).padStart(2, '0')}`,
  createdAt: '2026-11-04T09:00:00.000Z',
  expiresAt: null,
  revokedAt: null,
  lastUsed: null,
  ...overrides,
});
