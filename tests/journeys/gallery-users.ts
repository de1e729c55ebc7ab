import type { Browser, Page } from '@playwright/test';
import type { EmailView } from '@shortlist/contracts/api/email';
import { hours, seconds } from '@shortlist/contracts/durations';
import type { System } from '@shortlist/local/system';
import { createApiKey } from '../../harness/api-keys.ts';
import {
  callApi,
  chargeCredit,
  confirmEmail,
  logInAdmin,
  payAtProvider,
  register,
  type UserSession,
} from '../../harness/client.ts';
import { seedDatabases } from '../../harness/seed-databases.ts';
import { connectTool, registerTool } from '../../harness/tools.ts';
import { type Replies, stubReplies } from './replies.ts';
import { type ErrorLog, RECORD_SHIFTS, recordErrors } from './page-checks.ts';
import type { Role } from './show-state.ts';

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
): Promise<{ stored: Record<Role, Stored>; premium: UserSession }> => {
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

export type Users = Awaited<ReturnType<typeof createUsers>>;

export type RolePage = { page: Page; setReplies: (replies: Replies) => void; errorLog: ErrorLog };

/** Opens a page in a context of its own that has this in its storage. */
const openAs = async (browser: Browser, baseURL: string, stored: Stored): Promise<RolePage> => {
  const context = await browser.newContext({
    baseURL,
    colorScheme: 'light',
    permissions: ['clipboard-write'],
  });
  await context.addInitScript(({ inBrowser, inTab = {} }) => {
    for (const [name, value] of Object.entries(inBrowser)) {
      localStorage.setItem(name, value);
      localStorage.setItem(`welcomed:${name}`, 'true'); // its toast would come and go while a screen is checked
    }
    for (const [name, value] of Object.entries(inTab)) sessionStorage.setItem(name, value);
  }, stored);
  const page = await context.newPage();
  page.setDefaultTimeout(seconds(20)); // otherwise a wait ends with the test, whose failure then names nothing
  await page.addInitScript(RECORD_SHIFTS);
  const setReplies = await stubReplies(page);
  await page.goto('/favicon.svg'); // a page of the product, whose storage has settings
  return { page, setReplies, errorLog: recordErrors(page, Object.values(stored.inBrowser)) };
};

/** Opens a page for a role, which has loaded nothing yet. */
export const openRole = (
  browser: Browser,
  { publicUrl }: System,
  { stored }: Users,
  role: Role,
): Promise<RolePage> => openAs(browser, publicUrl, stored[role]);

/** Opens one page for each role: all screens of the role share the code that it has loaded and compiled. */
export const openRoles = async (
  browser: Browser,
  system: System,
  users: Users,
): Promise<Record<Role, RolePage>> => ({
  anonymous: await openRole(browser, system, users, 'anonymous'),
  free: await openRole(browser, system, users, 'free'),
  premium: await openRole(browser, system, users, 'premium'),
  admin: await openRole(browser, system, users, 'admin'),
  viewed: await openRole(browser, system, users, 'viewed'),
});
