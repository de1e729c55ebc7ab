// make gallery: pictures of every screen in .local/gallery, to be looked at.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { LOCAL_DIRECTORY } from '@shortlist/local/local-files';
import { startSystem, type System } from '@shortlist/local/system';
import { ask, logInAdmin, payAtProvider, register, type LoggedIn } from '../journeys/client.ts';
import { LAUNCH } from '../playwright.config.ts';
import { seedDatabases } from '../seed/seed-databases.ts';

const FOLDER = join(LOCAL_DIRECTORY, 'gallery');
const WIDTHS = [360, 768, 1440];
const LOOKS = [
  { name: 'light', scheme: 'light', dir: 'ltr' },
  { name: 'dark', scheme: 'dark', dir: 'ltr' },
  { name: 'rtl', scheme: 'light', dir: 'rtl' },
] as const;

type Screen = { name: string; path: string; as: 'nobody' | 'free' | 'premium' | 'admin'; ready: RegExp };

const screens = (userId: string): Screen[] => [
  { name: 'login', path: '/login', as: 'nobody', ready: /Log in/ },
  { name: 'register', path: '/register', as: 'nobody', ready: /Sign Up/ },
  { name: 'home', path: '/', as: 'premium', ready: /Account Management Panel/ },
  { name: 'profile', path: '/profile', as: 'premium', ready: /User Profile/ },
  { name: 'payments-free', path: '/payments', as: 'free', ready: /currently un-subscribed/ },
  { name: 'payments-premium', path: '/payments', as: 'premium', ready: /paid for and active/ },
  { name: 'payments-cancel', path: '/payments/cancel', as: 'free', ready: /./ },
  { name: 'subscription-free', path: '/subscription', as: 'free', ready: /un-subscribed/ },
  { name: 'credits', path: '/credits', as: 'premium', ready: /Your Credits and Usage/ },
  { name: 'admin-login', path: '/admin/login', as: 'nobody', ready: /Log in/i },
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
  { name: 'admin-payments', path: '/admin/payments', as: 'admin', ready: /./ },
  { name: 'admin-reports', path: '/admin/reports', as: 'admin', ready: /./ },
];

type Tokens = Record<Screen['as'], Record<string, string>>;

const makePeople = async (system: System): Promise<{ tokens: Tokens; premium: LoggedIn }> => {
  await seedDatabases({
    adminUrl: system.backing.databaseAdminUrl,
    count: 1_284,
    now: new Date(),
    tell: () => undefined,
  });
  const free = await register(system, {
    firstName: 'Tomás',
    lastName: 'Ferreira',
    organizationName: 'Lisboa Labs',
    country: 'Portugal',
  });
  const premium = await register(system);
  const sessionId = await payAtProvider(system, premium);
  await ask(`${system.publicUrl}/user-payment`, 'PUT', { token: premium.token, body: { xsl: sessionId } });
  for (let index = 0; index < 12; index += 1) {
    await ask(`${system.publicUrl}/api/credits/spend`, 'POST', {
      token: premium.token,
      headers: { 'idempotency-key': `gallery-${index}` },
      body: {
        reason: index % 3 === 0 ? 'message_composed' : 'email_found',
        reference: `linkedin.com/in/person-${index}`,
      },
    });
  }
  const admin = await logInAdmin(system);
  const tokens = {
    nobody: {},
    free: { endUserToken: free.token },
    premium: { endUserToken: premium.token },
    admin: { token: admin },
  };
  return { tokens, premium };
};

const openAs = async (
  browser: Browser,
  { system, look, stored }: { system: System; look: (typeof LOOKS)[number]; stored: Record<string, string> },
): Promise<Page> => {
  const context = await browser.newContext({ baseURL: system.publicUrl, colorScheme: look.scheme });
  const page = await context.newPage();
  await page.addInitScript(
    ({ entries, dir }) => {
      for (const [name, value] of entries) localStorage.setItem(name, value);
      localStorage.setItem('layoutSettings', JSON.stringify({ direction: dir, scheme: 'auto' }));
    },
    { entries: Object.entries(stored), dir: look.dir },
  );
  return page;
};

const main = async (): Promise<void> => {
  await mkdir(FOLDER, { recursive: true });
  const system = await startSystem({});
  const browser = await chromium.launch(LAUNCH);
  try {
    const { tokens, premium } = await makePeople(system);
    for (const look of LOOKS) {
      for (const screen of screens(premium.id)) {
        const page = await openAs(browser, { system, look, stored: tokens[screen.as] });
        await page.goto(screen.path);
        await page.getByText(screen.ready).first().waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          await page.waitForTimeout(250);
          await page.screenshot({ path: join(FOLDER, `${screen.name}-${look.name}-${width}.png`) });
        }
        await page.context().close();
      }
    }
    process.stdout.write(`Look in ${FOLDER}\n`);
  } finally {
    await browser.close();
    await system.stop();
  }
};

await main();
