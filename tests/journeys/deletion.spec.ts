import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { readKafkaSettings } from '@shortlist/kit/messaging/kafka-settings';
import { createLog } from '@shortlist/kit/process/log';
import type { System } from '@shortlist/local/system';
import { createConnection, type Connection } from 'mysql2/promise';
import { uuidv7 } from 'uuidv7';
import { select } from '../../harness/database.ts';
import {
  callApi,
  logIn,
  logInAdmin,
  newUser,
  payAtProvider,
  readUser,
  signUp,
} from '../../harness/client.ts';
import { pictureFile } from '../../harness/picture.ts';
import { expect, test } from '../../harness/system.ts';

const OWNERS = ['identity', 'profile', 'billing', 'credits', 'worker'];
/** The tables that keep the id of a deleted user: deletion marks, accounting and mail records. */
const RETAINED = [
  'billing.checkout_intents',
  'billing.invoices',
  'billing.subscribers',
  'billing.subscriptions',
  'credits.deleted_users',
  'profile.deleted_users',
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
  const bus = createKafka({
    settings: readKafkaSettings({ KAFKA_BROKERS: system.backing.kafkaBrokers }),
    clientId: 'delayed',
    log: createLog('delayed', 'silent'),
  });
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

test('a deleted user loses sessions, plan and picture; anonymous accounting stays, delayed events restore nothing, and the email can be used again', async ({
  system,
}) => {
  const db = await createConnection({ uri: system.backing.databaseAdminUrl, timezone: 'Z' });
  const user = newUser({ firstName: 'Thandi', lastName: 'Dlamini' });
  const form = new FormData();
  form.set('userData', JSON.stringify(user));
  const { buffer, mimeType, name } = pictureFile();
  form.set('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
  expect((await callApi(`${system.publicUrl}/signup`, 'POST', { body: form })).status).toBe(201);
  const sessions = [await logIn(system, user), await logIn(system, user)] as const;
  const [session] = sessions;
  const xsl = await payAtProvider(system, session);
  await callApi(`${system.publicUrl}/user-payment`, 'PUT', { token: session.token, body: { xsl } });
  await callApi(`${system.publicUrl}/api/credits/spend`, 'POST', {
    token: session.token,
    headers: { 'idempotency-key': 'deletion-1' },
    body: { reason: 'email_found', reference: 'linkedin.com/in/one' },
  });
  const before = await readUser(system, session);
  const customer = before.stripe_customer_id ?? '';
  const picture = `${system.publicUrl}/profile_pictures/${before.picture}`;
  expect((await fetch(picture)).status).toBe(200);
  expect(await subscriptionsOf(system, customer)).toEqual(['active']);

  const admin = await logInAdmin(system);
  const edit = new FormData();
  const { email, password, ...fields } = user;
  const login = { email, password };
  edit.set('userData', JSON.stringify({ ...fields, city: 'Durban' }));
  expect(
    (await callApi(`${system.publicUrl}/users/${session.id}`, 'PUT', { token: admin, body: edit })).status,
  ).toBe(200);
  const remove = await callApi(`${system.publicUrl}/users/${session.id}`, 'DELETE', { token: admin });
  expect(remove.status).toBe(200);

  // At once, before any consumer has handled the event.
  for (const { token } of sessions)
    expect((await callApi(`${system.publicUrl}/authentication_check`, 'GET', { token })).status).toBe(401);
  expect((await callApi(`${system.publicUrl}/login`, 'POST', { body: login })).status).toBe(401);
  expect((await fetch(picture)).status).toBe(404);
  expect((await callApi(`${system.publicUrl}/api/users/${session.id}`, 'GET', { token: admin })).status).toBe(
    404,
  );

  await expect.poll(() => subscriptionsOf(system, customer), { timeout: 30_000 }).toEqual(['canceled']);
  await expect.poll(() => tablesWith(db, session.id), { timeout: 30_000 }).toEqual(RETAINED);

  expect(await publishAgain(system, db, session.id)).toBeGreaterThan(2);
  const [invoice] = await select<{ id: string }>(
    db,
    'SELECT invoice_id AS id FROM billing.invoices WHERE user_id = ?',
    [session.id],
  );
  expect(await sendDelayedWebhooks(system, customer, invoice?.id ?? '')).toBeGreaterThan(2);
  await expect
    .poll(() => select(db, 'SELECT refunded FROM billing.invoices WHERE user_id = ?', [session.id]), {
      timeout: 30_000,
    })
    .toEqual([{ refunded: 5900 }]);
  expect(await tablesWith(db, session.id)).toEqual(RETAINED);
  expect(
    await select(db, 'SELECT email, name, granted FROM billing.subscribers WHERE user_id = ?', [session.id]),
  ).toEqual([{ email: '', name: '', granted: null }]);
  expect(
    await select(db, 'SELECT status, amount FROM billing.invoices WHERE user_id = ?', [session.id]),
  ).toEqual([{ status: 'paid', amount: 5900 }]);
  const auditLog = await callApi<{ data: { action: string }[] }>(
    `${system.publicUrl}/api/admin/audit?targetId=${session.id}`,
    'GET',
    { token: admin },
  );
  expect(auditLog.body.data.map(({ action }) => action).toSorted()).toEqual([
    'account.delete',
    'profile.update',
  ]);
  expect(JSON.stringify(auditLog.body)).not.toMatch(/thandi|dlamini|durban/i);
  const list = await callApi<{ data: unknown[] }>(`${system.publicUrl}/users?search=${user.email}`, 'GET', {
    token: admin,
  });
  expect(list.body.data).toEqual([]);

  expect((await signUp(system, user)).status).toBe(201);
  const newSession = await logIn(system, user);
  expect(newSession.id).not.toBe(session.id);
  expect(await readUser(system, newSession)).toMatchObject({
    plan: 'free',
    composed: 0,
    picture: null,
    stripe_customer_id: null,
  });
  await db.end();
});
