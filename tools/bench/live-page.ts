// An open page of a user while an app of theirs works, in a real browser.
import { randomUUID } from 'node:crypto';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import type { System } from '@shortlist/local/system';
import { LAUNCH } from '../../harness/browser.ts';
import { newUser, signUp } from '../../harness/client.ts';
import { atConstantRate, type Print } from './measure.ts';
import { openService, selectOne, withSystem } from './surroundings.ts';

const PER_SECOND = 100;
const SECONDS = 60;
const CREDITS = 100_000;
const SETTLED_MS = 2_000;
const MEGABYTE = 1024 * 1024;

/** Logs a new user in. Returns the user's id. */
const logInByPage = async (system: System, page: Page): Promise<string> => {
  const user = newUser();
  await signUp(system, user);
  await page.goto('/login');
  await page.locator('.prerendered').waitFor({ state: 'detached' });
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Log In', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  const { id } = await selectOne<{ id: string }>(
    system,
    `SELECT id FROM identity.accounts WHERE email = '${user.email}'`,
  );
  return id;
};

/** Charges one credit at a time as bff does for an app. */
const openCharge = ({ urls, secrets }: System, userId: string): (() => Promise<unknown>) => {
  const credits = openService('credits', urls.credits, secrets.CREDITS_TOKEN_KEYS);
  return () => {
    const input = { userId, reason: 'email_found' as const, reference: `contact ${randomUUID()}` };
    const headers = { 'idempotency-key': randomUUID() };
    return credits(creditsEndpoints.spend, input, { caller: { userId, role: 'user' }, headers });
  };
};

/** Counts the reads of the page by path, from now on. */
const countReads = (page: Page): Map<string, number> => {
  const reads = new Map<string, number>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    reads.set(pathname, (reads.get(pathname) ?? 0) + 1);
  });
  return reads;
};

type Use = { at: number; busySeconds: number; heapMegabytes: number };

/** What the page has used so far, after a garbage collection. */
const readUse = async (devtools: CDPSession): Promise<Use> => {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const valueOf = (wanted: string): number =>
    metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return {
    at: performance.now(),
    busySeconds: valueOf('TaskDuration'),
    heapMegabytes: valueOf('JSHeapUsedSize') / MEGABYTE,
  };
};

const measure = async (system: System, page: Page, print: Print): Promise<void> => {
  const id = await logInByPage(system, page);
  const charge = openCharge(system, id);
  await charge(); // opens the bucket
  await selectOne(
    system,
    `UPDATE credits.credit_buckets SET credit_limit = ${CREDITS}, usable = ${CREDITS} WHERE user_id = '${id}'`,
  );
  await page.goto('/credits');
  await page
    .getByText((CREDITS - 1).toLocaleString('en-US'), { exact: true })
    .first()
    .waitFor();
  await page.waitForTimeout(SETTLED_MS);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const [before, reads] = [await readUse(devtools), countReads(page)];
  await atConstantRate({ perSecond: PER_SECOND, seconds: SECONDS }, charge);
  const chargedAt = performance.now();
  const left = (CREDITS - PER_SECOND * SECONDS - 1).toLocaleString('en-US');
  await page.getByText(left, { exact: true }).first().waitFor();
  const shownMs = performance.now() - chargedAt;
  const after = await readUse(devtools);
  const seconds = (after.at - before.at) / 1_000;
  const busy = (100 * (after.busySeconds - before.busySeconds)) / seconds;
  print(
    `J4 ${PER_SECOND} charges a second of one user with the page of credits open: main thread ${busy.toFixed(1)} % busy, heap ${before.heapMegabytes.toFixed(1)} to ${after.heapMegabytes.toFixed(1)} MB, last state after ${shownMs.toFixed(0)} ms`,
  );
  for (const [path, count] of reads) print(`  ${path}: ${(count / seconds).toFixed(2)} reads a second`);
};

/** Opens a user's page of credits in Chromium and charges 100 credits a second for a minute. */
export const benchLivePage = (print: Print): Promise<void> =>
  withSystem({}, async (system) => {
    const browser = await chromium.launch(LAUNCH);
    try {
      await measure(system, await browser.newPage({ baseURL: system.publicUrl }), print);
    } finally {
      await browser.close();
    }
  });
