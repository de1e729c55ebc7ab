// Everything is restored to an instant before users were deleted, and Kafka and both Redis are lost as well: only the store of the backups knows
// of the deletions.
import { minutes } from '@shortlist/contracts/durations';
import { expect, test } from '@playwright/test';
import { settleAll } from '@shortlist/kit/process/settle-all';
import { startSystem, type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { SERVICES } from '@shortlist/operator/backup/manifest';
import { type Connection, createConnection } from 'mysql2/promise';
import {
  callApi,
  chargeCredit,
  logInAdmin,
  newUser,
  payAtProvider,
  register,
  type UserSession,
} from '../../harness/client.ts';
import { select } from '../../harness/database.ts';
import { createHistory } from '../../harness/history.ts';
import { SETTLE_LIMIT_MS, waitUntilSettled } from '../../harness/settled.ts';
import { type Backups, openBackups } from './backups.ts';
import { followsFrom, readRows } from './lost-for-good.ts';
import { emptyKafka, republish, setRedisBack } from './set-back.ts';

const CONSUMERS = ['profile', 'billing', 'credits', 'worker'] as const;
const PROCESSES = ['bff', ...SERVICES] as const;

/** What each database has of a user, and of a deleted one no more. */
const TRACES = {
  identity: 'SELECT COUNT(*) AS count FROM identity.accounts WHERE id = ?',
  profile: 'SELECT COUNT(*) AS count FROM profile.profiles WHERE user_id = ?',
  billing: "SELECT COUNT(*) AS count FROM billing.subscribers WHERE user_id = ? AND email <> ''",
  credits: 'SELECT COUNT(*) AS count FROM credits.ledger WHERE user_id = ?',
  worker: "SELECT COUNT(*) AS count FROM worker.mails WHERE user_id = ? AND status = 'pending'",
};

let system: System;
let backups: Backups;
let db: Connection;
test.beforeAll(async () => {
  test.setTimeout(minutes(5));
  system = await startSystem({ hasBinaryLog: true, env: { bff: WITHOUT_LIMITS } });
  backups = await openBackups(system);
  db = await createConnection({ uri: system.backing.databaseAdminUrl, timezone: 'Z' });
});
test.afterAll(async () => {
  await db.end();
  await system.stop();
});

const has = async (service: keyof typeof TRACES, { id }: UserSession): Promise<boolean> =>
  Number((await select<{ count: number }>(db, TRACES[service], [id]))[0]?.count) > 0;

const isDeletionEmitted = async ({ id }: UserSession): Promise<boolean> =>
  (
    await select(
      db,
      `SELECT 1 FROM identity.outbox WHERE message_key = ? AND JSON_VALUE(payload, '$.type') = 'identity.UserDeleted.v1'`,
      [id],
    )
  ).length > 0;

/** A mail that waits for its next try when the backup is made, and is due after the restore. */
const addWaitingMail = ({ id }: UserSession): Promise<unknown> =>
  db.query(
    `INSERT INTO worker.mails (id, template, user_id, event_id, data, status, created_at, changed_at, next_try_at)
     SELECT UUID(), template, user_id, UUID(), data, 'pending', NOW(3), NOW(3), NOW(3) + INTERVAL 1 HOUR
     FROM worker.mails WHERE user_id = ? LIMIT 1`,
    [id],
  );

const countMails = async ({ email }: UserSession): Promise<number> => {
  const { body } = await callApi<{ data: { to: unknown }[] }>(`${system.sandboxUrl}/_sandbox/mails`, 'GET');
  return body.data.filter(({ to }) => JSON.stringify(to).includes(email)).length;
};

const deleteUser = async ({ id }: UserSession): Promise<void> => {
  const token = await logInAdmin(system);
  expect((await callApi(`${system.publicUrl}/users/${id}`, 'DELETE', { token })).status).toBe(200);
};

const settle = async (): Promise<void> =>
  expect((await waitUntilSettled(system, createHistory(), SETTLE_LIMIT_MS)).breaches).toEqual([]);

test('who was deleted stays deleted, before any service serves', async () => {
  test.setTimeout(minutes(10));
  const account = newUser();
  const leaving = await register(system, account);
  const staying = await register(system);
  await payAtProvider(system, leaving);
  expect((await chargeCredit(system, leaving, { operationId: 'one' })).status).toBe(200);
  await settle();
  await addWaitingMail(leaving);
  await backups.create();
  const at = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  await deleteUser(leaving);
  const short = await register(system); // unknown to the restored databases
  await deleteUser(short);
  await settle();
  const mails = await countMails(leaving);

  await settleAll(PROCESSES.map((name) => system.process(name).stop()));
  const before = await readRows(system, SERVICES);
  await backups.copyLogs();
  await backups.restore(at);
  for (const service of SERVICES) expect(await has(service, leaving), service).toBe(true);
  await db.query('UPDATE worker.mails SET next_try_at = NOW(3) WHERE user_id = ?', [leaving.id]);
  const lost = followsFrom(before, await readRows(system, SERVICES));
  await emptyKafka(system);
  await setRedisBack(system.backing.queueRedisUrl);
  await setRedisBack(system.backing.sessionsRedisUrl);
  await republish(system);
  for (const service of SERVICES) await system.operate(service, ['restored', '--yes']);

  // Each by itself, so that none learns of the deletion from the event of identity.
  for (const name of CONSUMERS) {
    await system.process(name).restart();
    expect(await has(name, leaving), name).toBe(false);
  }
  await system.process('identity').restart();
  expect([await has('identity', leaving), await isDeletionEmitted(short)]).toEqual([false, true]);
  await system.process('bff').restart();

  const { email, password } = account;
  const logIn = await callApi(`${system.publicUrl}/login`, 'POST', { body: { email, password } });
  expect(logIn.status).toBe(401);
  expect(await has('identity', staying)).toBe(true);
  const { breaches } = await waitUntilSettled(system, createHistory(), SETTLE_LIMIT_MS, lost);
  expect(breaches.filter((breach) => !lost(breach))).toEqual([]);
  expect(await countMails(leaving)).toBe(mails);
});
