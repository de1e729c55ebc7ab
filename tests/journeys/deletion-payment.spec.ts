import type { System } from '@shortlist/local/system';
import { createConnection } from 'mysql2/promise';
import { select } from '../../harness/database.ts';
import { callApi, logInAdmin, register, type UserSession } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';

const AT_ONCE = { timeout: 30_000 };
/** Reconciliation runs every half minute. */
const AFTER_RECONCILIATION = { timeout: 90_000 };

/** Opens the payment page of a user and returns the id of its session. */
const openPage = async (system: System, { email, token }: UserSession): Promise<string> => {
  const { body } = await callApi<{ url: string }>(`${system.publicUrl}/subscribe?email=${email}`, 'GET', {
    token,
  });
  return new URL(body.url).pathname.split('/').at(-1) ?? '';
};

const pay = ({ sandboxUrl }: System, sessionId: string) =>
  callApi<{ customer: string }>(`${sandboxUrl}/_sandbox/checkout_sessions/${sessionId}/pay`, 'POST', {
    body: {},
  });

const readStripe = async <Row>({ sandboxUrl, secrets }: System, path: string): Promise<Row> =>
  (await callApi<Row>(`${sandboxUrl}/v1/${path}`, 'GET', { token: secrets.STRIPE_SECRET_KEY })).body;

const remove = async (system: System, { id }: UserSession): Promise<void> => {
  const token = await logInAdmin(system);
  expect((await callApi(`${system.publicUrl}/users/${id}`, 'DELETE', { token })).status).toBe(200);
};

test('a payment page that is open when its user is deleted can no longer be paid', async ({ system }) => {
  const user = await register(system);
  const sessionId = await openPage(system, user);
  await remove(system, user);
  const statusOf = async (): Promise<string> =>
    (await readStripe<{ status: string }>(system, `checkout/sessions/${sessionId}`)).status;
  await expect.poll(statusOf, AT_ONCE).toBe('expired');
  expect((await pay(system, sessionId)).status).toBe(400);
});

test('a payment for a user who was deleted while Stripe was unavailable is refunded in full and alerted', async ({
  system,
}) => {
  const user = await register(system);
  const sessionId = await openPage(system, user);
  const faults = `${system.sandboxUrl}/_sandbox/faults`;
  await callApi(faults, 'PUT', { body: { path: '/v1/', status: 500, times: 10_000 } });
  await remove(system, user);
  const { customer } = (await pay(system, sessionId)).body;
  await callApi(faults, 'DELETE');

  type Charges = { data: { amount: number; amount_refunded: number }[] };
  const chargesOf = async (): Promise<number[][]> =>
    (await readStripe<Charges>(system, `charges?customer=${customer}`)).data.map((charge) => [
      charge.amount,
      charge.amount_refunded,
    ]);
  await expect.poll(chargesOf, AFTER_RECONCILIATION).toEqual([[5900, 5900]]);
  const db = await createConnection({ uri: system.backing.databaseAdminUrl, timezone: 'Z' });
  const alertsOf = () => select(db, 'SELECT kind, detail FROM billing.alerts WHERE user_id = ?', [user.id]);
  await expect
    .poll(alertsOf, AFTER_RECONCILIATION)
    .toEqual([{ kind: 'payment_of_deleted_user', detail: 'It was refunded in full.' }]);
  const entries = await select(
    db,
    "SELECT action FROM billing.audit_log WHERE target_id = ? AND action = 'payment.refund'",
    [user.id],
  );
  expect(entries).toHaveLength(1);
  await db.end();
});
