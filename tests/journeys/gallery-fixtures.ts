// What bff replies about users, tools and teams with the longest names, which no user of the gallery has.
import type { AlertView } from '@shortlist/contracts/api/billing';
import type { NamedItem, NamedJob } from '@shortlist/contracts/api/bulk';
import { SCOPES } from '@shortlist/contracts/api/connected-apps';
import type { CreditsEntry, CreditsUsage } from '@shortlist/contracts/api/credits';
import { TIMELINE_PAGE } from '@shortlist/contracts/limits';
import type { SystemStatus } from '@shortlist/contracts/api/system';
import type { TeamMember } from '@shortlist/contracts/api/team';
import { fullName } from '@shortlist/contracts/messages';
import {
  apiKey,
  busyFigures,
  connectionRequest,
  creditsView,
  deadLetter,
  failedJob,
  grantRecord,
  invoice,
  noteView,
  notice,
  packBucket,
  packRecord,
  paymentDetail,
  paymentRow,
  planBucket,
  processStatus,
  requestReport,
  registeredTool,
  revenueEntry,
  revenueFigures,
  revenueView,
  stripeEvent,
  systemStatus,
  TIMELINE,
  userDevice,
  userView,
  webhook,
  webhookDelivery,
} from '../../web/test/fixtures.ts';
import type { Replies } from './replies.ts';

const MORNING = '2026-11-21T09:00:00.000Z';

export const LONG_NAME = {
  firstName: 'Maximiliane-Charlotte',
  lastName: 'von Hohenzollern-Sigmaringen',
  email: 'maximiliane.von-hohenzollern-sigmaringen@talentfield-recruiting.example',
};
const LONG_TOOL = 'The weekly report of the Lisbon office, for all of Iberia';

const bounced = (email: string) =>
  ({
    email,
    kind: 'bounced',
    reason: `550 5.1.1 <${email}>: Recipient address rejected: User unknown in virtual mailbox table`,
    at: '2026-11-20T09:00:00.000Z',
  }) as const;
export const SUPPRESSION = bounced(LONG_NAME.email);

const KEYS = [
  'Automation bot',
  LONG_TOOL,
  'Greenhouse import',
  'Old test',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk',
].map((name, index) =>
  apiKey(index + 1, { name, ...(index > 2 && { revokedAt: '2026-11-01T09:00:00.000Z' }) }),
);

/** Two weeks in which the tools charge less and less, and one has credits returned. */
const USAGE = Array.from({ length: 14 }, (_, index) =>
  [null, ...KEYS.map(({ id }) => id)].map((clientId, tool): CreditsUsage => ({
    day: new Date(Date.UTC(2026, 10, 14 - index)).toISOString().slice(0, 10),
    clientId,
    reason: 'email_found',
    charged: index % 5 === 3 ? 0 : Math.round((40 - 2 * index) / (tool + 1)),
    returned: tool === 1 && index % 4 === 0 ? 3 : 0,
  })),
).flat();

/** Of two years, in every state that an invoice has. */
export const INVOICES = [
  invoice({ number: 'ABCDEFGH-0007', status: 'open', paidAt: null, payUrl: 'https://invoice.test/i/in_7' }),
  invoice({ number: 'ABCDEFGH-0006', status: 'open', paidAt: null, isProcessing: true }),
  invoice({ number: 'ABCDEFGH-0005', credits: 25_000, amount: 190_000 }),
  invoice({ number: 'ABCDEFGH-0004', refunded: 2_950 }),
  invoice({ number: 'ABCDEFGH-0003', refunded: 5_900 }),
  invoice({ number: null, status: 'void', paidAt: null }),
  invoice({ number: 'ABCDEFGH-0001', paidAt: '2025-11-20T09:41:00.000Z' }),
].map((one, index) => ({ ...one, invoiceId: `in_${index}` }));

const LONG_PAYER = {
  id: userView().id,
  name: `${LONG_NAME.firstName} ${LONG_NAME.lastName}`,
  email: LONG_NAME.email,
};
const DISPUTE = { status: 'needs_response', evidenceDueAt: '2026-12-26T12:00:00.000Z' };
const TOTAL = { currency: 'usd', collected: 617_200, returned: 8_850, fees: 21_128, net: 587_222 };

/** Payments in every state, of users with long and with no names, in two currencies. */
export const PAYMENTS = {
  payments: {
    data: [
      paymentRow(),
      paymentRow({ user: LONG_PAYER, credits: 250, amount: 1_900, fee: { amount: 85, currency: 'usd' } }),
      paymentRow({ state: 'past_due', attempts: 2, fee: null }),
      paymentRow({ state: 'partly_refunded', refunded: 2_950 }),
      paymentRow({ state: 'refunded', refunded: 5_900, user: { ...LONG_PAYER, name: '', email: '' } }),
      paymentRow({ state: 'failed', attempts: 4, fee: null, number: 'ABCDEFGH-0001' }),
      paymentRow({ state: 'disputed', dispute: DISPUTE, currency: 'eur' }),
      paymentRow({ state: 'processing', fee: null }),
      paymentRow({ state: 'void', fee: null }),
    ].map((one, index) => ({ ...one, invoiceId: `in_${index}` })),
    next: '1.in_8',
  },
  paymentTotals: {
    data: [
      { ...TOTAL, count: 111, unknownFees: 0 },
      { ...TOTAL, currency: 'eur', count: 1, unknownFees: 1 },
    ],
  },
} satisfies Replies;

/** A year of growth. The more months have passed since users subscribed, the fewer of them pay. */
const MONTHS = Array.from({ length: 12 }, (_, month) =>
  busyFigures({
    from: new Date(Date.UTC(2025, 11 + month, 1)).toISOString(),
    to: new Date(Date.UTC(2025, 12 + month, 1)).toISOString(),
    sums: {
      new: { amount: 35_400 + month * 5_900, count: 6 + month },
      reactivated: { amount: (month % 3) * 5_900, count: month % 3 },
      contraction: { amount: month % 5 === 0 ? -1_000 : 0, count: month % 5 === 0 ? 1 : 0 },
      churned: { amount: -11_800 - (month % 4) * 5_900, count: 2 + (month % 4) },
    },
  }),
);
const COHORTS = MONTHS.map(({ from }, month) => ({
  month: from.slice(0, 7),
  people: 1_204 - month * 100,
  active: Array.from({ length: 11 - month }, (_, later) => 1_150 - month * 100 - later * 40),
}));

const seriesIn = (currency: string) => ({ revenuePeriods: { data: { currency, periods: MONTHS } } });

export const REPORTS = {
  revenue: { data: revenueView() },
  ...seriesIn('usd'),
  retention: { data: COHORTS },
} satisfies Replies;

export const NOT_COMPARED = {
  ...REPORTS,
  revenue: { data: revenueView({ before: null, daysBefore: null }) },
} satisfies Replies;

export const UNEQUAL = {
  ...REPORTS,
  revenue: {
    data: revenueView({
      days: 31,
      before: busyFigures({ from: '2026-02-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' }),
      daysBefore: 28,
    }),
  },
} satisfies Replies;

const LARGE = { amount: -12_345_678_901, count: 1_234_567 };

export const CURRENCIES = {
  revenue: {
    data: revenueView({
      currency: 'eur',
      currencies: ['eur', 'usd'],
      current: busyFigures({ mrr: 12_345_678, sums: { refund: LARGE, dispute: LARGE, fee: LARGE } }),
    }),
  },
  ...seriesIn('eur'),
  retention: { data: COHORTS },
} satisfies Replies;

export const NO_REVENUE = {
  revenue: {
    data: revenueView({ current: revenueFigures(), before: revenueFigures(), currencies: [] }),
  },
  revenuePeriods: { data: { currency: 'usd', periods: [revenueFigures()] } },
  retention: { data: [] },
} satisfies Replies;

const ENTRY = { kind: 'refund', amount: -5_900, invoiceId: 'in_1' } as const;

export const ENTRIES = {
  revenueEntries: {
    data: [
      revenueEntry({ ...ENTRY, id: '3', user: LONG_PAYER }),
      revenueEntry({ ...ENTRY, id: '2', amount: -123_456_789 }),
      revenueEntry({ ...ENTRY, id: '1', user: { ...LONG_PAYER, name: '', email: '' }, invoiceId: null }),
    ],
    next: '1.1',
  },
} satisfies Replies;

export const SUBSCRIBERS = {
  revenueSubscribers: {
    data: [
      { user: LONG_PAYER, mrr: 5_900 },
      { user: { ...revenueEntry().user, id: '0192f0c0-0000-7000-8000-000000000002' }, mrr: 2_950 },
    ],
    next: null,
  },
} satisfies Replies;

/** A payment of which a part was refunded and failed, before it was disputed. */
export const PAYMENT = {
  payment: {
    data: paymentDetail({
      user: LONG_PAYER,
      state: 'disputed',
      refunded: 2_950,
      left: 2_950,
      discount: 500,
      tax: 437,
      attempts: 2,
      failedAt: '2026-11-18T08:00:00.000Z',
      events: (['invoice.paid', 'invoice.payment_failed', 'payment_intent.requires_action'] as const).map(
        (type, index) => ({
          ...{ eventId: `evt_1QN8zKfa0${index}LkdIwHu7ixk8Yxq3Zt`, type, receivedAt: MORNING },
          state: index === 1 ? 'failed' : 'done',
        }),
      ),
      refunds: [
        { refundId: 're_1', amount: 2_950, createdAt: '2026-11-21T09:58:00.000Z', failedAt: null },
        {
          refundId: 're_2',
          amount: 1_000,
          createdAt: '2026-11-22T09:58:00.000Z',
          failedAt: '2026-11-25T10:00:00.000Z',
        },
      ],
      disputes: [
        {
          disputeId: 'dp_1',
          amount: 2_950,
          currency: 'usd',
          reason: 'product_not_received',
          status: 'needs_response',
          openedAt: '2026-11-26T10:00:00.000Z',
          evidenceDueAt: '2099-12-26T12:00:00.000Z',
          closedAt: null,
          withdrawn: { amount: 2_950, currency: 'usd' },
          fee: { amount: 1_500, currency: 'usd' },
        },
      ],
    }),
    acts: [
      {
        id: '0192f0c0-0000-7000-8000-0000000000a1',
        at: '2026-11-21T09:58:00.000Z',
        action: 'payment.refund',
        by: 'Inês Carvalho',
        text: 'Plan not used, and the user wrote within fourteen days',
        refundId: 're_1',
      },
      {
        id: '0192f0c0-0000-7000-8000-0000000000a2',
        at: '2026-11-27T09:00:00.000Z',
        action: 'dispute.note',
        by: 'Inês Carvalho',
        text: 'Sent the log of the deliveries to the bank',
        refundId: null,
      },
    ],
  },
} satisfies Replies;

/** A renewal that could not be collected. */
export const PAST_DUE = {
  payment: {
    data: paymentDetail({
      state: 'past_due',
      attempts: 2,
      failedAt: MORNING,
      nextAttemptAt: '2098-11-25T09:00:00.000Z',
      fee: null,
      left: 0,
      paidAt: null,
      chargeId: null,
      canRetry: true,
      hasReceipt: false,
    }),
    acts: [],
  },
} satisfies Replies;

const entry = (id: number, change: Partial<CreditsEntry>): CreditsEntry => ({
  id: String(id),
  amount: -1,
  reason: 'email_found',
  reference: 'https://www.linkedin.com/in/maximiliane-charlotte-von-hohenzollern-sigmaringen',
  clientId: null,
  createdAt: '2026-11-14T09:12:00.000Z',
  ...change,
});

const HISTORY_ROWS = [
  entry(9, { reason: 'message_composed', reference: 'Amara Diallo', clientId: KEYS[0]?.id ?? null }),
  entry(7, { amount: -12, clientId: KEYS[1]?.id ?? null, returned: { amount: 12, reason: 'released' } }),
  entry(6, {
    amount: -5,
    reference: null,
    clientId: KEYS[4]?.id ?? null,
    returned: { amount: 5, reason: 'expired' },
  }),
  entry(5, { reference: 'Jonas Feldmann', returned: { amount: 1, reason: 'already_paid' } }),
  entry(4, { amount: -50, clientId: KEYS[2]?.id ?? null, returned: { amount: 40, reason: 'unused' } }),
  entry(3, { amount: 0, reference: 'Léa Bouchard' }),
];

export const HISTORY = { data: HISTORY_ROWS, next: null };

const USED = { plan: 'premium', limit: 500, used: 406, premiumUsed: 406, freeUsed: 0 } as const;

/** The credits of a user with many tools, most of them used. */
export const CREDITS_OF_TOOLS = {
  credits: creditsView({ ...USED, available: 94 }),
  listApiKeys: { data: KEYS },
  creditsUsage: { data: USAGE },
  creditsHistory: HISTORY,
} satisfies Replies;

/** The credits of a user with a grant that ends first, the plan and a pack. */
export const CREDITS_IN_BUCKETS = creditsView({
  ...USED,
  available: 38 + 94 + 240,
  buckets: [
    {
      id: grantRecord().id,
      kind: 'grant',
      credits: 50,
      used: 12,
      available: 38,
      endsAt: '2026-12-01T00:00:00.000Z',
    },
    planBucket({ credits: 500, used: 406, available: 94 }),
    packBucket(),
  ],
});

/** The same for an admin, with a grant that is over. */
export const USER_BUCKETS = {
  data: {
    available: CREDITS_IN_BUCKETS.available,
    buckets: CREDITS_IN_BUCKETS.buckets,
    records: [
      grantRecord({
        reason: 'The import of contacts lost a day, and the user had charged for all of them by then',
      }),
      packRecord(),
      grantRecord({ id: '0192f0c0-0000-7000-8000-000000000779', available: 0, isOver: true }),
    ],
  },
};

/** Two sessions, one without a place. */
export const USER_DEVICES = {
  data: [userDevice(1), userDevice(2, { browser: 'Safari', system: 'iPhone', place: '' })],
};

/** A long note of the admin, and two of others, of whom one is no admin any more. */
export const USER_NOTES = {
  data: [
    noteView(1, {
      isOwn: true,
      text: `${'Wants invoices with the VAT number of the Lisbon office. '.repeat(12)}\n\nSent the guide.`,
    }),
    noteView(2, { author: `${LONG_NAME.firstName} ${LONG_NAME.lastName}` }),
    noteView(3, { author: '', text: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(3) }),
  ],
};

/** A full page of the timeline, which older entries follow. */
export const PAGE_OF_TIMELINE = Array.from(
  { length: TIMELINE_PAGE },
  (_, index) =>
    TIMELINE[index] ?? {
      id: `email-${index}`,
      at: MORNING,
      email: { subject: `${LONG_NAME.lastName}, your receipt`, state: 'complained' as const },
    },
);

/** What stands beside the timeline. */
export const GLANCE = {
  userBuckets: USER_BUCKETS,
  listUserDevices: USER_DEVICES,
  userNotes: USER_NOTES,
} satisfies Replies;
export const NO_GLANCE = {
  userBuckets: { data: { available: 0, buckets: [planBucket()], records: [] } },
  listUserDevices: { data: [] },
  userNotes: { data: [] },
} satisfies Replies;

export const PACK = {
  packId: '0192f0c0-0000-8000-8000-00000000000a',
  version: 1,
  credits: 250,
  paidCredits: 250,
  paidAt: '2026-11-20T09:41:00.000Z',
  amount: 1_900,
  currency: 'usd',
  state: 'paid',
} as const;

/** A picture of one pixel. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkSPj/HwAEhQKAx4tXNAAAAABJRU5ErkJggg==';

const LONG_REQUEST = 'The contact finder of the Lisbon office, for all of Iberia';

/** Of a tool that nobody knows. */
export const UNVERIFIED_REQUEST = connectionRequest({
  name: LONG_REQUEST,
  isVerified: false,
  code: null,
  scopes: [...SCOPES],
});

/** One with long names, one without a browser, and a disabled one. */
const LONG_NOTICE = {
  tone: 'warn',
  text: `On Sunday from six to eight in the morning you can read everything, but the bot, the CRM and the extension cannot charge.
Nothing is lost: what they have to charge meanwhile waits, and is charged once at the end. Your subscription, its payments and your
credits are not affected in any way.`.replaceAll('\n', ' '),
  linkLabel: 'What you can do meanwhile',
  linkTo: 'https://status.shortlist.test/maintenance?of=2026-12-06',
} as const;

export const NOTICES = {
  data: [
    notice(1, LONG_NOTICE),
    notice(2, { audience: 'premium', from: '2098-01-01T09:00:00.000Z' }),
    notice(3, { audience: 'free', until: '2026-01-02T09:00:00.000Z' }),
  ],
};
export const CURRENT_NOTICE = {
  data: { notices: [{ ...LONG_NOTICE, id: notice(1).id }], changesAt: null },
};

export const REGISTERED_TOOLS = {
  data: [
    registeredTool(1, {
      name: LONG_REQUEST,
      logo: LOGO,
      scopes: [...SCOPES],
      redirectUris: [
        'https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/',
        'https://tools.talentfield-recruiting.example/integrations/shortlist/callback',
      ],
      users: 12_408,
    }),
    registeredTool(2, { name: 'Automation bot', scopes: ['credits:read', 'credits:charge'], users: 1 }),
    registeredTool(3, {
      name: 'Address exporter',
      isVerified: false,
      scopes: ['profile:read'],
      redirectUris: ['http://127.0.0.1/callback'],
      disabledAt: '2026-11-20T09:00:00.000Z',
    }),
  ],
};

const actingItem = (name: string, detail: string) => ({
  id: '0192f0c0-0000-7000-8000-0000000000e1',
  name,
  detail,
  createdAt: MORNING,
});

/** Keys, tools and webhooks with long names. */
export const ACCESS = {
  data: {
    apiKeys: [actingItem('Weekly report of the Lisbon office, second floor', 'sl_live_4k…x7Qa')],
    connections: [actingItem('Sourcing bot', 'MacBook of Maximiliane-Charlotte')],
    webhooks: [actingItem('hooks.recruiting.hohenzollern-sigmaringen.example.com', '')],
  },
};

export const KEY = apiKey(1, { name: LONG_TOOL, scopes: [...SCOPES], expiresAt: '2027-02-21T09:00:00.000Z' });

/** A webhook that works, one that has begun to fail, and one that was stopped. */
export const WEBHOOKS = {
  data: [
    webhook(1, {
      url: 'https://hooks.recruiting.iberia.talentfield.example.com/shortlist/webhooks?team=lisbon',
    }),
    webhook(2, { failingSince: '2026-11-18T09:00:00.000Z' }),
    webhook(3, { stop: 'failing', failingSince: '2026-11-12T09:00:00.000Z' }),
  ],
};

/** A webhook with one message, whose secret can be renewed. */
export const ONE_WEBHOOK: Replies = {
  webhooks: { data: [webhook(1)] },
  webhookDeliveries: { data: [webhookDelivery(1)], next: null },
  rotateWebhookSecret: { data: webhook(1), secret: `whsec_${'QUJDREVGR0hJSktMTU5PUFFS'.repeat(2)}` },
};

/** A try that got this response, at a time of its own. */
const failedTry = (status: number) => ({
  at: new Date(Date.parse('2026-11-20T09:00:00.000Z') + status * 1_000).toISOString(),
  status,
  error: null,
  milliseconds: 85,
});

/** Messages in every state. */
export const DELIVERIES = {
  data: [
    webhookDelivery(4, {
      state: 'pending',
      nextTryAt: '2027-11-20T14:00:00.000Z',
      tries: [{ at: '2026-11-20T09:00:00.000Z', status: null, error: 'certificate', milliseconds: 31 }],
    }),
    webhookDelivery(3, { event: 'webhook.test' }),
    webhookDelivery(2, { event: 'plan.changed', state: 'canceled', tries: [] }),
    webhookDelivery(1, { state: 'failed', tries: [500, 502].map(failedTry) }),
  ],
  next: webhookDelivery(1).id,
};

/** Two-step verification is on, and one passkey has a long name. */
export const FACTORS_ON = {
  data: {
    totpSince: MORNING,
    recoveryCodes: { left: 9, total: 10 },
    passkeys: [
      {
        id: '0192f0c0-0000-7000-8000-0000000000f1',
        name: 'The laptop of the Lisbon office, second floor',
        createdAt: MORNING,
        lastUsedAt: null,
      },
    ],
  },
};

export const RECOVERY_CODES = Array.from({ length: 10 }, (_, index) => `q7xkm-2v4h${index}`);

const device = (id: string, isCurrent: boolean) => ({
  id: `0192f0c0-0000-7000-8000-0000000000${id}`,
  browser: 'Chrome',
  system: 'Windows',
  place: 'Lisbon, Portugal',
  firstSeenAt: '2026-11-20T09:41:00.000Z',
  lastSeenAt: '2026-11-21T09:41:00.000Z',
  isCurrent,
});
export const DEVICES = { data: [device('d1', true), device('d2', false)] };

const owner: TeamMember = {
  id: '0192f0c0-0000-7000-8000-0000000000a1',
  email: 'ines.carvalho@shortlist.test',
  name: 'Inês Carvalho',
  role: 'owner',
  factor: 'passkey',
  lastLogInAt: MORNING,
  isSuspended: false,
};
const active: TeamMember = {
  ...owner,
  id: '0192f0c0-0000-7000-8000-0000000000a2',
  email: LONG_NAME.email,
  name: `${LONG_NAME.firstName} ${LONG_NAME.lastName}`,
  role: 'support',
  factor: 'totp',
};
const suspended: TeamMember = {
  ...active,
  id: '0192f0c0-0000-7000-8000-0000000000a3',
  email: 'tomas.ferreira@shortlist.test',
  name: null,
  isSuspended: true,
};

/** An admin with access, one without, and one who is invited. */
export const TEAM = {
  data: {
    ownId: owner.id,
    members: [owner, active, suspended],
    invitations: [
      {
        id: '0192f0c0-0000-7000-8000-0000000000a4',
        email: LONG_NAME.email,
        role: 'finance',
        invitedBy: owner.email,
        expiresAt: '2026-12-01T09:00:00.000Z',
        isExpired: false,
      },
    ],
    suppressions: [bounced(suspended.email)],
  },
} satisfies Replies['team'];

const alert: AlertView = {
  id: 'dispute_opened:dp_1',
  kind: 'invoice_finalization_failed',
  userId: userView().id,
  objectId: 'in_1QmJk2LkdIwHu7ixk8Yxq3Zt',
  amount: 5_900,
  currency: 'usd',
  detail: null,
  raisedAt: MORNING,
  resolvedAt: null,
  note: null,
};
const resolved: AlertView = { ...alert, id: 'refund_failed:re_1', resolvedAt: MORNING, note: 'Done' };

export const SYSTEM = {
  data: { version: '1.0.0', stripe: { checkedAt: null, checks: [] }, alerts: [alert, resolved] },
};

const MANY: NamedJob = {
  id: '0192f0c0-0000-7000-8000-0000000000b1',
  kind: 'grant',
  state: 'running',
  problem: null,
  reason: 'A week without service in the whole region, as agreed with the customer council',
  createdBy: owner.id,
  author: LONG_NAME.email,
  createdAt: MORNING,
  finishedAt: null,
  isResolved: true,
  total: 1_204_318,
  done: 402_117,
  skipped: 81_220,
  failed: 12,
  undoOf: null,
  canUndo: false,
};

export const RUNNING_JOB = MANY;
export const ENDED_JOB: NamedJob = {
  ...MANY,
  id: '0192f0c0-0000-7000-8000-0000000000b2',
  state: 'done',
  finishedAt: MORNING,
  canUndo: true,
  total: 3,
  done: 1,
  skipped: 1,
  failed: 1,
};
const CANCELED_JOB: NamedJob = {
  ...MANY,
  id: '0192f0c0-0000-7000-8000-0000000000b3',
  kind: 'delete',
  state: 'canceled',
  problem: 'permission',
  author: '',
};
const FINDING_JOB: NamedJob = { ...MANY, id: '0192f0c0-0000-7000-8000-0000000000b4', isResolved: false };

export const JOBS = {
  data: [FINDING_JOB, RUNNING_JOB, CANCELED_JOB, ENDED_JOB],
  next: null,
} satisfies Replies['bulkJobs'];

const itemOf = (position: number, more: Pick<NamedItem, 'state' | 'why'>): NamedItem => ({
  userId: `0192f0c0-0000-7000-8000-0000000000c${position}`,
  position,
  name: fullName(LONG_NAME),
  email: LONG_NAME.email,
  ...more,
});

export const JOB_RUNNING = {
  bulkJob: { data: RUNNING_JOB },
  bulkItems: { data: [itemOf(0, { state: 'waiting', why: null })], next: 0 },
} satisfies Replies;

export const JOB_ENDED = {
  bulkJob: { data: ENDED_JOB },
  bulkItems: {
    data: [
      itemOf(0, { state: 'done', why: null }),
      itemOf(1, { state: 'skipped', why: 'already_premium' }),
      { ...itemOf(2, { state: 'failed', why: 'billing.provider_unavailable' }), name: '', email: '' },
    ],
    next: null,
  },
} satisfies Replies;

export const SAVED_FILTERS = {
  data: [
    { id: '0192f0c0-0000-7000-8000-0000000000d1', name: LONG_TOOL, query: { plan: 'free' } },
    {
      id: '0192f0c0-0000-7000-8000-0000000000d2',
      name: 'Payments in trouble',
      query: { payment: 'problem' },
    },
  ],
} satisfies Replies['savedFilters'];

/** The state at the moment of the response: one of ten minutes ago is outdated, and a run of the gallery takes longer. */
const statusNow = (overrides: Partial<SystemStatus> = {}) => ({
  get data() {
    return systemStatus(overrides);
  },
});
const STATUS = systemStatus();
const NO_LISTS = {
  stripeEvents: { data: [], next: null },
  deadLetters: { data: [], missing: [] },
  failedJobs: { data: [] },
} satisfies Replies;

const SLOW_REQUESTS = {
  ...requestReport({
    2: { errors: 300, p95: 9_200 },
    3: { errors: 40 },
    7: { minutesDown: 60, requests: 0 },
  }),
  p95: 9_200,
};

/** Each kind of problem, with long texts. */
export const SYSTEM_IN_TROUBLE = {
  system: SYSTEM,
  systemStatus: statusNow({
    processes: STATUS.processes.map((process) => {
      if (process.name === 'worker') return { ...process, status: null, seenAt: MORNING };
      if (process.name === 'profile') return { ...process, requests: null };
      if (process.name === 'credits') return { ...process, requests: SLOW_REQUESTS };
      if (process.name !== 'billing') return process;
      const dependencies = [{ name: 'database', isUp: false }];
      return { ...process, status: processStatus({ dependencies, outbox: null }) };
    }),
    work: null,
  }),
  stripeEvents: { data: [stripeEvent(), stripeEvent({ eventId: 'evt_1QN8yPq81c' })], next: '1.evt_1' },
  deadLetters: {
    data: [deadLetter(), deadLetter({ position: '0:5', hasEarlier: true })],
    missing: ['worker'],
  },
  failedJobs: { data: [failedJob(), failedJob({ jobId: 'export-2', failedAt: null })] },
} satisfies Replies;

/** Nothing but the services themselves could be read. */
export const SYSTEM_UNKNOWN = {
  ...NO_LISTS,
  system: SYSTEM,
  systemStatus: statusNow({ stripe: null, work: null }),
} satisfies Replies;

const { consumer: _consumer, ...OPENED_LETTER } = deadLetter();

export const SYSTEM_WITH_DEAD_LETTERS = {
  ...NO_LISTS,
  systemStatus: statusNow(),
  deadLetters: { data: [deadLetter()], missing: [] },
  deadLetter: { data: { ...OPENED_LETTER, content: '{"specversion":"1.0","data":{"amount":5900}}' } },
} satisfies Replies;

const FAILED_WEBHOOKS = STATUS.stripe && {
  ...STATUS.stripe,
  events: { ...STATUS.stripe.events, failed: 3 },
};

export const SYSTEM_WITH_WEBHOOKS = {
  ...NO_LISTS,
  systemStatus: statusNow({ stripe: FAILED_WEBHOOKS }),
  stripeEvents: { data: [stripeEvent()], next: null },
  stripeEvent: { data: { ...stripeEvent(), payload: '{"object":{"id":"in_1","status":"open"}}' } },
} satisfies Replies;
