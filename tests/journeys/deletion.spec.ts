import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { createLog } from '@shortlist/kit/process/log';
import type { System } from '@shortlist/local/system';
import { createConnection, type Connection } from 'mysql2/promise';
import { uuidv7 } from 'uuidv7';
import { select } from '../../tools/audit/sources.ts';
import { ask, logIn, logInAdmin, newPerson, payAtProvider, readUser, signUp } from './client.ts';
import { pictureFile } from './picture.ts';
import { expect, test } from './system.ts';

const OWNERS = ['identity', 'profile', 'billing', 'credits', 'worker'];
/** What may still name a deleted person's id: marks that nobody comes back, accounting, and notes of what was done. */
const KEPT = [
  'billing.checkout_intents',
  'billing.invoices',
  'billing.subscribers',
  'credits.deleted_users',
  'profile.deleted_users',
  'worker.mails',
];

/** Every table that has rows of this person, by the columns that name a person. */
const tablesWith = async (db: Connection, id: string): Promise<string[]> => {
  const columns = await select<{ place: string; name: string }>(
    db,
    `SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) AS place, COLUMN_NAME AS name FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA IN (?) AND (COLUMN_NAME = 'user_id' OR (TABLE_NAME = 'accounts' AND COLUMN_NAME = 'id'))`,
    [OWNERS],
  );
  const found = new Set<string>();
  for (const { place, name } of columns) {
    const rows = await select(db, `SELECT 1 FROM ${place} WHERE ${name} = ? LIMIT 1`, [id]);
    if (rows.length > 0) found.add(place);
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

/** Tells everything about a person once more, under new ids, as if it had been on its way all the time; waits until all have heard. */
const publishAgain = async (system: System, db: Connection, id: string): Promise<number> => {
  const bus = createKafka({
    brokers: system.backing.kafkaBrokers.split(','),
    clientId: 'late',
    log: createLog('late', 'silent'),
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
  const { body } = await ask<{ data: { status: string }[] }>(
    `${sandboxUrl}/v1/subscriptions?customer=${customer}&status=all`,
    'GET',
    { token: secrets.STRIPE_SECRET_KEY },
  );
  return body.data.map(({ status }) => status);
};

/** Every webhook about a customer once more, and a new one: their payment is returned. */
const sendLateWebhooks = async (
  { sandboxUrl }: System,
  customer: string,
  invoice: string,
): Promise<number> => {
  const events = `${sandboxUrl}/_sandbox/events`;
  const { body } = await ask<{ data: { id: string }[] }>(`${events}?customer=${customer}`, 'GET');
  for (const { id } of body.data) await ask(`${events}/${id}/resend`, 'POST', { body: {} });
  await ask(`${sandboxUrl}/_sandbox/invoices/${invoice}/refund`, 'POST', { body: {} });
  return body.data.length;
};

test('somebody who is deleted is gone: sessions, plan, picture; only anonymous accounting stays, nothing late brings them back, and the address is free', async ({
  system,
}) => {
  const db = await createConnection({ uri: system.backing.databaseAdminUrl, timezone: 'Z' });
  const person = newPerson({ firstName: 'Thandi', lastName: 'Dlamini' });
  const form = new FormData();
  form.set('userData', JSON.stringify(person));
  const { buffer, mimeType, name } = pictureFile();
  form.set('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
  expect((await ask(`${system.publicUrl}/signup`, 'POST', { body: form })).status).toBe(201);
  const sessions = [await logIn(system, person), await logIn(system, person)] as const;
  const [mine] = sessions;
  const xsl = await payAtProvider(system, mine);
  await ask(`${system.publicUrl}/user-payment`, 'PUT', { token: mine.token, body: { xsl } });
  await ask(`${system.publicUrl}/api/credits/spend`, 'POST', {
    token: mine.token,
    headers: { 'idempotency-key': 'deletion-1' },
    body: { reason: 'email_found', reference: 'linkedin.com/in/one' },
  });
  const before = await readUser(system, mine);
  const customer = before.stripe_customer_id ?? '';
  const picture = `${system.publicUrl}/profile_pictures/${before.picture}`;
  expect((await fetch(picture)).status).toBe(200);
  expect(await subscriptionsOf(system, customer)).toEqual(['active']);

  const admin = await logInAdmin(system);
  const edit = new FormData();
  const { email: _email, password: _password, ...fields } = person;
  edit.set('userData', JSON.stringify({ ...fields, city: 'Durban' }));
  expect(
    (await ask(`${system.publicUrl}/users/${mine.id}`, 'PUT', { token: admin, body: edit })).status,
  ).toBe(200);
  const remove = await ask(`${system.publicUrl}/users/${mine.id}`, 'DELETE', { token: admin });
  expect(remove.status).toBe(200);

  // At once, before anybody has heard of it.
  for (const { token } of sessions)
    expect((await ask(`${system.publicUrl}/authentication_check`, 'GET', { token })).status).toBe(401);
  expect((await ask(`${system.publicUrl}/login`, 'POST', { body: person })).status).toBe(401);
  expect((await fetch(picture)).status).toBe(404);
  expect((await ask(`${system.publicUrl}/api/users/${mine.id}`, 'GET', { token: admin })).status).toBe(404);

  await expect.poll(() => subscriptionsOf(system, customer), { timeout: 30_000 }).toEqual(['canceled']);
  await expect.poll(() => tablesWith(db, mine.id), { timeout: 30_000 }).toEqual(KEPT);

  expect(await publishAgain(system, db, mine.id)).toBeGreaterThan(2);
  const [invoice] = await select<{ id: string }>(
    db,
    'SELECT invoice_id AS id FROM billing.invoices WHERE user_id = ?',
    [mine.id],
  );
  expect(await sendLateWebhooks(system, customer, invoice?.id ?? '')).toBeGreaterThan(2);
  await expect
    .poll(() => select(db, 'SELECT refunded FROM billing.invoices WHERE user_id = ?', [mine.id]), {
      timeout: 30_000,
    })
    .toEqual([{ refunded: 5900 }]);
  expect(await tablesWith(db, mine.id)).toEqual(KEPT);
  expect(
    await select(db, 'SELECT email, name, granted FROM billing.subscribers WHERE user_id = ?', [mine.id]),
  ).toEqual([{ email: '', name: '', granted: null }]);
  expect(
    await select(db, 'SELECT status, amount FROM billing.invoices WHERE user_id = ?', [mine.id]),
  ).toEqual([{ status: 'paid', amount: 5900 }]);
  const notes = await ask<{ data: { action: string }[] }>(
    `${system.publicUrl}/api/admin/audit?targetId=${mine.id}`,
    'GET',
    { token: admin },
  );
  expect(notes.body.data.map(({ action }) => action).toSorted()).toEqual([
    'account.delete',
    'profile.update',
  ]);
  expect(JSON.stringify(notes.body)).not.toMatch(/thandi|dlamini|durban/i);
  const list = await ask<{ data: unknown[] }>(`${system.publicUrl}/users?search=${person.email}`, 'GET', {
    token: admin,
  });
  expect(list.body.data).toEqual([]);

  expect((await signUp(system, person)).status).toBe(201);
  const again = await logIn(system, person);
  expect(again.id).not.toBe(mine.id);
  expect(await readUser(system, again)).toMatchObject({
    plan: 'free',
    composed: 0,
    picture: null,
    stripe_customer_id: null,
  });
  await db.end();
});
