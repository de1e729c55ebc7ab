import { setTimeout } from 'node:timers/promises';
import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import type { System } from '@shortlist/local/system';
import { createConnection, type Connection } from 'mysql2/promise';
import { uuidv7 } from 'uuidv7';
import { openBus } from '../../harness/broker.ts';
import { select } from '../../harness/database.ts';
import {
  callApi,
  logIn,
  logInAdmin,
  newUser,
  payAtProvider,
  readUser,
  signUp,
  type UserSession,
} from '../../harness/client.ts';
import { pictureFile } from '../../harness/picture.ts';
import { expect, test } from '../../harness/system.ts';

const OWNERS = ['identity', 'profile', 'billing', 'credits', 'worker'];
/** The tables that keep the id of a deleted user: deletion marks, accounting and mail records. */
const RETAINED = [
  'billing.checkout_intents',
  'billing.invoices',
  'billing.revenue_movements',
  'billing.subscribers',
  'billing.subscriptions',
  'credits.deleted_users',
  'profile.deleted_users',
  'worker.deleted_users',
  'worker.mails',
];

/** Returns every table with rows of this user, found by its user id column. */
const tablesWith = async (db: Connection, id: string): Promise<string[]> => {
  const columns = await select<{ tableName: string; columnName: string }>(
    db,
    `SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) AS tableName, COLUMN_NAME AS columnName FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA IN (?) AND (COLUMN_NAME = 'user_id' OR (TABLE_NAME = 'accounts' AND COLUMN_NAME = 'id'))`,
    [OWNERS],
  );
  const found = new Set<string>();
  for (const { tableName, columnName } of columns) {
    const rows = await select(db, `SELECT 1 FROM ${tableName} WHERE ${columnName} = ? LIMIT 1`, [id]);
    if (rows.length > 0) found.add(tableName);
  }
  return [...found].toSorted();
};

type PublishedEvent = { topic: string; event: { id: string; type: string } };

const eventsAbout = async (db: Connection, id: string): Promise<PublishedEvent[]> => {
  const events: PublishedEvent[] = [];
  for (const owner of OWNERS.slice(0, 4)) {
    const rows = await select<{ topic: string; payload: string }>(
      db,
      `SELECT topic, payload FROM ${owner}.outbox WHERE message_key = ? ORDER BY id`,
      [id],
    );
    events.push(
      ...rows.map(({ topic, payload }) => ({ topic, event: JSON.parse(payload) as PublishedEvent['event'] })),
    );
  }
  return events;
};

/** Publishes all events about a user again with new ids, as if they were delayed, and waits until every consumer has handled them. */
const publishAgain = async (system: System, db: Connection, id: string): Promise<number> => {
  const bus = openBus(system.backing.kafkaBrokers);
  const repeated = (await eventsAbout(db, id))
    .filter(({ event }) => !event.type.includes('UserDeleted'))
    .map(({ topic, event }) => ({ topic, event: { ...event, id: uuidv7() } }));
  for (const { topic, event } of repeated)
    await bus.publish(topic, [{ key: id, value: JSON.stringify(event) }]);
  await bus.close();
  for (const { event } of repeated) {
    const consumers = eventCatalogue.find(({ event: known }) => known.type === event.type)?.consumedBy ?? [];
    for (const consumer of consumers.filter((handler) => OWNERS.includes(handler)))
      await expect
        .poll(() => select(db, `SELECT 1 FROM ${consumer}.inbox WHERE event_id = ?`, [event.id]), {
          timeout: 30_000,
        })
        .toHaveLength(1);
  }
  return repeated.length;
};

const subscriptionsOf = async ({ sandboxUrl, secrets }: System, customer: string): Promise<string[]> => {
  const { body } = await callApi<{ data: { status: string }[] }>(
    `${sandboxUrl}/v1/subscriptions?customer=${customer}&status=all`,
    'GET',
    { token: secrets.STRIPE_SECRET_KEY },
  );
  return body.data.map(({ status }) => status);
};

/** Sends every webhook about a customer again, and a new one for a refund. */
const sendDelayedWebhooks = async (
  { sandboxUrl }: System,
  customer: string,
  invoice: string,
): Promise<number> => {
  const events = `${sandboxUrl}/_sandbox/events`;
  const { body } = await callApi<{ data: { id: string }[] }>(`${events}?customer=${customer}`, 'GET');
  for (const { id } of body.data) await callApi(`${events}/${id}/resend`, 'POST', { body: {} });
  await callApi(`${sandboxUrl}/_sandbox/invoices/${invoice}/refund`, 'POST', { body: {} });
  return body.data.length;
};

type NewUser = ReturnType<typeof newUser>;

const signUpWithPicture = async (system: System, user: NewUser): Promise<void> => {
  const form = new FormData();
  form.set('userData', JSON.stringify(user));
  const { buffer, mimeType, name } = pictureFile();
  form.set('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
  expect((await callApi(`${system.publicUrl}/signup`, 'POST', { body: form })).status).toBe(201);
};

/** Pays for the plan, spends a credit, and turns off news. */
const useProduct = async (system: System, session: UserSession): Promise<void> => {
  const { token } = session;
  const xsl = await payAtProvider(system, session);
  await callApi(`${system.publicUrl}/user-payment`, 'PUT', { token, body: { xsl } });
  await callApi(`${system.publicUrl}/api/credits/spend`, 'POST', {
    token,
    headers: { 'idempotency-key': 'deletion-1' },
    body: { reason: 'email_found', reference: 'linkedin.com/in/one' },
  });
  await callApi(`${system.publicUrl}/api/email/news`, 'PUT', { token, body: { enabled: false } });
};

/** Stripe dates a payment to the second, and one in the second of its user's deletion is refunded as a later one. */
const waitForNextSecond = (): Promise<void> => setTimeout(1_000 - (Date.now() % 1_000));

/** An admin edits the user, which the audit log records with the fields, and then deletes the account. */
const editAndDelete = async (system: System, token: string, { id, user }: { id: string; user: NewUser }) => {
  const edit = new FormData();
  const { email: _email, password: _password, ...fields } = user;
  edit.set('userData', JSON.stringify({ ...fields, city: 'Durban' }));
  const path = `${system.publicUrl}/users/${id}`;
  expect((await callApi(path, 'PUT', { token, body: edit })).status).toBe(200);
  expect((await callApi(path, 'DELETE', { token })).status).toBe(200);
};

const expectGone = async (
  { publicUrl }: System,
  { email, password }: NewUser,
  { admin, sessions }: { admin: string; sessions: readonly UserSession[] },
): Promise<void> => {
  const statusOf = async (...call: Parameters<typeof callApi>) => (await callApi(...call)).status;
  for (const { id, token } of sessions) {
    expect(await statusOf(`${publicUrl}/authentication_check`, 'GET', { token })).toBe(401);
    expect(await statusOf(`${publicUrl}/api/users/${id}`, 'GET', { token: admin })).toBe(404);
  }
  expect(await statusOf(`${publicUrl}/login`, 'POST', { body: { email, password } })).toBe(401);
};

/** Delayed events and webhooks of the user, as many as there were. Stripe's refund is still recorded. */
const repeatEverything = async (
  system: System,
  db: Connection,
  { id, customer }: { id: string; customer: string },
): Promise<void> => {
  expect(await publishAgain(system, db, id)).toBeGreaterThan(2);
  const invoices = 'billing.invoices WHERE user_id = ?';
  const [invoice] = await select<{ id: string }>(db, `SELECT invoice_id AS id FROM ${invoices}`, [id]);
  expect(await sendDelayedWebhooks(system, customer, invoice?.id ?? '')).toBeGreaterThan(2);
  await expect
    .poll(() => select(db, `SELECT refunded FROM ${invoices}`, [id]), { timeout: 30_000 })
    .toEqual([{ refunded: 5900 }]);
};

/** What billing keeps for accounting names nobody. */
const expectAnonymousAccounting = async (db: Connection, id: string): Promise<void> => {
  expect(await tablesWith(db, id)).toEqual(RETAINED);
  expect(
    await select(db, 'SELECT email, name, granted FROM billing.subscribers WHERE user_id = ?', [id]),
  ).toEqual([{ email: '', name: '', granted: null }]);
  expect(await select(db, 'SELECT status, amount FROM billing.invoices WHERE user_id = ?', [id])).toEqual([
    { status: 'paid', amount: 5900 },
  ]);
};

/** Admins see that the account was deleted, and nothing that was in it. */
const expectUnknownToAdmins = async (
  { publicUrl }: System,
  token: string,
  { id, email }: { id: string; email: string },
) => {
  const auditLog = await callApi<{ data: { action: string }[] }>(
    `${publicUrl}/api/admin/audit?targetId=${id}`,
    'GET',
    { token },
  );
  const actions = auditLog.body.data.map(({ action }) => action);
  expect(actions.toSorted()).toEqual(['account.delete', 'profile.update']);
  expect(JSON.stringify(auditLog.body)).not.toMatch(/thandi|dlamini|durban/i);
  const list = await callApi<{ data: unknown[] }>(`${publicUrl}/users?search=${email}`, 'GET', { token });
  expect(list.body.data).toEqual([]);
};

/** The address is free again, and nothing of the former account is in the new one. */
const expectNewAccount = async (system: System, user: NewUser, formerId: string): Promise<void> => {
  expect((await signUp(system, user)).status).toBe(201);
  const session = await logIn(system, user);
  expect(session.id).not.toBe(formerId);
  expect(await readUser(system, session)).toMatchObject({
    plan: 'free',
    composed: 0,
    picture: null,
    stripe_customer_id: null,
  });
};

test('a deleted user loses sessions, plan and picture; anonymous accounting stays, delayed events restore nothing, and the email can be used again', async ({
  system,
}) => {
  const db = await createConnection({ uri: system.backing.databaseAdminUrl, timezone: 'Z' });
  const user = newUser({ firstName: 'Thandi', lastName: 'Dlamini' });
  await signUpWithPicture(system, user);
  const sessions = [await logIn(system, user), await logIn(system, user)] as const;
  const [session] = sessions;
  const { id } = session;
  await useProduct(system, session);
  await waitForNextSecond();
  const before = await readUser(system, session);
  const customer = before.stripe_customer_id ?? '';
  const picture = `${system.publicUrl}/profile_pictures/${before.picture}`;
  expect((await fetch(picture)).status).toBe(200);
  expect(await subscriptionsOf(system, customer)).toEqual(['active']);

  const admin = await logInAdmin(system);
  await editAndDelete(system, admin, { id, user });

  // At once, before any consumer has handled the event.
  await expectGone(system, user, { admin, sessions });
  expect((await fetch(picture)).status).toBe(404);

  await expect.poll(() => subscriptionsOf(system, customer), { timeout: 30_000 }).toEqual(['canceled']);
  await expect.poll(() => tablesWith(db, id), { timeout: 30_000 }).toEqual(RETAINED);

  await repeatEverything(system, db, { id, customer });
  await expectAnonymousAccounting(db, id);
  await expectUnknownToAdmins(system, admin, { id, email: user.email });
  await expectNewAccount(system, user, id);
  await db.end();
});
