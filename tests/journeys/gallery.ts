// Every screen and state of the product, and everything that opens over a screen. A state without replies shows what bff replies to
// a user of the gallery (gallery-users.ts).
import type { OwnEmail } from '@shortlist/contracts/api/email';
import type { UserView } from '@shortlist/contracts/api/profile';
import {
  connectionRequest,
  creditsView,
  directoryRow,
  ownEmail,
  premiumSubscription,
  premiumUser,
  accountStatusOf,
  profileOf,
  subscriptionOf,
  subscriptionView,
  TIMELINE,
  userView,
  webhook,
} from '../../web/test/fixtures.ts';
import { CARD, usedUpCredits, VIEWS, YEAR_PREVIEW } from '../../web/test/subscription-views.ts';
import * as fixtures from './gallery-fixtures.ts';
import type { EndpointName, Replies } from './replies.ts';
import type { Opening, Role, State, Step } from './show-state.ts';

const { ACCESS, FACTORS_ON, LONG_NAME } = fixtures;

/** A path, a text that appears once it has loaded, the replies that differ from those of bff, and what else is said of it. */
type Row = readonly [
  path: string,
  ready: State['ready'],
  replies?: Replies | undefined,
  more?: Partial<State>,
];

const as = (role: Role, rows: Record<string, Row>): State[] =>
  Object.entries(rows).map(([name, [path, ready, replies, more]]) => ({
    name,
    path,
    as: role,
    ready,
    replies,
    ...more,
  }));

const CHECKED = { remainingTime: 3_600 };
const PREMIUM = {
  checkUser: { ...CHECKED, user: premiumUser() },
  subscription: { data: premiumSubscription() },
} satisfies Replies;
const FREE = {
  checkUser: { ...CHECKED, user: userView() },
  subscription: { data: subscriptionView() },
  credits: creditsView(),
} satisfies Replies;
const ENDING = {
  ...PREMIUM,
  subscription: { data: premiumSubscription(VIEWS.ending) },
} satisfies Replies;
const YEAR_END = '2027-11-20T09:41:00.000Z';
const YEARLY = {
  ...PREMIUM,
  subscription: {
    data: premiumSubscription({
      interval: 'year',
      price: { amount: 59_000, currency: 'usd' },
      periodEnd: YEAR_END,
      premiumUntil: YEAR_END,
      lastPayment: { amount: 44_250, currency: 'usd', paidAt: '2026-11-20T09:41:00.000Z' },
      card: CARD,
      discount: {
        name: 'Welcome to Shortlist, with thanks to the Lisbon office',
        percentOff: 25,
        amountOff: null,
        currency: null,
        endsAt: '2027-02-20T09:41:00.000Z',
      },
    }),
  },
} satisfies Replies;
const CHANGING = {
  ...YEARLY,
  subscription: { data: { ...YEARLY.subscription.data, nextInterval: 'month' } },
} satisfies Replies;
const TRIAL_END = '2026-12-04T09:41:00.000Z';
const TRIAL = {
  ...PREMIUM,
  subscription: {
    data: premiumSubscription({
      trialEndsAt: TRIAL_END,
      periodEnd: TRIAL_END,
      premiumUntil: TRIAL_END,
      lastPayment: null,
      card: CARD,
    }),
  },
} satisfies Replies;
const MONTHLY = {
  ...PREMIUM,
  subscription: { data: premiumSubscription({ card: CARD }) },
} satisfies Replies;
const UNAVAILABLE = { failsWith: 'service.unavailable' } as const;
const EMPTY_PAGE = { data: [], next: null };
const ROWS = { data: [directoryRow(1, LONG_NAME), directoryRow(2)], total: 2, isCapped: false, next: null };
const NO_ROWS = { data: [], total: 0, isCapped: false, next: null };

const ALONE = { isAlone: true } as const;
const BUSY = { isBusy: true } as const;

const of = (userId: string) => `?user_id=${userId}`;

/** A tab of a user, or the first one. */
const userTab = (userId: string, tab?: string) =>
  `/admin/edit-user${of(userId)}${tab === undefined ? '' : `&tab=${tab}`}`;

export const screensOf = (userId: string): State[] => [
  ...as('anonymous', {
    login: ['/login', /Log In/],
    'forgot-password': ['/forgot-password', /Forgot your password/],
    'reset-password-ended': ['/reset-password', /no longer works/],
    'verify-email-ended': ['/verify-email', /no longer works/],
    'confirm-email-ended': ['/confirm-email', /no longer works/],
    'undo-email-ended': ['/undo-email-change', /no longer works/],
    register: ['/register', /Sign Up/],
    // Not next to `confirm-email-ended`: an address that differs in its fragment alone loads no page.
    'confirm-email': ['/confirm-email#token=x', /Confirm your new email/],
    'admin-login': ['/admin/login', /Log in/i],
    unsubscribe: ['/unsubscribe?token=credits.x', /Turn off emails about your credits/],
    'unsubscribe-news': ['/unsubscribe?token=news.x', /Turn off news and tips/],
    'unsubscribe-ended': ['/unsubscribe', /does not work/],
    'accept-invitation-ended': ['/admin/accept-invitation', /no longer works/],
  }),
  ...as('premium', {
    home: ['/', /Account Management Panel/],
    profile: ['/profile', /User Profile/],
    'payments-premium': ['/payments', /paid for and active/],
    credits: ['/credits', /Your Credits and Usage/],
    security: ['/security', /Authenticator app/],
    connections: ['/connections', /Weekly report/],
    'webhook-missing': ['/connections/webhook', /Webhook not found/],
    connect: ['/connect', /Enter the code/, undefined, ALONE],
    'connect-problem': ['/connect?problem=x', /incomplete/, undefined, ALONE],
    privacy: ['/privacy', /Prepare download/],
  }),
  ...as('free', {
    'payments-unsubscribed': ['/payments', /currently un-subscribed/],
    'payments-cancel': ['/payments/cancel', /./],
    'payments-success': ['/payments/success', /payment/i],
    'pack-success': ['/credits/pack', /no payment to show/],
    'subscription-free': ['/subscription', /un-subscribed/],
  }),
  ...as('admin', {
    'admin-team': ['/admin/team', /What each role can do/],
    'admin-tools': ['/admin/tools', /Automation bot/],
    'admin-jobs': ['/admin/jobs', /Nobody has changed many users/],
    'admin-emails': ['/admin/emails', /Our emails reach you again/],
    'admin-email': ['/admin/emails?name=credits_low', /running low on credits/],
    'admin-notices': ['/admin/notices', /No notice is shown now/],
    'admin-dashboard': ['/admin/', /You are the Admin/],
    'admin-users': ['/admin/user-list?limit=25', /All Users/],
    'admin-new-users': ['/admin/new-user', /New Users/],
    'admin-add-user': ['/admin/add-user', /Create/],
    'admin-edit-user': [userTab(userId), /Subscription Information/],
    'admin-user-timeline': [userTab(userId, 'timeline'), /At a glance/],
    'admin-user-credits': [userTab(userId, 'credits'), /Latest \d/],
    'admin-user-payments': [userTab(userId, 'payments'), /Collected/],
    'admin-user-security': [userTab(userId, 'security'), /Recent sign-ins/],
    'admin-user-notes': [userTab(userId, 'notes'), /no notes about/],
    'admin-user-changes': [userTab(userId, 'changes'), /Audit log/],
    'admin-view-as': [`/admin/view-as${of(userId)}`, /Your reason is kept/],
    'admin-user-details': [`/admin/user-details${of(userId)}`, /Join Date/],
    'admin-subscription': [`/admin/subscription-management${of(userId)}`, /Manage Subscription/],
    'admin-edit-subscription': ['/admin/edit-subscription', /Edit Subscription/],
    'admin-campaign': ['/admin/campaign-details', /sample data/],
    'admin-payments': ['/admin/payments', /./],
    'admin-audit': ['/admin/audit', /\d\d-\d\d \d\d:\d\d/],
    'admin-security': ['/admin/security', /Authenticator app/],
    'admin-system': ['/admin/system', /Payment settings/],
    'admin-reports': ['/admin/reports', /Started in/],
    'admin-report-entries': ['/admin/reports/entries?kind=new', /New MRR/],
  }),
];

/** What a user reads of used up credits differs in these alone. */
const WITH_CREDITS = ['free', 'active', 'ending', 'renewing', 'paused_paid'];

/** Every state of the subscription, with used up credits, on the screens that depend on it. */
const SUBSCRIPTIONS = Object.entries(VIEWS).flatMap(([state, overrides]): State[] => {
  const view = subscriptionView({ customerId: 'cus_1', ...overrides });
  const { checkUser: checked } = view.plan === 'premium' ? PREMIUM : FREE;
  const checkUser = view.problem === null ? checked : { ...checked, subscription: view };
  const replies = { checkUser, subscription: { data: view }, credits: usedUpCredits(view.plan) };
  return as(view.plan, {
    [`home-${state}`]: ['/', /Your tools/, replies],
    [`payments-${state}`]: ['/payments', /Subscription Status/, replies],
    ...(WITH_CREDITS.includes(state) && { [`credits-${state}`]: ['/credits', /used/, replies] }),
  });
});

const WEBHOOK_PATH = `/connections/webhook?id=${webhook(1).id}`;

const stoppedWebhook = (stop: 'user' | 'failing' | 'gone' | 'taken_back' | 'support'): Row => [
  WEBHOOK_PATH,
  /Turn on/,
  { webhooks: { data: [webhook(1, { stop })] }, webhookDeliveries: EMPTY_PAGE },
];

/** Of the account, its credits, payments, tools and webhooks. */
const ACCOUNTS = [
  ...as('anonymous', {
    // The link that takes an account back, before it is used.
    'undo-email-open': [
      `/undo-email-change#token=${'A'.repeat(43)}`,
      /Undo the change of your email/,
      {
        checkEmailUndo: {
          data: { email: LONG_NAME.email, isConfirmed: true, access: ACCESS.data, deletion: true },
        },
      },
    ],
  }),
  ...as('premium', {
    // The portal of a customer opens at Stripe: what is left of it here is the way there, and who has no customer.
    'portal-granted': [
      '/subscription',
      /not have a card/,
      {
        checkUser: { ...CHECKED, user: premiumUser({ stripe_customer_id: null }) },
        subscription: { data: subscriptionView(VIEWS.granted) },
      },
    ],
    'payments-invoices': ['/payments', /refunded/, { ...PREMIUM, invoices: { data: fixtures.INVOICES } }],
    'payments-year': ['/payments', /yearly subscription/, YEARLY],
    'payments-changing': ['/payments', /Changes to/, CHANGING],
    'payments-trial': ['/payments', /free trial lasts/, TRIAL],
    'payments-returned': [
      '/payments?from=portal',
      /could not load your changes/,
      { ...PREMIUM, refreshPlan: UNAVAILABLE },
    ],
    'portal-loading': ['/subscription', /Billing/, { ...PREMIUM, billingPortal: 'pending' }, BUSY],
    'portal-failed': [
      '/subscription',
      /could not be opened/,
      { ...PREMIUM, billingPortal: { failsWith: 'billing.portal_not_configured' } },
    ],
    leaving: [
      '/',
      /will be deleted/,
      { checkUser: { ...CHECKED, user: premiumUser(), deletionDueAt: '2026-12-20T09:41:00.000Z' } },
      ALONE,
    ],
    'credits-buckets': [
      '/credits',
      /Used in this order/,
      { ...PREMIUM, credits: fixtures.CREDITS_IN_BUCKETS },
    ],
    'credits-tools': ['/credits?period=90', /Usage by app|Automation bot/, fixtures.CREDITS_OF_TOOLS],
    'credits-days': [
      '/credits?period=days&first=2026-11-01&last=2026-11-14',
      /Usage by app|Automation bot/,
      fixtures.CREDITS_OF_TOOLS,
    ],
  }),
  ...['/', '/profile', '/payments', '/credits', '/security', '/connections'].flatMap((path) =>
    as('viewed', { [`viewed${path.replaceAll('/', '-')}`]: [path, /./, {}] }),
  ),
  ...as('free', {
    'pack-added': [
      '/credits/pack?xsl=cs_1',
      /250 credits added/,
      { ...FREE, confirmPack: { data: fixtures.PACK } },
    ],
    'pack-confirming': [
      '/credits/pack?xsl=cs_2',
      /payment is processing/,
      { ...FREE, confirmPack: 'pending' },
      BUSY,
    ],
    'pack-not-paid': [
      '/credits/pack?xsl=cs_3',
      /could not be confirmed/,
      { ...FREE, confirmPack: { failsWith: 'billing.not_paid' } },
    ],
    'payments-trial-offer': [
      '/payments',
      /14 days free/,
      { ...FREE, subscription: { data: subscriptionView({ trialDays: 14 }) } },
    ],
    'payments-trial-refused': [
      '/payments',
      /did not start/,
      { ...FREE, subscription: { data: subscriptionView({ isTrialRefused: true }) } },
    ],
    'trial-started': [
      '/payments/success?xsl=cs_1',
      /trial has started/,
      { ...TRIAL, confirmPayment: { message: 'paid', data: premiumUser() } },
    ],
    'trial-refused': [
      '/payments/success?xsl=cs_2',
      /did not start/,
      { ...FREE, confirmPayment: { failsWith: 'billing.trial_refused' } },
    ],
    'history-empty': [
      '/credits',
      /not used any/,
      { ...FREE, creditsUsage: { data: [] }, creditsHistory: EMPTY_PAGE },
    ],
    'history-no-match': [
      '/credits?tool=browser&reason=expired&from=2026-11-01',
      /No entries match/,
      { ...FREE, creditsHistory: EMPTY_PAGE },
    ],
    'sign-ins-empty': ['/security', /no sign-ins yet/, { listSignIns: { data: [] } }],
    'connections-empty': [
      '/connections',
      /No keys yet/,
      { listApiKeys: { data: [] }, listConnections: { data: [] } },
    ],
    'connect-device': [
      '/connect?user_code=WDJB-MJHT',
      /Does the app show this code/,
      { findConnectionRequest: { data: connectionRequest() } },
      ALONE,
    ],
    'connect-unverified': [
      '/connect?request=x',
      /We do not know who makes this app/,
      { findConnectionRequest: { data: fixtures.UNVERIFIED_REQUEST } },
      ALONE,
    ],
    'connections-webhooks': ['/connections', /hooks2/, { webhooks: fixtures.WEBHOOKS }],
    webhook: [
      WEBHOOK_PATH,
      /The latest 4 messages/,
      {
        webhooks: { data: [webhook(1, { previousSecretUntil: '2026-12-01T09:00:00.000Z' })] },
        webhookDeliveries: fixtures.DELIVERIES,
      },
    ],
    'webhook-user': stoppedWebhook('user'),
    'webhook-failing': stoppedWebhook('failing'),
    'webhook-gone': stoppedWebhook('gone'),
    'webhook-taken_back': stoppedWebhook('taken_back'),
    'webhook-support': stoppedWebhook('support'),
    'webhook-empty': [
      WEBHOOK_PATH,
      /No messages yet/,
      { webhooks: fixtures.WEBHOOKS, webhookDeliveries: EMPTY_PAGE },
    ],
  }),
];

const otherUser = (tab?: string) => userTab(userView().id, tab);
const OTHER_STATUS = accountStatusOf(userView());
const OTHER_USER = {
  userProfile: { data: profileOf(userView()) },
  userDeletion: { data: null },
  accountStatus: { data: OTHER_STATUS },
  userAccess: ACCESS,
} satisfies Replies;

/** Lists that are empty or have long names, and users in trouble, as an admin sees them. */
const ADMINISTRATION = as('admin', {
  'system-in-trouble': ['/admin/system', /has not responded since/, fixtures.SYSTEM_IN_TROUBLE],
  'system-unknown': ['/admin/system', /Stripe webhooks could not be read/, fixtures.SYSTEM_UNKNOWN],
  'edit-user-suppressed': [
    otherUser(),
    /bounced on/,
    {
      ...OTHER_USER,
      accountStatus: { data: accountStatusOf(userView(), { suppression: fixtures.SUPPRESSION }) },
    },
  ],
  'edit-user-in-trial': [
    otherUser(),
    /Trial until/,
    {
      ...OTHER_USER,
      accountStatus: { data: accountStatusOf(premiumUser(), { subscription: TRIAL.subscription.data }) },
    },
  ],
  'edit-user-without-billing': [
    otherUser(),
    /cannot show or change the subscription/,
    { ...OTHER_USER, accountStatus: { data: { ...OTHER_STATUS, plan: null } } },
  ],
  'edit-user-without-identity': [
    otherUser(),
    /cannot check right now/,
    { ...OTHER_USER, accountStatus: { data: { ...OTHER_STATUS, access: null } } },
  ],
  'user-timeline-entries': [
    otherUser('timeline'),
    /5 credits used/,
    {
      ...OTHER_USER,
      ...fixtures.GLANCE,
      timeline: { data: fixtures.PAGE_OF_TIMELINE, next: '1.x', missing: [] },
    },
  ],
  'user-timeline-empty': [
    otherUser('timeline'),
    /Nothing has happened/,
    {
      ...OTHER_USER,
      ...fixtures.NO_GLANCE,
      timeline: { ...EMPTY_PAGE, missing: [] },
    },
  ],
  'user-timeline-no-match': [
    `${otherUser('timeline')}&kind=emails`,
    /nothing of this kind/,
    {
      ...OTHER_USER,
      ...fixtures.GLANCE,
      timeline: { ...EMPTY_PAGE, missing: [] },
    },
  ],
  'user-timeline-missing': [
    otherUser('timeline'),
    /Missing: the account/,
    {
      ...OTHER_USER,
      userBuckets: UNAVAILABLE,
      listUserDevices: UNAVAILABLE,
      userNotes: UNAVAILABLE,
      timeline: {
        data: TIMELINE.slice(0, 3),
        next: null,
        missing: ['identity', 'profile', 'billing', 'credits', 'worker'],
      },
    },
  ],
  'user-credits-buckets': [
    otherUser('credits'),
    /Granted by an admin/,
    { ...OTHER_USER, userBuckets: fixtures.USER_BUCKETS, userCreditsHistory: fixtures.HISTORY },
  ],
  'user-credits-empty': [
    otherUser('credits'),
    /has not used any credits/,
    { ...OTHER_USER, userBuckets: fixtures.USER_BUCKETS, userCreditsHistory: EMPTY_PAGE },
  ],
  'user-payments-rows': [
    otherUser('payments'),
    /Answer by/,
    {
      ...OTHER_USER,
      ...fixtures.PAYMENTS,
      paymentTotals: { data: fixtures.PAYMENTS.paymentTotals.data.slice(0, 1) },
    },
  ],
  'user-payments-empty': [
    otherUser('payments'),
    /no payments yet/,
    { ...OTHER_USER, payments: EMPTY_PAGE, paymentTotals: { data: [] } },
  ],
  'user-security-sessions': [
    otherUser('security'),
    /Safari on iPhone/,
    {
      ...OTHER_USER,
      userFactors: FACTORS_ON,
      listUserDevices: fixtures.USER_DEVICES,
      listUserSignIns: { data: [] },
    },
  ],
  'user-notes-long': [otherUser('notes'), /VAT number/, { ...OTHER_USER, userNotes: fixtures.USER_NOTES }],
  'users-empty': ['/admin/user-list', /no user/, { listUsers: NO_ROWS }],
  'users-saved-filters': [
    '/admin/user-list?plan=free',
    /All Users/,
    { listUsers: ROWS, savedFilters: fixtures.SAVED_FILTERS },
  ],
  'users-no-match': ['/admin/user-list?search=nobody', /No users match/, { listUsers: NO_ROWS }],
  'new-users-empty': ['/admin/new-user', /no user/, { newestUsers: { data: [] } }],
  'dashboard-empty': ['/admin/', /no user/, { newestUsers: { data: [] } }],
  'payments-rows': ['/admin/payments', /Answer by/, fixtures.PAYMENTS],
  'admin-payments-empty': [
    '/admin/payments',
    /no payments yet/,
    { payments: EMPTY_PAGE, paymentTotals: { data: [] } },
  ],
  'admin-payments-no-match': [
    '/admin/payments?state=void',
    /No payments match/,
    { payments: EMPTY_PAGE, paymentTotals: { data: [] } },
  ],
  'admin-payment': ['/admin/payment?id=in_1', /Timeline/, fixtures.PAYMENT],
  'admin-payment-past-due': ['/admin/payment?id=in_2', /Timeline/, fixtures.PAST_DUE],
  'admin-payment-missing': [
    '/admin/payment?id=in_3',
    /not found/,
    { payment: { failsWith: 'billing.invoice_not_found' } },
  ],
  reports: ['/admin/reports?figures=all', /LTV/, fixtures.REPORTS],
  'reports-no-comparison': ['/admin/reports?compare=none', /\$6,077/, fixtures.NOT_COMPARED],
  'reports-unequal': [
    '/admin/reports?period=custom&from=2026-03-01&to=2026-03-31',
    /which has 28 days, not 31/,
    fixtures.UNEQUAL,
  ],
  'reports-currencies': ['/admin/reports?currency=eur&figures=all', /€123,456.78/, fixtures.CURRENCIES],
  'reports-empty': ['/admin/reports?figures=all', /no subscribers yet/, fixtures.NO_REVENUE],
  'report-entries': [
    '/admin/reports/entries?kind=refund&from=2026-11-01&to=2026-11-21',
    /Open the payment/,
    fixtures.ENTRIES,
  ],
  'report-subscribers': ['/admin/reports/entries?kind=subscribers', /pay now/, fixtures.SUBSCRIBERS],
  'report-entries-empty': [
    '/admin/reports/entries?kind=new',
    /nothing in this period/,
    { revenueEntries: EMPTY_PAGE },
  ],
  'audit-empty': ['/admin/audit', /Nothing has been recorded/, { audit: EMPTY_PAGE }],
  'team-long-names': ['/admin/team', /What each role can do/, { team: fixtures.TEAM }],
  'all-tools-long-names': ['/admin/tools', /Address exporter/, { tools: fixtures.REGISTERED_TOOLS }],
  'jobs-of-each-state': ['/admin/jobs', /Canceled: 483,349/, { bulkJobs: fixtures.JOBS }],
  'job-running': [`/admin/jobs?job=${fixtures.RUNNING_JOB.id}`, /Pause/, fixtures.JOB_RUNNING],
  'job-with-results': [`/admin/jobs?job=${fixtures.ENDED_JOB.id}`, /Already has Premium/, fixtures.JOB_ENDED],
  'notices-long': ['/admin/notices', /On Sunday/, { notices: fixtures.NOTICES }],
  'all-tools-empty': ['/admin/tools', /No apps have been registered/, { tools: { data: [] } }],
});

type Read = readonly [
  path: string,
  as: Role,
  reads: EndpointName,
  failed?: RegExp | undefined,
  others?: Replies,
];

/** The main read of each screen, and what the screen says when it fails. */
const READS: Record<string, Read> = {
  session: ['/', 'free', 'checkUser', /Try again/],
  'admin-session': ['/admin/', 'admin', 'checkAdmin', /Try again/],
  payments: ['/payments', 'free', 'subscription', /./],
  home: ['/', 'premium', 'subscription', /Your tools/],
  credits: ['/credits', 'free', 'credits'],
  history: ['/credits', 'free', 'creditsHistory'],
  usage: ['/credits', 'free', 'creditsUsage'],
  'news-setting': ['/profile', 'free', 'newsMails', /Your email setting could not/],
  devices: ['/security', 'free', 'listDevices'],
  'sign-ins': ['/security', 'free', 'listSignIns'],
  factors: ['/security', 'free', 'factors'],
  keys: ['/connections', 'free', 'listApiKeys'],
  webhooks: ['/connections', 'free', 'webhooks'],
  'webhook-page': [WEBHOOK_PATH, 'free', 'webhooks'],
  tools: ['/connections', 'free', 'listConnections', /Your apps could not/],
  privacy: ['/privacy', 'free', 'dataExport'],
  users: ['/admin/user-list', 'admin', 'listUsers'],
  'new-users': ['/admin/new-user', 'admin', 'newestUsers'],
  earnings: ['/admin/', 'admin', 'earnings'],
  audit: ['/admin/audit', 'admin', 'audit'],
  'admin-payments': ['/admin/payments', 'admin', 'payments'],
  'admin-payment': ['/admin/payment?id=in_1', 'admin', 'payment'],
  reports: ['/admin/reports', 'admin', 'revenue'],
  movements: ['/admin/reports', 'admin', 'revenuePeriods'],
  retention: ['/admin/reports', 'admin', 'retention'],
  'report-entries': ['/admin/reports/entries?kind=new', 'admin', 'revenueEntries'],
  'report-subscribers': ['/admin/reports/entries?kind=subscribers', 'admin', 'revenueSubscribers'],
  team: ['/admin/team', 'admin', 'team'],
  jobs: ['/admin/jobs', 'admin', 'bulkJobs'],
  job: [`/admin/jobs?job=${fixtures.ENDED_JOB.id}`, 'admin', 'bulkJob'],
  'all-tools': ['/admin/tools', 'admin', 'tools'],
  notices: ['/admin/notices', 'admin', 'notices'],
  emails: ['/admin/emails', 'admin', 'exampleMails'],
  email: ['/admin/emails?name=welcome', 'admin', 'exampleMail'],
  system: ['/admin/system', 'admin', 'system'],
  'system-status': ['/admin/system', 'admin', 'systemStatus'],
  'stripe-events': ['/admin/system', 'admin', 'stripeEvents'],
  'dead-letters': ['/admin/system', 'admin', 'deadLetters'],
  'failed-jobs': ['/admin/system', 'admin', 'failedJobs'],
  'edit-user': [otherUser(), 'admin', 'userProfile'],
  'user-timeline': [otherUser('timeline'), 'admin', 'timeline', undefined, OTHER_USER],
  'user-buckets': [otherUser('credits'), 'admin', 'userBuckets', undefined, OTHER_USER],
  'user-ledger': [
    otherUser('credits'),
    'admin',
    'userCreditsHistory',
    undefined,
    { ...OTHER_USER, userBuckets: fixtures.USER_BUCKETS },
  ],
  'user-payments': [otherUser('payments'), 'admin', 'payments', undefined, OTHER_USER],
  'user-sessions': [otherUser('security'), 'admin', 'listUserDevices', undefined, OTHER_USER],
  'user-notes': [otherUser('notes'), 'admin', 'userNotes', undefined, OTHER_USER],
  'user-changes': [otherUser('changes'), 'admin', 'audit', undefined, OTHER_USER],
};

const READ_STATES = Object.entries(READS).flatMap(
  ([name, [path, role, reads, failed = /could not be loaded/, others]]) =>
    as(role, {
      [`${name}-failed`]: [path, failed, { ...others, [reads]: UNAVAILABLE }],
      [`${name}-loading`]: [path, /./, { ...others, [reads]: 'pending' }, BUSY],
    }),
);

const unconfirmed = (bar: string, suppression: OwnEmail['suppression']): Row => {
  const confirmBy = '2026-12-03T09:41:00.000Z';
  const email = ownEmail({ isVerified: false, pendingEmail: bar, confirmBy, suppression });
  return ['/', /Your tools/, { email: { data: email } }, { bar }];
};

/** The browser remembers the address and the notices: after all other states of its user. */
const ADDRESSES = as('premium', {
  'security-email-change': [
    '/security',
    /Code from the email/,
    { email: { data: ownEmail({ pendingEmail: LONG_NAME.email }) } },
  ],
  'home-notice': ['/', /Your tools/, { currentNotices: fixtures.CURRENT_NOTICE }, { bar: 'On Sunday' }],
  'home-unconfirmed-change': unconfirmed('amara.okafor.new@talentfield.io', null),
  'home-suppressed': unconfirmed(LONG_NAME.email, { email: LONG_NAME.email, kind: 'bounced' }),
});

type Opened = Omit<Opening, 'component'>;

const dialog = (button: string | RegExp, ...steps: Step[]): Opened => ({
  layer: 'dialog',
  opener: { button },
  steps,
});

/** A page with what opens on it: its component, how it is opened, and the replies beside those of the page. */
const opening = (
  role: Role,
  [path, ready, replies]: Row,
  rows: Record<string, readonly [component: string, opened: Opened, replies?: Replies]>,
): State[] =>
  Object.entries(rows).map(([name, [component, opened, more]]) => ({
    name: `opened-${name}`,
    path,
    as: role,
    ready,
    replies: { ...replies, ...more },
    opens: { component, ...opened },
  }));

const PALETTE = 'app/shell/command-palette.tsx CommandPalette';
const SEARCH = /^Search pages and actions/;
const DRAWER = ['app/shell/shell.tsx Overlays', { ...dialog('Menu'), layer: 'drawer' }] as const;
const SETTINGS = [
  'features/layout/settings-panel.tsx SettingsPanel',
  { ...dialog('Settings'), layer: 'settings' },
] as const;
const accountMenu: Opened = { ...dialog(/Account menu/), layer: 'menu' };
const LONG_USER = { checkUser: { ...CHECKED, user: premiumUser(LONG_NAME) } };
const DELETE_ACCOUNT = [
  'features/privacy/delete-panel.tsx DeleteDialog',
  dialog('Delete my account'),
] as const;

/** Until a user has proved again who they are. */
const unproven = (reauthentication: NonNullable<Replies['reauthentication']>): Replies => ({
  startTotp: { failsWith: 'session.reauthentication_required' },
  reauthentication,
});
const BY_PASSWORD = unproven({ data: { methods: ['password'], passkey: null } });
const BY_FACTORS = unproven({
  data: { methods: ['totp', 'recovery', 'passkey'], passkey: { challenge: 'x' } },
});
const proof = (see: string) =>
  ['features/session/step-up-dialog.tsx StepUpDialog', dialog('Set up', ['see', see])] as const;
const CHANGE_PASSWORD = [
  'features/security/change-password.tsx ChangePassword',
  dialog('Change password'),
] as const;

const SECRET = {
  startTotp: { data: { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', email: LONG_NAME.email } },
};
const NEW_KEY = { data: fixtures.KEY, key: 'sl_test_0123456789abcdefABCDEFGHIJKLMNOPQRSTUVWXYZ01234567' };
const COPY: Step[] = [
  ['click', 'Copy'],
  ['see', 'Copied'],
];

const choices = (field: string, ...steps: Step[]) =>
  [
    'features/account/account-form.tsx ComboboxInput',
    { layer: 'choices', opener: { field }, steps },
  ] as const;

/** What opens over the pages of a user. */
const OPENED = [
  ...opening('premium', ['/', /Your tools/], {
    'account-menu': ['app/shell/top-bar.tsx UserMenu', accountMenu, LONG_USER],
    drawer: DRAWER,
    settings: SETTINGS,
    palette: [PALETTE, dialog(SEARCH)],
    'palette-none': [
      PALETTE,
      { ...dialog(SEARCH, ['fill', 'Type a page or an action', 'no page of this name']), key: 'Control+k' },
    ],
    keys: ['app/shell/command-palette.tsx KeyList', { ...dialog(SEARCH), key: '?' }],
  }),
  ...opening('premium', ['/privacy', /Prepare download/, LONG_USER], { 'delete-account': DELETE_ACCOUNT }),
  ...opening('free', ['/privacy', /Prepare download/, FREE], { 'delete-account-free': DELETE_ACCOUNT }),
  ...opening('premium', ['/payments', /paid for and active/, PREMIUM], {
    'cancel-subscription': [
      'features/billing/change-renewal.tsx RenewalDialog',
      dialog('Cancel subscription'),
    ],
  }),
  ...opening('premium', ['/payments', /paid for and active/, MONTHLY], {
    'pay-yearly': [
      'features/billing/change-interval.tsx IntervalDialog',
      dialog('Pay yearly', ['see', 'Pay $552.63']),
      { previewInterval: { data: YEAR_PREVIEW } },
    ],
    'pay-yearly-loading': [
      'features/billing/change-interval.tsx IntervalDialog',
      dialog('Pay yearly'),
      { previewInterval: 'pending' },
    ],
    'pay-yearly-refused': [
      'features/billing/change-interval.tsx IntervalDialog',
      dialog('Pay yearly', ['see', 'Try again']),
      { previewInterval: { failsWith: 'billing.change_refused' } },
    ],
    'pay-yearly-unpaid': [
      'features/billing/change-interval.tsx IntervalDialog',
      dialog('Pay yearly', ['click', 'Pay $552.63'], ['see', 'Change card']),
      { previewInterval: { data: YEAR_PREVIEW }, changeInterval: { failsWith: 'billing.change_unpaid' } },
    ],
  }),
  ...opening('premium', ['/payments', /yearly subscription/, YEARLY], {
    'pay-monthly': [
      'features/billing/change-interval.tsx IntervalDialog',
      dialog('Pay monthly', ['see', 'Pay monthly from Nov 20, 2027']),
      {
        previewInterval: {
          data: {
            ...YEAR_PREVIEW,
            interval: 'month',
            amount: 0,
            credit: 0,
            price: 5_900,
            startsAt: YEAR_END,
          },
        },
      },
    ],
  }),
  ...opening('premium', ['/payments', /free trial lasts/, TRIAL], {
    'cancel-trial': ['features/billing/change-renewal.tsx RenewalDialog', dialog('Cancel subscription')],
  }),
  ...opening('premium', ['/payments', /Changes to/, CHANGING], {
    'keep-yearly': ['features/billing/change-interval.tsx KeepDialog', dialog('Keep paying yearly')],
  }),
  ...opening('premium', ['/payments', /is canceled/, ENDING], {
    'resume-subscription': [
      'features/billing/change-renewal.tsx RenewalDialog',
      dialog('Resume subscription'),
    ],
  }),
  ...opening('premium', ['/security', /Authenticator app/], {
    'change-password': CHANGE_PASSWORD,
    'change-email': [
      'features/security/email-lines.tsx ChangeForm',
      dialog('Change email'),
      { factors: { data: { ...FACTORS_ON.data, totpSince: null } } },
    ],
    'sign-out-others': [
      'features/security/devices-panel.tsx EndOthersDialog',
      dialog('Sign out all others'),
      { listDevices: fixtures.DEVICES, access: ACCESS },
    ],
    'set-up-two-step': ['features/security/set-up-dialog.tsx SetUpDialog', dialog('Set up'), SECRET],
    'recovery-codes': [
      'features/security/two-step-panel.tsx CodesDialog',
      {
        ...dialog(
          'Set up',
          ['fill', 'The code it shows', '123456'],
          ['click', 'Continue'],
          ['see', 'Save your recovery codes'],
        ),
        beforeClose: [['check', 'I saved these codes']],
      },
      { ...SECRET, confirmTotp: { data: { recoveryCodes: fixtures.RECOVERY_CODES } } },
    ],
    'proof-password': [...proof('Password'), BY_PASSWORD],
    'proof-factors': [...proof('Use a recovery code'), BY_FACTORS],
    'proof-failed': [...proof('Try again'), unproven(UNAVAILABLE)],
  }),
  ...opening('premium', ['/security', /Authenticator app/, { factors: FACTORS_ON }], {
    'turn-off-two-step': ['features/security/two-step-panel.tsx TurnOff', dialog('Turn off')],
    'new-codes': ['features/security/two-step-panel.tsx NewCodes', dialog('New codes')],
    'rename-passkey': ['features/security/passkey-lines.tsx RenameDialog', dialog(/^Rename /)],
    'remove-passkey': ['features/security/passkey-lines.tsx RemoveDialog', dialog(/^Remove /)],
  }),
  ...opening('premium', ['/connections', /API reference/, { listApiKeys: { data: [fixtures.KEY] } }], {
    'create-key': [
      'features/connections/create-key.tsx KeyForm',
      dialog('Create key', ['click', 'Create key']),
    ],
    'new-key': [
      'features/connections/create-key.tsx CreateKey',
      {
        ...dialog(
          'Create key',
          ['fill', 'Name', 'Weekly report'],
          ['click', 'Create key'],
          ['see', 'Copy your key now'],
        ),
        beforeClose: COPY,
      },
      { createApiKey: NEW_KEY },
    ],
    'delete-key': ['features/connections/keys-panel.tsx DeleteDialog', dialog(/^Delete The weekly/)],
    'add-webhook': [
      'features/webhooks/webhook-form.tsx WebhookForm',
      dialog('Add webhook', ['click', 'Add webhook']),
      { webhooks: { data: [webhook(1)] } },
    ],
  }),
  ...opening('premium', [WEBHOOK_PATH, /Send test event/, fixtures.ONE_WEBHOOK], {
    'new-secret': [
      'features/webhooks/webhook-form.tsx NewSecret',
      {
        ...dialog('New secret', ['click', 'New secret'], ['see', 'Copy the secret now']),
        beforeClose: COPY,
      },
    ],
    'renew-secret': ['features/webhooks/webhook-details.tsx RenewSecret', dialog('New secret')],
    delivery: ['features/webhooks/delivery-log.tsx DeliveryLine', { layer: 'details', opener: 'summary' }],
    'delete-webhook': ['features/webhooks/webhook-details.tsx DeleteDialog', dialog('Delete')],
  }),
  ...opening('anonymous', ['/register', /Sign Up/], {
    countries: choices('Country'),
    'countries-none': choices('Country', ['fill', 'Country', 'Atlantis']),
    'countries-long-names': choices('Country', ['fill', 'Country', 'islands']),
    industries: choices('Primary recruiting industry'),
  }),
  ...opening('premium', ['/profile', /User Profile/], { 'countries-profile': choices('Country') }),
];

const BULK = 'features/directory/bulk-dialog.tsx BulkDialog';
const ofSelected = (button: string): Opened => ({
  ...dialog(button),
  selects: 'Select all users on this page',
});
const MEMBER = 'features/admin-team/members.tsx Actions';
const ALERT = 'features/system/alerts-panel.tsx AlertDialog';
const UNSUBSCRIBE = ['features/users/plan-actions.tsx UnsubscribeDialog', dialog('Unsubscribe')] as const;
const searchFor = (text: string, result: string | RegExp): Opened =>
  dialog(SEARCH, ['fill', /^Page, action/, text], ['see', result]);

const ofUser = (user: UserView): Replies => ({
  userProfile: { data: profileOf(user) },
  getUser: { data: user },
  accountStatus: { data: accountStatusOf(user) },
});

/** What opens over the pages of an admin; `userId` is a user with a plan that renews. */
const openedByAdmins = (userId: string): State[] => {
  const user = premiumUser({ ...LONG_NAME, id: userId });
  const granted = { ...user, subscription: subscriptionOf('granted') };
  const ending = premiumSubscription({ ...VIEWS.ending, canResume: true });
  const free = userView({ ...LONG_NAME, id: userId });
  const withProblem = accountStatusOf(free, { subscription: subscriptionView(VIEWS.processing_free) });
  return [
    ...opening('admin', ['/admin/', /You are the Admin/], {
      'admin-menu': ['app/shell/top-bar.tsx AdminMenu', accountMenu],
      'admin-drawer': DRAWER,
      'admin-settings': SETTINGS,
      'admin-palette': [PALETTE, dialog(SEARCH)],
      'admin-palette-users': [
        PALETTE,
        searchFor('ma', 'Maximiliane-Charlotte von Hohenzollern-Sigmaringen'),
        { listUsers: ROWS },
      ],
      'admin-palette-none': [PALETTE, searchFor('no user of this name', 'No results')],
      'admin-palette-failed': [
        PALETTE,
        searchFor('no user of this name', 'We cannot search users right now'),
        { listUsers: UNAVAILABLE },
      ],
    }),
    ...opening('admin', ['/admin/team', /What each role can do/, { team: fixtures.TEAM }], {
      invite: ['features/admin-team/invitations.tsx InviteDialog', dialog('Invite admin')],
      withdraw: ['features/admin-team/invitations.tsx Withdraw', dialog(/^Withdraw the invitation/)],
      role: [
        'features/admin-team/members.tsx RoleSelect',
        { layer: 'dialog', opener: { field: /^Role of/ }, option: 'Finance' },
      ],
      'end-admin-sessions': [MEMBER, dialog(/^End the sessions of/)],
      'remove-admin-factor': [MEMBER, dialog(/^Remove the second factor of/)],
      suspend: [MEMBER, dialog(/^Suspend /)],
      restore: [MEMBER, dialog(/^Restore /)],
      'remove-admin': [MEMBER, dialog(/^Remove [^ ]+@/)],
    }),
    ...opening('admin', ['/admin/tools', /Address exporter/, { tools: fixtures.REGISTERED_TOOLS }], {
      'disable-tool': [
        'features/connections/registered-tools.tsx DisableDialog',
        dialog(/^Disable The contact/),
      ],
    }),
    ...opening('admin', ['/admin/notices', /On Sunday/, { notices: fixtures.NOTICES }], {
      'new-notice': ['features/notices/notice-form.tsx NoticeForm', dialog('New notice')],
      'change-notice': ['features/notices/notice-form.tsx NoticeForm', dialog(/^Change the notice: On/)],
      'end-notice': ['features/notices/notice-list.tsx EndNotice', dialog(/^End the notice: On/)],
    }),
    ...opening('admin', ['/admin/system', /Payment settings/, { system: fixtures.SYSTEM }], {
      resolve: [ALERT, dialog(/^Mark as resolved/)],
      reopen: [ALERT, dialog(/^Reopen/)],
    }),
    ...opening('admin', ['/admin/system', /Failed events/, fixtures.SYSTEM_WITH_DEAD_LETTERS], {
      'dead-letter': ['features/system/dead-letters.tsx LetterLine', { layer: 'details', opener: 'summary' }],
      'discard-dead-letter': [
        'features/system/dead-letters.tsx DiscardDialog',
        { ...dialog(/^Discard /), inside: 'summary' },
      ],
    }),
    ...opening('admin', ['/admin/system', /Stripe webhooks/, fixtures.SYSTEM_WITH_WEBHOOKS], {
      'stripe-event': [
        'features/system/stripe-events.tsx EventLine',
        { layer: 'details', opener: 'summary' },
      ],
      'replay-webhooks': ['features/system/stripe-events.tsx ReplayAllDialog', dialog('Replay 3 failed')],
    }),
    ...opening('admin', ['/admin/user-list', /All Users/, { listUsers: ROWS }], {
      'delete-user': ['features/directory/user-table.tsx DeleteDialog', dialog(/^Delete /)],
      'grant-many': [BULK, ofSelected('Grant Premium')],
      'end-premium-of-many': [BULK, ofSelected('End Premium')],
      'sign-out-many': [BULK, ofSelected('Sign out')],
      'message-to-many': [BULK, ofSelected('Send email')],
      'delete-many': [BULK, ofSelected('Delete')],
    }),
    ...opening('admin', ['/admin/user-list?plan=premium', /All Users/, { listUsers: ROWS }], {
      'save-filters': ['features/directory/saved-filters.tsx SaveDialog', dialog('Save filters')],
    }),
    ...opening('admin', [`/admin/jobs?job=${fixtures.ENDED_JOB.id}`, /Undo/, fixtures.JOB_ENDED], {
      'undo-job': ['features/jobs/job-details.tsx UndoDialog', dialog('Undo')],
    }),
    ...opening('admin', ['/admin/security', /Authenticator app/], {
      'admin-password': CHANGE_PASSWORD,
      'admin-proof': [...proof('Password'), BY_PASSWORD],
    }),
    ...opening('admin', ['/admin/payment?id=in_1', /Timeline/, fixtures.PAYMENT], {
      refund: ['features/payments/refund-dialog.tsx RefundDialog', dialog('Refund')],
      'refund-part': [
        'features/payments/refund-dialog.tsx RefundDialog',
        dialog('Refund', ['check', /^A part/]),
      ],
      receipt: ['features/payments/payment-actions.tsx ReceiptDialog', dialog('Send receipt')],
      'dispute-note': ['features/payments/disputes-panel.tsx NoteDialog', dialog('Add note')],
    }),
    ...opening('admin', ['/admin/payment?id=in_2', /Timeline/, fixtures.PAST_DUE], {
      retry: ['features/payments/payment-actions.tsx RetryDialog', dialog('Try again')],
    }),
    ...opening('admin', ['/admin/audit', /\d\d-\d\d \d\d:\d\d/], {
      'audit-entry': [
        'features/audit/audit-entry.tsx AuditEntryLine',
        { layer: 'details', opener: 'summary' },
      ],
    }),
    ...opening('admin', [userTab(userId), /Subscription Information/], {
      unsubscribe: [...UNSUBSCRIBE, ofUser(user)],
      'unsubscribe-granted': [...UNSUBSCRIBE, ofUser(granted)],
      grant: [
        'features/users/plan-actions.tsx GrantDialog',
        dialog('Make Him A Premium User'),
        { ...ofUser(free), accountStatus: { data: withProblem } },
      ],
      resume: [
        'features/users/plan-actions.tsx ResumeDialog',
        dialog('Resume'),
        { ...ofUser(user), accountStatus: { data: accountStatusOf(user, { subscription: ending }) } },
      ],
      'admin-palette-user': [PALETTE, dialog(SEARCH, ['see', 'This user']), { getUser: { data: user } }],
    }),
    ...opening('admin', [userTab(userId, 'timeline'), /At a glance/], {
      charges: [
        'features/users/timeline.tsx Charges',
        { layer: 'details', opener: 'summary' },
        { timeline: { data: TIMELINE, next: null, missing: [] } },
      ],
    }),
    ...opening('admin', [userTab(userId, 'notes'), /VAT number/, { userNotes: fixtures.USER_NOTES }], {
      'delete-note': ['features/users/user-notes.tsx DeleteNoteDialog', dialog(/^Delete the note of/)],
    }),
    ...opening('admin', [userTab(userId, 'credits'), /Granted by an admin/], {
      'grant-credits': [
        'features/users/user-credits.tsx GrantCreditsDialog',
        dialog('Grant credits'),
        { userBuckets: fixtures.USER_BUCKETS },
      ],
      'take-back': [
        'features/users/user-credits.tsx RevokeCreditsDialog',
        dialog('Take back'),
        { userBuckets: fixtures.USER_BUCKETS },
      ],
    }),
    ...opening('admin', [userTab(userId, 'security'), /Recent sign-ins/], {
      'end-session': [
        'features/users/user-security.tsx EndSessionDialog',
        dialog('End Safari on iPhone'),
        { listUserDevices: fixtures.USER_DEVICES },
      ],
      'end-sessions': [
        'features/users/user-security.tsx EndAllDialog',
        dialog('End all sessions'),
        { listUserDevices: fixtures.USER_DEVICES, userAccess: ACCESS },
      ],
      'end-key': [
        'features/users/user-access.tsx EndDialog',
        dialog(/^End Weekly report/),
        { userAccess: ACCESS },
      ],
      'remove-factors': [
        'features/users/user-security.tsx RemoveDialog',
        dialog('Remove second factors'),
        { userFactors: FACTORS_ON },
      ],
    }),
  ];
};

/** All states by what they have in common. */
export const galleryOf = (userId: string): Record<string, State[]> => ({
  'every screen of a user': screensOf(userId).filter((state) => state.as !== 'admin'),
  'every screen of an admin': screensOf(userId).filter((state) => state.as === 'admin'),
  'every state of the subscription': SUBSCRIPTIONS,
  'every state of an account': [...ACCOUNTS, ...ADDRESSES],
  'every state of the administration': ADMINISTRATION,
  'every read that fails or has not ended': READ_STATES,
  'what opens over the pages of a user': OPENED,
  'what opens over the pages of an admin': openedByAdmins(userId),
});
