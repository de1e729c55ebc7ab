import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { EVENT_DAYS } from '@shortlist/kit/messaging/bus';
import { days, minutes } from '@shortlist/contracts/durations';
import { DELETION_DAYS } from '@shortlist/contracts/limits';
import type { SignupInput } from '@shortlist/contracts/schemas/account';
import type { System } from '@shortlist/local/system';
import { type Connection, createConnection } from 'mysql2/promise';
import { readZip } from '../../services/worker/test/read-zip.ts';
import { select } from '../../harness/database.ts';
import {
  callApi,
  confirmEmail,
  logIn,
  logInAdmin,
  mailSubjects,
  newUser,
  payAtProvider,
  readUser,
  type UserSession,
} from '../../harness/client.ts';
import {
  listedPlaces,
  type Needles,
  searchLogs,
  searchRedis,
  searchTables,
  searchTopics,
} from './personal-data.ts';
import { pictureFile } from '../../harness/picture.ts';
import { logInByForm } from './log-in-page.ts';
import { expect, test } from '../../harness/system.ts';

test.setTimeout(minutes(5));

/** A user whose address and names are nowhere else. */
const distinctive = (): SignupInput => {
  const mark = `q${Date.now().toString(36)}x`;
  return newUser({
    email: `zebulonia-${mark}@talentfield.io`,
    firstName: `Zebulonia${mark}`,
    lastName: `Quixotterly${mark}`,
    linkedin: `https://www.linkedin.com/in/zq-${mark}`,
  });
};

const signUpWithPicture = async ({ publicUrl }: System, user: SignupInput): Promise<void> => {
  const form = new FormData();
  form.set('userData', JSON.stringify(user));
  const { buffer, mimeType, name } = pictureFile(0x31);
  form.set('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
  expect((await callApi(`${publicUrl}/signup`, 'POST', { body: form })).status).toBe(201);
};

/** Leaves traces in every service: a payment, credits, failed log-ins, an edit by support. */
const leaveTraces = async (system: System, user: SignupInput, session: UserSession): Promise<void> => {
  const { publicUrl } = system;
  await confirmEmail(system, session);
  const xsl = await payAtProvider(system, session);
  const { token } = session;
  await callApi(`${publicUrl}/user-payment`, 'PUT', { token, body: { xsl } });
  await callApi(`${publicUrl}/api/credits/spend`, 'POST', {
    token,
    headers: { 'idempotency-key': 'privacy-1' },
    body: { reason: 'email_found', reference: user.linkedin },
  });
  await callApi(`${publicUrl}/login`, 'POST', { body: { email: user.email, password: 'not this one' } });
  const form = new FormData();
  const { email: _email, password: _password, ...fields } = user;
  form.set('userData', JSON.stringify({ ...fields, city: 'Durban' }));
  const admin = await logInAdmin(system);
  const edit = await callApi(`${publicUrl}/users/${session.id}`, 'PUT', { token: admin, body: form });
  expect(edit.status).toBe(200);
};

const downloadData = async (page: Page): Promise<Map<string, Buffer>> => {
  await page.goto('/privacy');
  await page.getByRole('button', { name: 'Prepare download' }).click();
  const button = page.getByRole('button', { name: 'Download', exact: true });
  await expect(button).toBeVisible({ timeout: 60_000 });
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readZip(await readFile(await file.path()));
};

const requestDeletion = async (page: Page, email: string): Promise<void> => {
  await page.goto('/privacy');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account' });
  await dialog.getByLabel('Type your email').fill(email);
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByRole('heading', { name: 'Log In' })).toBeVisible({ timeout: 20_000 });
};

/** Moves the time at which the account is deleted. */
const moveDueAt = (db: Connection, id: string, ms: number): Promise<unknown> =>
  db.query('UPDATE identity.deletions SET due_at = ? WHERE account_id = ?', [new Date(Date.now() + ms), id]);

const consumedEverywhere = async (db: Connection, id: string): Promise<boolean> => {
  const [event] = await select<{ id: string }>(
    db,
    "SELECT event_id AS id FROM identity.outbox WHERE message_key = ? AND payload LIKE '%UserDeleted%'",
    [id],
  );
  for (const consumer of ['profile', 'billing', 'credits', 'worker'])
    if (
      (await select(db, `SELECT 1 FROM ${consumer}.inbox WHERE event_id = ?`, [event?.id ?? ''])).length === 0
    )
      return false;
  return true;
};

test('a user takes the data along, changes the mind once, and leaves nothing but what docs/privacy.md lists', async ({
  page,
  system,
}) => {
  const db = await createConnection({ uri: system.backing.databaseAdminUrl, timezone: 'Z' });
  const user = distinctive();
  const { email, firstName, lastName, linkedin } = user;
  await signUpWithPicture(system, user);
  const session = await logIn(system, user);
  await leaveTraces(system, user, session);
  const { picture } = await readUser(system, session);
  const response = await fetch(`${system.publicUrl}/profile_pictures/${picture}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const texts = [email, firstName, lastName, linkedin.split('/').at(-1) ?? '', picture ?? ''];
  const needles: Needles = { texts, bytes: bytes.subarray(-200) };

  await test.step('the search finds the user while there is an account', async () => {
    const tables = await searchTables(db, needles);
    expect(tables).toEqual(
      expect.arrayContaining(['identity.accounts', 'profile.pictures', 'credits.ledger']),
    );
    expect([...(await searchTopics(system, needles)).keys()]).toContain('identity.events');
  });

  await test.step('the file has every part, with the picture', async () => {
    await logInByForm(page, user);
    await expect(page.getByRole('heading', { name: 'Account Management Panel' })).toBeVisible();
    const files = await downloadData(page);
    expect(String(files.get('account/account.json'))).toContain(email);
    expect(String(files.get('credits/ledger.csv'))).toContain(linkedin);
    expect(JSON.parse(String(files.get('billing/invoices.json')))).toHaveLength(1);
    expect(String(files.get('changes/profile.json'))).toContain('"by": "support"');
    expect(String(files.get('mails/mails.json'))).toContain('receipt');
    expect(files.get(`profile/${picture}`)).toEqual(bytes);
  });

  await test.step('the request ends the sessions, and the account can be kept', async () => {
    await requestDeletion(page, email);
    const check = await callApi(`${system.publicUrl}/authentication_check`, 'GET', { token: session.token });
    expect(check.status).toBe(401);
    await logInByForm(page, user);
    await expect(page.getByRole('heading', { name: 'Your account will be deleted' })).toBeVisible();
    await page.getByRole('button', { name: 'Keep my account' }).click();
    await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible();
  });

  await test.step('the account is deleted when the time is over, after two more mails', async () => {
    await requestDeletion(page, email);
    await moveDueAt(db, session.id, days(2));
    const subjects = () => mailSubjects(system, email);
    await expect
      .poll(subjects, { timeout: 60_000 })
      .toContain('Your Shortlist account is about to be deleted');
    await moveDueAt(db, session.id, -1_000);
    await expect.poll(() => consumedEverywhere(db, session.id), { timeout: 120_000 }).toBe(true);
    expect(await subjects()).toContain('Your Shortlist account was deleted');
    expect(
      (await callApi(`${system.publicUrl}/login`, 'POST', { body: { email, password: user.password } }))
        .status,
    ).toBe(401);
  });

  await test.step('a search of every store finds only what expires by itself', async () => {
    const listed = await listedPlaces();
    const tables = await searchTables(db, needles);
    const topics = await searchTopics(system, needles);
    const places = [...tables, ...[...topics.keys()].map((topic) => `topic ${topic}`)].toSorted();
    expect(places).toEqual(listed);
    for (const [topic, retentionMs] of topics) expect(retentionMs, topic).toBe(days(EVENT_DAYS));
    expect(EVENT_DAYS).toBeLessThan(DELETION_DAYS);
    expect(await searchRedis(system, needles)).toEqual([]);
    // The path of a picture has a random name, which leads nowhere any more.
    expect(await searchLogs(system, { ...needles, texts: texts.slice(0, -1) })).toEqual([]);
  });

  await test.step('a week later, the tables have nothing either', async () => {
    for (const service of ['credits', 'identity', 'profile'] as const) {
      await db.query(
        `UPDATE ${service}.outbox SET published_at = published_at - INTERVAL ? DAY WHERE message_key = ?`,
        [EVENT_DAYS, session.id],
      );
      await system.process(service).restart(); // pruning runs at the start and every ten minutes
    }
    await expect.poll(() => searchTables(db, needles), { timeout: 30_000 }).toEqual([]);
  });
  await db.end();
});
