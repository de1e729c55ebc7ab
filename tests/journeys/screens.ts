import type { Endpoint } from '@shortlist/contracts/api/endpoint';
import type { publicEndpoints } from '@shortlist/contracts/api/public';
import { hours } from '@shortlist/contracts/durations';
import type { ErrorCode } from '@shortlist/contracts/errors';
import type { EmailView } from '@shortlist/contracts/api/email';
import type { System } from '@shortlist/local/system';
import type { Browser, Page } from '@playwright/test';
import {
  callApi,
  chargeCredit,
  confirmEmail,
  logInAdmin,
  payAtProvider,
  register,
  type UserSession,
} from '../../harness/client.ts';
import { createApiKey } from '../../harness/api-keys.ts';
import { connectTool, registerTool } from '../../harness/tools.ts';
import { seedDatabases } from '../../harness/seed-databases.ts';

export type Direction = 'ltr' | 'rtl';

export type Screen = {
  name: string;
  path: string;
  as: 'anonymous' | 'free' | 'premium' | 'admin' | 'viewed';
  ready: RegExp;
  /** Never loads completely. */
  isBusy?: true;
  /** The text of a bar that each page remembers from the last one: the screen is opened twice, and the second time counts. */
  bar?: string;
  /** Has no sidebar, although its user has a session. */
  isAlone?: true;
};

type Endpoints = typeof publicEndpoints;
export type EndpointName = keyof Endpoints;
type ReplyOf<Name extends EndpointName> =
  Endpoints[Name] extends Endpoint<infer _Input, infer Reply> ? Reply : never;

/** What the page reads instead of the reply of bff: data, an error, or nothing as long as it waits. */
export type Replies = { [Name in EndpointName]?: ReplyOf<Name> | { failsWith: ErrorCode } | 'pending' };

/** A screen in a state in which the users of the gallery are not. */
export type ScreenState = Screen & { replies: Replies };

/** Every screen, with the role that opens it and a text that appears once it has loaded. */
export const screens = (userId: string): Screen[] => [
  { name: 'login', path: '/login', as: 'anonymous', ready: /Log In/ },
  { name: 'forgot-password', path: '/forgot-password', as: 'anonymous', ready: /Forgot your password/ },
  { name: 'reset-password-ended', path: '/reset-password', as: 'anonymous', ready: /does not work anymore/ },
  { name: 'verify-email-ended', path: '/verify-email', as: 'anonymous', ready: /does not work anymore/ },
  { name: 'confirm-email-ended', path: '/confirm-email', as: 'anonymous', ready: /does not work anymore/ },
  { name: 'undo-email-ended', path: '/undo-email-change', as: 'anonymous', ready: /does not work anymore/ },
  { name: 'register', path: '/register', as: 'anonymous', ready: /Sign Up/ },
  // Not next to `confirm-email-ended`: an address that differs in its fragment alone loads no page.
  { name: 'confirm-email', path: '/confirm-email#token=x', as: 'anonymous', ready: /Confirm your new email/ },
  { name: 'home', path: '/', as: 'premium', ready: /Account Management Panel/ },
  { name: 'profile', path: '/profile', as: 'premium', ready: /User Profile/ },
  { name: 'payments-free', path: '/payments', as: 'free', ready: /currently un-subscribed/ },
  { name: 'payments-premium', path: '/payments', as: 'premium', ready: /paid for and active/ },
  { name: 'payments-cancel', path: '/payments/cancel', as: 'free', ready: /./ },
  {
    name: 'payments-success',
    path: '/payments/success',
    as: 'free',
    ready: /payment/i,
  },
  { name: 'pack-success', path: '/credits/pack', as: 'free', ready: /no payment to show/ },
  { name: 'subscription-free', path: '/subscription', as: 'free', ready: /un-subscribed/ },
  { name: 'credits', path: '/credits', as: 'premium', ready: /Your Credits and Usage/ },
  { name: 'security', path: '/security', as: 'premium', ready: /Authenticator app/ },
  { name: 'connections', path: '/connections', as: 'premium', ready: /Weekly report/ },
  { name: 'webhook-missing', path: '/connections/webhook', as: 'premium', ready: /There is no such webhook/ },
  { name: 'connect', path: '/connect', as: 'premium', ready: /Enter the code/, isAlone: true },
  {
    name: 'connect-problem',
    path: '/connect?problem=x',
    as: 'premium',
    ready: /not complete/,
    isAlone: true,
  },
  { name: 'privacy', path: '/privacy', as: 'premium', ready: /Prepare download/ },
  { name: 'admin-login', path: '/admin/login', as: 'anonymous', ready: /Log in/i },
  {
    name: 'accept-invitation-ended',
    path: '/admin/accept-invitation',
    as: 'anonymous',
    ready: /does not work anymore/,
  },
  { name: 'admin-team', path: '/admin/team', as: 'admin', ready: /What each role may do/ },
  { name: 'admin-tools', path: '/admin/tools', as: 'admin', ready: /Automation bot/ },
  { name: 'admin-dashboard', path: '/admin/', as: 'admin', ready: /You are the Admin/ },
  { name: 'admin-users', path: '/admin/user-list', as: 'admin', ready: /All Users/ },
  { name: 'admin-new-users', path: '/admin/new-user', as: 'admin', ready: /New Users/ },
  { name: 'admin-add-user', path: '/admin/add-user', as: 'admin', ready: /Create/ },
  {
    name: 'admin-edit-user',
    path: `/admin/edit-user?user_id=${userId}`,
    as: 'admin',
    ready: /Subscription Information/,
  },
  {
    name: 'admin-view-as',
    path: `/admin/view-as?user_id=${userId}`,
    as: 'admin',
    ready: /Your reason is kept/,
  },
  {
    name: 'admin-user-details',
    path: `/admin/user-details?user_id=${userId}`,
    as: 'admin',
    ready: /Join Date/,
  },
  {
    name: 'admin-subscription',
    path: `/admin/subscription-management?user_id=${userId}`,
    as: 'admin',
    ready: /Manage Subscription/,
  },
  {
    name: 'admin-edit-subscription',
    path: '/admin/edit-subscription',
    as: 'admin',
    ready: /Edit Subscription/,
  },
  { name: 'admin-campaign', path: '/admin/campaign-details', as: 'admin', ready: /sample data/ },
  { name: 'admin-payments', path: '/admin/payments', as: 'admin', ready: /./ },
  { name: 'admin-audit', path: '/admin/audit', as: 'admin', ready: /\d\d:\d\d:\d\d/ },
  { name: 'admin-security', path: '/admin/security', as: 'admin', ready: /Authenticator app/ },
  { name: 'admin-system', path: '/admin/system', as: 'admin', ready: /Payment settings/ },
  { name: 'admin-reports', path: '/admin/reports', as: 'admin', ready: /./ },
];

/** What the browser has stored, and what the tab has for itself. */
type Stored = { inBrowser: Record<string, string>; inTab?: Record<string, string> };

/** Two keys, of which one has charged credits, and a tool. */
const chargeWithTools = async (system: System, user: UserSession): Promise<void> => {
  const clientId = await registerTool(system);
  await connectTool(system, user, { clientId, device: 'MacBook of Marta' });
  await createApiKey(system, user, { name: 'Greenhouse import', expiresInDays: 30 });
  const { key } = await createApiKey(system, user, { name: 'Weekly report' });
  for (const [amount, reference] of [
    [5, 'Ingrid Solberg'],
    [2, 'https://linkedin.com/in/jonas'],
  ] as const)
    await callApi(`${system.publicUrl}/api/v1/charges`, 'POST', {
      token: key,
      headers: { 'idempotency-key': reference.replaceAll(' ', '-') },
      body: { amount, reason: 'email_found', reference },
    });
};

/** Seeds users and logs in one for each role, so that the screens show data. */
export const createUsers = async (
  system: System,
): Promise<{ stored: Record<Screen['as'], Stored>; premium: UserSession }> => {
  await seedDatabases({
    adminUrl: system.backing.databaseAdminUrl,
    count: 1_284,
    now: new Date(),
    print: () => undefined,
  });
  const free = await register(system, {
    firstName: 'Tomás',
    lastName: 'Ferreira',
    organizationName: 'Lisboa Labs',
    country: 'Portugal',
  });
  const premium = await register(system);
  await confirmEmail(system, premium); // the free user has not: the bar about it is part of each screen
  const sessionId = await payAtProvider(system, premium);
  await callApi(`${system.publicUrl}/user-payment`, 'PUT', {
    token: premium.token,
    body: { xsl: sessionId },
  });
  for (let index = 0; index < 12; index += 1)
    await chargeCredit(system, premium, { operationId: `screens-${index}` });
  await chargeWithTools(system, premium);
  const admin = await logInAdmin(system);
  const unconfirmed = await callApi<{ data: EmailView }>(`${system.publicUrl}/api/email`, 'GET', {
    token: free.token,
  });
  const unconfirmedEmail = `${free.email} ${unconfirmed.body.data.confirmBy}`;
  const viewingEnds = String(Date.now() + hours(1));
  const stored = {
    anonymous: { inBrowser: {} },
    free: { inBrowser: { endUserToken: free.token, unconfirmedEmail } },
    premium: { inBrowser: { endUserToken: premium.token } },
    admin: { inBrowser: { token: admin } },
    // An admin in the tab in which they view the product as the user.
    viewed: {
      inBrowser: { token: admin },
      inTab: {
        endUserToken: premium.token,
        viewedUser: premium.id,
        viewedName: 'Amara Okafor',
        viewingEnds,
      },
    },
  };
  return { stored, premium };
};

type Look = { system: System; direction: Direction; stored: Stored };

/** Opens a page in a context of its own that has this in its storage and this direction. */
export const openAs = async (browser: Browser, { system, direction, stored }: Look): Promise<Page> => {
  const context = await browser.newContext({ baseURL: system.publicUrl, colorScheme: 'light' });
  await context.addInitScript(
    ({ inBrowser, inTab = {}, settings }) => {
      for (const [name, value] of Object.entries(inBrowser)) {
        localStorage.setItem(name, value);
        localStorage.setItem(`welcomed:${name}`, 'true'); // its toast would come and go while a screen is checked
      }
      for (const [name, value] of Object.entries(inTab)) sessionStorage.setItem(name, value);
      localStorage.setItem('layoutSettings', settings);
    },
    { ...stored, settings: JSON.stringify({ direction, scheme: 'auto' }) },
  );
  return context.newPage();
};

/** Opens a screen in a page of its role and waits until it has loaded. */
export const showScreen = async (page: Page, { path, ready, isBusy }: Screen): Promise<void> => {
  await page.goto(path);
  await page.locator('.prerendered').waitFor({ state: 'detached' }); // the log-in page before its scripts, inert
  await page.locator('main').getByText(ready).first().waitFor({ timeout: 60_000 });
  if (!isBusy) await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
};
