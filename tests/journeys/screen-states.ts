import type { Page, Route } from '@playwright/test';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { ERRORS } from '@shortlist/contracts/errors';
import {
  creditsView,
  premiumSubscription,
  premiumUser,
  subscriptionView,
  userView,
  standingOf,
} from '../../web/test/fixtures.ts';
import { usedUpCredits, VIEWS } from '../../web/test/subscription-views.ts';
import { UNDO_STATE } from './access-states.ts';
import { CONNECT_STATES } from './connect-states.ts';
import { CREDITS_IN_BUCKETS, CREDITS_OF_TOOLS, USER_BUCKETS } from './credits-of-tools.ts';
import { PACK_STATES } from './pack-states.ts';
import type { EndpointName, Replies, Screen, ScreenState } from './screens.ts';
import { TOOL_STATES } from './registered-tools.ts';
import { LONG_EMAIL, TEAM_WITH_LONG_NAMES } from './team-with-long-names.ts';
import { WEBHOOK_PAGE, WEBHOOK_STATES } from './webhook-states.ts';

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
const UNAVAILABLE = { failsWith: 'service.unavailable' } as const;
const SUPPRESSION = {
  email: LONG_EMAIL,
  kind: 'bounced',
  reason: `550 5.1.1 ${LONG_EMAIL}: Recipient address rejected: User unknown in virtual mailbox table`,
  at: '2026-11-20T09:00:00.000Z',
} as const;
const EMPTY_PAGE = { data: [], next: null };

/** What a user reads of used up credits differs in these alone. */
const WITH_CREDITS = ['free', 'active', 'ending', 'renewing', 'paused_paid'];

/** Every state of the subscription, with used up credits, on the screens that depend on it. */
export const SUBSCRIPTION_STATES: ScreenState[] = Object.entries(VIEWS).flatMap(([state, overrides]) => {
  const view = subscriptionView({ customerId: 'cus_1', ...overrides });
  const { checkUser: checked } = view.plan === 'premium' ? PREMIUM : FREE;
  const checkUser = view.problem === null ? checked : { ...checked, subscription: view };
  const replies: Replies = { checkUser, subscription: { data: view }, credits: usedUpCredits(view.plan) };
  const user = { as: view.plan, replies };
  const credits = { ...user, name: `credits-${state}`, path: '/credits', ready: /used/ };
  return [
    { ...user, name: `home-${state}`, path: '/', ready: /Your tools/ },
    { ...user, name: `payments-${state}`, path: '/payments', ready: /Subscription Status/ },
    ...(WITH_CREDITS.includes(state) ? [credits] : []),
  ];
});

/** The portal of a customer opens at Stripe: what is left of it here is the way there, and who has no customer. */
const PORTAL_STATES: ScreenState[] = [
  {
    name: 'portal-granted',
    path: '/subscription',
    as: 'premium',
    ready: /no card and no invoice/,
    replies: {
      checkUser: { ...CHECKED, user: premiumUser({ stripe_customer_id: null }) },
      subscription: { data: subscriptionView(VIEWS.granted) },
    },
  },
  {
    name: 'portal-loading',
    path: '/subscription',
    as: 'premium',
    ready: /Billing/,
    isBusy: true,
    replies: { ...PREMIUM, billingPortal: 'pending' },
  },
  {
    name: 'portal-failed',
    path: '/subscription',
    as: 'premium',
    ready: /could not be opened/,
    replies: { ...PREMIUM, billingPortal: { failsWith: 'billing.portal_not_configured' } },
  },
];

/** Of the account, on the screens of a user. */
const ACCOUNT_STATES: ScreenState[] = [
  UNDO_STATE,
  {
    name: 'leaving',
    path: '/',
    as: 'premium',
    ready: /will be deleted/,
    isAlone: true,
    replies: {
      checkUser: { ...CHECKED, user: premiumUser(), deletionDueAt: '2026-12-20T09:41:00.000Z' },
    },
  },
  ...['/', '/profile', '/payments', '/credits', '/security', '/connections'].map((path) => ({
    name: `viewed${path.replaceAll('/', '-')}`,
    path,
    as: 'viewed' as const,
    ready: /./,
    replies: {},
  })),
];

const EMPTY_STATES: ScreenState[] = [
  {
    name: 'history-empty',
    path: '/credits',
    as: 'free',
    ready: /not used any/,
    replies: { ...FREE, creditsUsage: { data: [] }, creditsHistory: EMPTY_PAGE },
  },
  {
    name: 'history-no-match',
    path: '/credits?tool=browser&reason=expired&from=2026-11-01',
    as: 'free',
    ready: /No entries match/,
    replies: { ...FREE, creditsHistory: EMPTY_PAGE },
  },
  {
    name: 'credits-buckets',
    path: '/credits',
    as: 'premium',
    ready: /Used in this order/,
    replies: { ...PREMIUM, credits: CREDITS_IN_BUCKETS },
  },
  {
    name: 'edit-user-credits',
    path: `/admin/edit-user?user_id=${userView().id}`,
    as: 'admin',
    ready: /Granted by an admin/,
    replies: { getUser: { data: userView() }, userBuckets: USER_BUCKETS },
  },
  {
    name: 'edit-user-suppressed',
    path: `/admin/edit-user?user_id=${userView().id}`,
    as: 'admin',
    ready: /came back on/,
    replies: {
      getUser: { data: userView() },
      userStanding: { data: standingOf(userView(), { suppression: SUPPRESSION }) },
    },
  },
  { ...CREDITS_OF_TOOLS, name: 'credits-tools', path: '/credits?period=90' },
  {
    ...CREDITS_OF_TOOLS,
    name: 'credits-days',
    path: '/credits?period=days&first=2026-11-01&last=2026-11-14',
  },
  {
    name: 'sign-ins-empty',
    path: '/security',
    as: 'free',
    ready: /no sign-ins yet/,
    replies: { listSignIns: { data: [] } },
  },
  {
    name: 'connections-empty',
    path: '/connections',
    as: 'free',
    ready: /No keys yet/,
    replies: { listApiKeys: { data: [] }, listConnections: { data: [] } },
  },
  ...CONNECT_STATES,
  {
    name: 'users-empty',
    path: '/admin/user-list',
    as: 'admin',
    ready: /no user/,
    replies: { listUsers: { data: [], total: 0, isCapped: false, next: null } },
  },
  {
    name: 'users-no-match',
    path: '/admin/user-list?search=nobody',
    as: 'admin',
    ready: /No users match/,
    replies: { listUsers: { data: [], total: 0, isCapped: false, next: null } },
  },
  {
    name: 'new-users-empty',
    path: '/admin/new-user',
    as: 'admin',
    ready: /no user/,
    replies: { newestUsers: { data: [] } },
  },
  {
    name: 'dashboard-empty',
    path: '/admin/',
    as: 'admin',
    ready: /no user/,
    replies: { newestUsers: { data: [] } },
  },
  {
    name: 'audit-empty',
    path: '/admin/audit',
    as: 'admin',
    ready: /Nothing has been recorded/,
    replies: { audit: EMPTY_PAGE },
  },
];

const LONG_NAMES: ScreenState = {
  name: 'team-long-names',
  path: '/admin/team',
  as: 'admin',
  ready: /What each role may do/,
  replies: { team: TEAM_WITH_LONG_NAMES },
};

type Reading = Pick<Screen, 'name' | 'path' | 'as'> & { reads: EndpointName; failed: RegExp };

/** The main read of each screen, and what the screen says when it fails. */
const READINGS: Reading[] = [
  { name: 'session', path: '/', as: 'free', reads: 'checkUser', failed: /Try again/ },
  { name: 'admin-session', path: '/admin/', as: 'admin', reads: 'checkAdmin', failed: /Try again/ },
  { name: 'payments', path: '/payments', as: 'free', reads: 'subscription', failed: /./ },
  { name: 'home', path: '/', as: 'premium', reads: 'subscription', failed: /Your tools/ },
  { name: 'credits', path: '/credits', as: 'free', reads: 'credits', failed: /could not be loaded/ },
  { name: 'history', path: '/credits', as: 'free', reads: 'creditsHistory', failed: /could not be loaded/ },
  { name: 'usage', path: '/credits', as: 'free', reads: 'creditsUsage', failed: /could not be loaded/ },
  { name: 'devices', path: '/security', as: 'free', reads: 'listDevices', failed: /could not be loaded/ },
  { name: 'sign-ins', path: '/security', as: 'free', reads: 'listSignIns', failed: /could not be loaded/ },
  { name: 'factors', path: '/security', as: 'free', reads: 'factors', failed: /could not be loaded/ },
  { name: 'keys', path: '/connections', as: 'free', reads: 'listApiKeys', failed: /could not be loaded/ },
  { name: 'webhooks', path: '/connections', as: 'free', reads: 'webhooks', failed: /could not be loaded/ },
  { name: 'webhook-page', ...WEBHOOK_PAGE, reads: 'webhooks', failed: /could not be loaded/ },
  {
    name: 'tools',
    path: '/connections',
    as: 'free',
    reads: 'listConnections',
    failed: /Your tools could not/,
  },
  { name: 'privacy', path: '/privacy', as: 'free', reads: 'dataExport', failed: /could not be loaded/ },
  { name: 'users', path: '/admin/user-list', as: 'admin', reads: 'listUsers', failed: /could not be loaded/ },
  {
    name: 'new-users',
    path: '/admin/new-user',
    as: 'admin',
    reads: 'newestUsers',
    failed: /could not be loaded/,
  },
  { name: 'earnings', path: '/admin/', as: 'admin', reads: 'earnings', failed: /could not be loaded/ },
  { name: 'audit', path: '/admin/audit', as: 'admin', reads: 'audit', failed: /could not be loaded/ },
  { name: 'team', path: '/admin/team', as: 'admin', reads: 'team', failed: /could not be loaded/ },
  { name: 'all-tools', path: '/admin/tools', as: 'admin', reads: 'tools', failed: /could not be loaded/ },
  { name: 'system', path: '/admin/system', as: 'admin', reads: 'system', failed: /could not be loaded/ },
  {
    name: 'edit-user',
    path: `/admin/edit-user?user_id=${userView().id}`,
    as: 'admin',
    reads: 'getUser',
    failed: /could not be loaded/,
  },
];

const FAILED_STATES = READINGS.map(({ reads, failed, ...screen }): ScreenState => ({
  ...screen,
  name: `${screen.name}-failed`,
  ready: failed,
  replies: { [reads]: UNAVAILABLE },
}));

const LOADING_STATES = READINGS.map(({ reads, failed: _, ...screen }): ScreenState => ({
  ...screen,
  name: `${screen.name}-loading`,
  ready: /./,
  isBusy: true,
  replies: { [reads]: 'pending' },
}));

/** The browser remembers the address: after all other states of its user. */
const CHANGED_ADDRESS: ScreenState = {
  name: 'home-unconfirmed-change',
  path: '/',
  as: 'premium',
  ready: /Your tools/,
  bar: 'amara.okafor.new',
  replies: {
    email: {
      data: {
        email: userView().email,
        isVerified: false,
        pendingEmail: 'amara.okafor.new@talentfield.io',
        confirmBy: '2026-12-03T09:41:00.000Z',
        suppression: null,
      },
    },
  },
};

const SUPPRESSED_ADDRESS: ScreenState = {
  ...CHANGED_ADDRESS,
  name: 'home-suppressed',
  bar: LONG_EMAIL,
  replies: {
    email: {
      data: {
        email: userView().email,
        isVerified: false,
        pendingEmail: LONG_EMAIL,
        confirmBy: '2026-12-03T09:41:00.000Z',
        suppression: { email: LONG_EMAIL, kind: 'bounced' },
      },
    },
  },
};

export const OTHER_STATES: ScreenState[] = [
  ...PORTAL_STATES,
  ...PACK_STATES,
  ...ACCOUNT_STATES,
  ...EMPTY_STATES,
  ...WEBHOOK_STATES,
  LONG_NAMES,
  ...TOOL_STATES,
  ...FAILED_STATES,
  ...LOADING_STATES,
  CHANGED_ADDRESS,
  SUPPRESSED_ADDRESS,
];

const fulfillWith = async (route: Route, name: EndpointName, reply: Replies[EndpointName]): Promise<void> => {
  if (reply === 'pending') return;
  if (typeof reply === 'object' && 'failsWith' in reply) {
    const [status, message] = ERRORS[reply.failsWith];
    await route.fulfill({
      status,
      json: { error: { code: reply.failsWith, message, requestId: 'gallery' } },
    });
    return;
  }
  const { error } = publicEndpoints[name].replySchema?.validate(reply, { convert: false }) ?? {};
  if (error !== undefined) throw new Error(`the contract refuses the reply of ${name}: ${error.message}`);
  await route.fulfill({ status: publicEndpoints[name].status, json: reply });
};

/** The addresses of an endpoint: those without /api are served under it too, and the page calls them there. */
const addressOf = (path: string): RegExp =>
  new RegExp(`^${path.startsWith('/api/') ? '' : '/api'}${path.replace(/:[a-zA-Z]+/g, '[^/]+')}$`);

/** Has the page read these replies until the next call. */
export const replyWith = async (page: Page, replies: Replies): Promise<void> => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const [key, reply] of Object.entries(replies)) {
    const name = key as EndpointName;
    const { method, path } = publicEndpoints[name];
    const address = addressOf(path);
    await page.route(
      (url) => address.test(url.pathname),
      (route) => (route.request().method() === method ? fulfillWith(route, name, reply) : route.fallback()),
    );
  }
};
