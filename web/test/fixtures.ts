import type { OwnEmail } from '@shortlist/contracts/api/email';
import type {
  ApiKey,
  Connection,
  ConnectionRequest,
  RegisteredTool,
} from '@shortlist/contracts/api/connected-apps';
import type { WebhookDelivery, WebhookEndpoint } from '@shortlist/contracts/api/webhooks';
import type { DirectoryRow, AccountStatus } from '@shortlist/contracts/api/directory';
import type { Continuation, Profile, UserView } from '@shortlist/contracts/api/profile';
import type { BucketRecord, CreditBucket, CreditsEntry, CreditsView } from '@shortlist/contracts/api/credits';
import type { InvoiceView, SubscriptionView } from '@shortlist/contracts/api/billing';
import type { PaymentDetail, PaymentRow } from '@shortlist/contracts/api/payments';
import {
  REVENUE_KINDS,
  type RevenueEntry,
  type RevenueFigures,
  type RevenueKind,
  type RevenueSum,
  type RevenueView,
} from '@shortlist/contracts/api/revenue';
import type { NoteView } from '@shortlist/contracts/api/notes';
import type { Notice } from '@shortlist/contracts/api/notices';
import type { UserDeviceView } from '@shortlist/contracts/api/sessions';
import type { DeadLetterView, ProcessStatus, RequestReport } from '@shortlist/contracts/api/status';
import { halfHours, startOf } from '@shortlist/contracts/durations';
import {
  type FailedJob,
  PROCESSES,
  type StripeEventView,
  type SystemStatus,
} from '@shortlist/contracts/api/system';
import type { TimelineView } from '@shortlist/contracts/api/timeline';
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
  renewsUntil: null,
  continuation: null,
  premiumUntil: null,
  graceUntil: null,
  customerId: null,
  price: PRICE,
  lastPayment: null,
  problem: null,
  ...overrides,
});

export const invoice = (overrides: Partial<InvoiceView> = {}): InvoiceView => ({
  invoiceId: 'in_1',
  number: 'SL-0001',
  credits: null,
  status: 'paid',
  isProcessing: false,
  amount: PRICE.amount,
  refunded: 0,
  currency: PRICE.currency,
  periodStart: START,
  periodEnd: END,
  paidAt: START,
  payUrl: null,
  ...overrides,
});

export const paymentRow = (overrides: Partial<PaymentRow> = {}): PaymentRow => ({
  invoiceId: 'in_1',
  number: 'SL-01193',
  user: { id: userView().id, name: 'Marta Lindqvist', email: 'marta@people.test' },
  credits: null,
  state: 'paid',
  date: new Date('2026-11-18T09:12:00').toISOString(),
  amount: PRICE.amount,
  currency: PRICE.currency,
  tax: 0,
  discount: 0,
  fee: { amount: 201, currency: PRICE.currency },
  refunded: 0,
  attempts: 1,
  dispute: null,
  ...overrides,
});

export const paymentDetail = (overrides: Partial<PaymentDetail> = {}): PaymentDetail => ({
  ...paymentRow(),
  left: PRICE.amount,
  effect: 'plan',
  canRetry: false,
  hasReceipt: true,
  periodStart: paymentRow().date,
  periodEnd: new Date('2026-12-18T09:12:00').toISOString(),
  paidAt: paymentRow().date,
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  chargeId: 'ch_1',
  paymentIntentId: 'pi_1',
  invoiceUrl: 'https://invoice.test/i/in_1',
  refunds: [],
  disputes: [],
  ...overrides,
});

type FiguresChange = Partial<Omit<RevenueFigures, 'sums'>> & { sums?: Partial<RevenueFigures['sums']> };

const NOTHING: RevenueSum = { amount: 0, count: 0 };

/** Of November up to its twenty-first day, in which nothing has happened. */
export const revenueFigures = ({ sums, ...overrides }: FiguresChange = {}): RevenueFigures => ({
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-11-22T00:00:00.000Z',
  mrrAtStart: 0,
  mrr: 0,
  subscribersAtStart: 0,
  subscribers: 0,
  sums: {
    ...(Object.fromEntries(REVENUE_KINDS.map((kind) => [kind, NOTHING])) as Record<RevenueKind, RevenueSum>),
    ...sums,
  },
  ...overrides,
});

/** A November with everything that can happen. */
export const busyFigures = (overrides: FiguresChange = {}): RevenueFigures =>
  revenueFigures({
    mrrAtStart: 554_600,
    mrr: 607_700,
    subscribersAtStart: 94,
    subscribers: 103,
    sums: {
      new: { amount: 70_800, count: 12 },
      expansion: { amount: 1_000, count: 1 },
      contraction: { amount: -1_000, count: 1 },
      reactivated: { amount: 11_800, count: 2 },
      churned: { amount: -29_500, count: 5 },
      payment: { amount: 600_000, count: 102 },
      pack: { amount: 1_900, count: 1 },
      tax: { amount: 48_000, count: 103 },
      refund: { amount: -5_900, count: 1 },
      dispute: { amount: -5_900, count: 1 },
      fee: { amount: -20_111, count: 103 },
      failed_renewal: { amount: 41_300, count: 7 },
      recovered_renewal: { amount: 29_500, count: 5 },
    },
    ...overrides,
  });

/** Compared with the same days of October, which had fewer subscribers and one failed renewal less. */
export const revenueView = (overrides: Partial<RevenueView> = {}): RevenueView => ({
  currency: 'usd',
  currencies: ['usd'],
  current: busyFigures(),
  days: 21,
  before: revenueFigures({
    from: '2026-10-01T00:00:00.000Z',
    to: '2026-10-22T00:00:00.000Z',
    mrrAtStart: 507_400,
    mrr: 554_600,
    subscribersAtStart: 86,
    subscribers: 94,
    sums: {
      new: { amount: 70_800, count: 12 },
      reactivated: { amount: 5_900, count: 1 },
      churned: { amount: -29_500, count: 5 },
      payment: { amount: 554_600, count: 94 },
      failed_renewal: { amount: 35_400, count: 6 },
    },
  }),
  daysBefore: 21,
  ...overrides,
});

export const revenueEntry = (overrides: Partial<RevenueEntry> = {}): RevenueEntry => ({
  id: '1',
  user: paymentRow().user,
  at: new Date('2026-11-18T09:12:00').toISOString(),
  kind: 'new',
  amount: PRICE.amount,
  currency: PRICE.currency,
  invoiceId: null,
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

type Access = Exclude<AccountStatus['access'], null>;
type PlanOfUser = Exclude<AccountStatus['plan'], null>;

/** What support reads of a user without a problem. */
export const accountStatusOf = (
  { plan, subscription: { continuation } }: UserView,
  { subscription, packs, ...access }: Partial<Access & PlanOfUser> = {},
): AccountStatus => ({
  access: {
    isVerified: true,
    confirmBy: null,
    blocksCheckout: false,
    lockedUntil: null,
    suppression: null,
    ...access,
  },
  plan: {
    subscription:
      subscription ?? (plan === 'premium' ? premiumSubscription({ continuation }) : subscriptionView()),
    packs: packs ?? [],
  },
});

/** A user without what other services than profile know. */
export const profileOf = ({
  plan: _plan,
  last_credit_reset: _reset,
  current_period_start: _start,
  current_period_end: _end,
  stripe_customer_id: _customer,
  composed: _composed,
  subscription: _subscription,
  ...profile
}: UserView): Profile => profile;

export const planBucket = (overrides: Partial<CreditBucket> = {}): CreditBucket => ({
  id: 'plan',
  kind: 'plan',
  credits: 20,
  used: 6,
  available: 14,
  endsAt: '2026-12-12T08:00:00.000Z',
  ...overrides,
});

export const packBucket = (overrides: Partial<CreditBucket> = {}): CreditBucket => ({
  id: '0192f0c0-0000-7000-8000-000000000777',
  kind: 'pack',
  credits: 250,
  used: 10,
  available: 240,
  endsAt: null,
  ...overrides,
});

export const grantRecord = (overrides: Partial<BucketRecord> = {}): BucketRecord => ({
  id: '0192f0c0-0000-7000-8000-000000000778',
  kind: 'grant',
  credits: 50,
  used: 12,
  available: 38,
  endsAt: '2026-12-01T00:00:00.000Z',
  isOver: false,
  createdAt: '2026-11-01T08:00:00.000Z',
  reason: 'The import lost a day',
  grantedBy: '0192f0c0-0000-7000-8000-000000000001',
  ...overrides,
});

export const packRecord = (): BucketRecord => ({
  ...packBucket(),
  isOver: false,
  createdAt: '2026-10-01T08:00:00.000Z',
  reason: null,
  grantedBy: null,
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
  buckets: [planBucket()],
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

/** Shown now, unless the times say otherwise. */
export const notice = (number: number, changes: Partial<Notice> = {}): Notice => ({
  id: `0192f0c0-0000-7000-8000-0000000009${String(number).padStart(2, '0')}`,
  audience: 'everyone',
  tone: 'info',
  text: `Notice ${number}`,
  linkLabel: '',
  linkTo: '',
  version: 1,
  from: '2026-01-01T09:00:00.000Z',
  until: '2099-01-01T09:00:00.000Z',
  ...changes,
});

/** A tool as an admin sees it. */
export const registeredTool = (number: number, overrides: Partial<RegisteredTool> = {}): RegisteredTool => ({
  id: `0192f0c0-0000-7000-8000-0000000004${String(number).padStart(2, '0')}`,
  name: `Tool ${number}`,
  logo: null,
  isVerified: true,
  scopes: ['credits:read'],
  redirectUris: [],
  users: 0,
  createdAt: '2026-11-04T09:00:00.000Z',
  disabledAt: null,
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

/** A webhook that works. */
export const webhook = (number: number, overrides: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: `0192f0c0-0000-7000-8000-0000000003${String(number).padStart(2, '0')}`,
  url: `https://hooks${number}.example.com/shortlist`,
  events: ['credits.low', 'credits.exhausted'],
  createdAt: '2026-11-04T09:00:00.000Z',
  stop: null,
  failingSince: null,
  previousSecretUntil: null,
  ...overrides,
});

export const webhookDelivery = (
  number: number,
  overrides: Partial<WebhookDelivery> = {},
): WebhookDelivery => ({
  id: `0192f0c0-0000-7000-8000-0000000004${String(number).padStart(2, '0')}`,
  event: 'credits.low',
  payload: JSON.stringify({
    type: 'credits.low',
    timestamp: '2026-11-20T09:00:00.000Z',
    data: { userId: userView().id, plan: 'premium', limit: 500, used: 400, available: 100 },
  }),
  state: 'delivered',
  createdAt: '2026-11-20T09:00:00.000Z',
  nextTryAt: null,
  tries: [{ at: '2026-11-20T09:00:00.000Z', status: 200, error: null, milliseconds: 120 }],
  ...overrides,
});

/** A session of a user, as an admin sees it. */
export const userDevice = (number: number, overrides: Partial<UserDeviceView> = {}): UserDeviceView => ({
  id: `0192f0c0-0000-7000-8000-0000000005${String(number).padStart(2, '0')}`,
  browser: 'Firefox',
  system: 'macOS',
  place: 'Gothenburg, Sweden',
  firstSeenAt: '2026-11-04T09:00:00.000Z',
  lastSeenAt: '2026-11-20T09:41:00.000Z',
  ...overrides,
});

/** A note that another admin wrote. */
export const noteView = (number: number, overrides: Partial<NoteView> = {}): NoteView => ({
  id: `0192f0c0-0000-7000-8000-0000000006${String(number).padStart(2, '0')}`,
  author: 'Tomasz Zieliński',
  isOwn: false,
  text: 'Wants invoices with the VAT number.',
  createdAt: '2026-11-03T14:31:00.000Z',
  ...overrides,
});

/** A charge of credits. */
export const creditsEntry = (number: number, overrides: Partial<CreditsEntry> = {}): CreditsEntry => ({
  id: String(number),
  amount: -1,
  reason: 'email_found',
  reference: 'Jonas Feldmann',
  clientId: null,
  createdAt: '2026-11-20T16:38:00.000Z',
  ...overrides,
});

const onDay = (day: number, hour = 12): string => new Date(2026, 10, day, hour).toISOString();

/** What can happen to a user, the newest first. */
export const TIMELINE: TimelineView[] = [
  { id: 'note', at: onDay(29), note: noteView(1) },
  {
    id: 'change',
    at: onDay(28),
    change: {
      id: '0192f0c0-0000-7000-8000-000000000901',
      at: onDay(28),
      actorId: '0192f0c0-0000-7000-8000-00000000000a',
      actor: { kind: 'admin', name: 'Inês Carvalho', email: 'ines@shortlist.io', role: 'owner' },
      address: '192.0.2.7',
      action: 'profile.update',
      targetId: userView().id,
      target: { kind: 'user', name: 'Amara Okafor', email: 'amara@talent.test', role: null },
      before: { city: 'Oslo' },
      after: { city: 'Bergen', reason: 'Asked by email' },
    },
  },
  { id: 'email', at: onDay(27), email: { subject: 'Your receipt', state: 'not_delivered' } },
  { id: 'c1', at: onDay(26, 16), credits: creditsEntry(1) },
  { id: 'c2', at: onDay(26, 15), credits: creditsEntry(2, { amount: -4, reason: 'message_composed' }) },
  {
    id: 'c3',
    at: onDay(25),
    credits: creditsEntry(3, { amount: 50, reason: 'credits_granted', reference: null }),
  },
  { id: 'ended', at: onDay(24), subscription: { what: 'canceled', amount: 5_900, currency: 'usd' } },
  {
    id: 'dispute',
    at: onDay(23),
    dispute: { what: 'opened', invoiceId: 'in_1', number: 'SL-01193', amount: 5_900, currency: 'usd' },
  },
  {
    id: 'refund',
    at: onDay(22),
    refund: { what: 'refunded', invoiceId: 'in_1', number: 'SL-01193', amount: 1_000, currency: 'usd' },
  },
  {
    id: 'paid',
    at: onDay(21),
    payment: {
      what: 'paid',
      invoiceId: 'in_1',
      number: 'SL-01193',
      amount: 5_900,
      currency: 'usd',
      credits: null,
    },
  },
  {
    id: 'failed',
    at: onDay(20),
    payment: {
      what: 'failed',
      invoiceId: 'in_0',
      number: null,
      amount: 1_900,
      currency: 'eur',
      credits: 250,
    },
  },
  {
    id: 'sign-in',
    at: onDay(19),
    signIn: {
      id: '0192f0c0-0000-7000-8000-000000000902',
      browser: 'Chrome',
      system: 'Windows',
      place: 'Gothenburg, Sweden',
      at: onDay(19),
      outcome: 'succeeded',
      method: 'password',
      attempts: 1,
      isNewDevice: true,
      isLocked: false,
    },
  },
  { id: 'confirmed', at: onDay(18, 13), account: { what: 'email_confirmed' } },
  { id: 'registered', at: onDay(18), account: { what: 'registered' } },
];

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

/** The address of a user whom mails reach. */
export const ownEmail = (overrides: Partial<OwnEmail> = {}): OwnEmail => ({
  email: userView().email,
  isVerified: true,
  pendingEmail: null,
  confirmBy: null,
  suppression: null,
  ...overrides,
});

/** A process without a problem. */
export const processStatus = (overrides: Partial<ProcessStatus> = {}): ProcessStatus => ({
  version: '1.2.3',
  dependencies: [
    { name: 'database', isUp: true, details: { server: 'MariaDB 10.11.14', used: 61, limit: 200 } },
  ],
  migration: 'SystemScreen1767000000000',
  outbox: { waiting: 0, oldestSeconds: 0 },
  consumption: { lag: [{ topic: 'billing.events', waiting: 0 }], deadLetters: 0, unreadable: 0 },
  ...overrides,
});

/** The last 24 hours of a process; `changes` by how many half hours ago. */
export const requestReport = (
  changes: Record<number, Partial<RequestReport['halfHours'][number]>> = {},
): RequestReport => {
  const current = startOf(new Date(), halfHours(1)).getTime();
  const list = Array.from({ length: 48 }, (_, index) => {
    const ago = 47 - index;
    const start = new Date(current - halfHours(ago)).toISOString();
    return { start, requests: 1_200, errors: 0, p95: 84, minutesDown: 0, ...changes[ago] };
  });
  const sum = (name: 'requests' | 'errors'): number =>
    list.reduce((total, counts) => total + counts[name], 0);
  return { requests: sum('requests'), errors: sum('errors'), p95: 84, halfHours: list };
};

/** The state of all processes, without a problem. */
export const systemStatus = (overrides: Partial<SystemStatus> = {}): SystemStatus => {
  const now = new Date().toISOString();
  const run = { endedAt: now, checked: 120, repaired: 0, failed: 0 };
  return {
    checkedAt: now,
    processes: PROCESSES.map((name) => ({
      name,
      status: processStatus(),
      seenAt: now,
      requests: requestReport(),
    })),
    stripe: {
      events: { today: 1_306, handledToday: 1_306, waiting: 0, failed: 0, oldestSeconds: 0 },
      reconciliation: { last: run, lastRepair: { ...run, repaired: 2 } },
      calls: { used: 3, limit: 80 },
    },
    work: {
      queues: [{ name: 'mail', waiting: 0, failed: 0, oldestSeconds: 0 }],
      unsent: { waiting: 6, oldestSeconds: 40 },
      mails: [
        {
          template: 'verify_email',
          sent: 22,
          waiting: 6,
          notDelivered: 1,
          lastAt: '2026-11-20T09:41:00.000Z',
        },
      ],
      backups: { newest: now, verified: now },
      verification: { endedAt: now, checked: 36, unchecked: 0, breached: [], heldAt: now },
    },
    ...overrides,
  };
};

export const stripeEvent = (overrides: Partial<StripeEventView> = {}): StripeEventView => ({
  eventId: 'evt_1QN8zKfa02',
  type: 'invoice.payment_failed',
  state: 'failed',
  customerId: 'cus_1',
  attempts: 3,
  error: 'Error: Stripe is not responding',
  receivedAt: '2026-11-20T09:31:04.000Z',
  ...overrides,
});

export const deadLetter = (overrides: Partial<DeadLetterView> = {}) => ({
  consumer: 'credits' as const,
  position: '0:4',
  eventId: '0192f0c0-0000-7000-8000-0000000000d1',
  type: 'billing.PaymentSucceeded.v1',
  subject: '0192f0c0-0000-7000-8000-000000000001',
  topic: 'billing.events',
  cause: 'Plan version 7 is older than version 8',
  time: '2026-11-20T09:33:00.000Z',
  isUnreadable: false,
  hasEarlier: false,
  ...overrides,
});

export const failedJob = (overrides: Partial<FailedJob> = {}): FailedJob => ({
  queue: 'exports',
  jobId: 'export-1',
  name: 'export.write',
  attempts: 8,
  error: 'Error: status 503',
  failedAt: '2026-11-20T09:12:00.000Z',
  ...overrides,
});
