import { recordAction } from '@shortlist/audit/audit-log';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { emailChangeEndpoints } from '@shortlist/contracts/api/email';
import {
  type EmailChangeRequested,
  emailChangeRequested,
  passwordResetRequested,
  userDeleted,
} from '@shortlist/contracts/events/identity';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { ACCOUNT_COPIES_MAX, identityEndpoints } from '@shortlist/contracts/api/identity';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { inTransaction } from '@shortlist/kit/data/db';
import { asService } from '@shortlist/kit/http/http-client';
import { keepRows } from '@shortlist/kit/testing/databases';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eraseUser, repeatDeletion } from '../src/accounts/delete-account.ts';
import { recordAddedFactor, removeTotp } from '../src/factors/change-factors.ts';
import { restoreAccounts } from '../src/restore/restore-accounts.ts';
import { admin, asUser, openApiKeys, type OpenedApiKeys } from './open-api-keys.ts';
import { ana } from './open-identity.ts';

const PASSWORD = ana.password;
const LATER = 'a later password';
const anonymous = { caller: { role: 'anonymous', userId: null } } as const;

let opened: OpenedApiKeys;
beforeAll(async () => {
  opened = await openApiKeys();
});
afterAll(() => opened.close());

type User = { id: string; email: string };
const addUser = async (): Promise<User> => {
  const account = { ...ana, email: `${uuidv7()}@people.test` };
  return (await opened.ask(signUpEndpoints.register, account, admin)).data;
};
const logIn = (email: string, password: string) =>
  opened.ask(logInEndpoints.verifyCredentials, { email, password, role: 'user' }, anonymous);
const WRONG = { code: 'identity.credentials_wrong' };

const untilPublished = (): Promise<void> =>
  until('every event to be published', async () => {
    const [row] = await opened.db.query<{ count: string }[]>(
      'SELECT COUNT(*) AS count FROM outbox WHERE published_at IS NULL',
    );
    return Number(row?.count) === 0;
  });

const restore = async (since = new Date(0)): Promise<string[]> => {
  const lines: string[] = [];
  const { db, clock, identity } = opened;
  await restoreAccounts({
    db,
    clock,
    since,
    bus: identity.bus,
    print: (line) => lines.push(line),
  });
  return lines;
};

it('accounts that were set back are as their events say, and nobody gets in with a former password', async () => {
  const [unchanged, deleted, careful, moved, holder] = [
    await addUser(),
    await addUser(),
    await addUser(),
    await addUser(),
    await addUser(),
  ];
  const key = await opened.create(holder.id);
  const setBack = await keepRows(opened.db, ['accounts', 'api_keys']);

  opened.pass(60_000);
  await inTransaction(opened.db, (tx) =>
    eraseUser(tx, { id: deleted.id, caller: admin.caller, clock: opened.clock }),
  );
  const self = { caller: { role: 'user', userId: careful.id } } as const;
  const passwords = { id: careful.id, currentPassword: PASSWORD, password: LATER };
  await opened.ask(identityEndpoints.changePassword, passwords, self);
  const email = `${uuidv7()}@moved.test`;
  const asMoved = { caller: { role: 'user', userId: moved.id } } as const;
  await opened.ask(
    emailChangeEndpoints.requestEmailChange,
    { id: moved.id, email, currentPassword: PASSWORD },
    asMoved,
  );
  const [requested] = await opened.eventsOf<EmailChangeRequested>(emailChangeRequested, moved.id);
  const order = {
    purpose: 'email_change',
    userId: moved.id,
    reference: requested?.data.changeId ?? '',
  } as const;
  const { data: issued } = await opened.ask(identityEndpoints.issueMailedToken, order, asService());
  await opened.ask(emailChangeEndpoints.confirmEmailChange, { token: issued.token }, anonymous);
  await opened.revoke(holder.id, key.id);
  const late = await addUser();
  await untilPublished();

  await setBack();
  await logIn(careful.email, PASSWORD); // the password that the user gave up holds again
  opened.pass(60_000);
  const report = await restore();

  await logIn(unchanged.email, PASSWORD);
  for (const { email: former } of [deleted, careful, moved, late])
    await expect(logIn(former, PASSWORD), former).rejects.toMatchObject(WRONG);
  await expect(logIn(careful.email, LATER)).rejects.toMatchObject(WRONG);
  await expect(logIn(email, PASSWORD)).rejects.toMatchObject(WRONG);
  for (const { id } of [careful, moved, late])
    expect(await opened.eventsOf(passwordResetRequested, id), 'a mail to set a new password').toHaveLength(1);
  const address = await opened.ask(identityEndpoints.email, { id: moved.id }, asService());
  expect(address.data.email).toBe(email);
  expect((await opened.list(holder.id)).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
  expect(report).toEqual(
    expect.arrayContaining([
      `${deleted.id}\tdeleted since: deleted again`,
      `${careful.id}\tlost its sessions or factors since: needs a new password`,
      `${moved.id}\thas the later address; lost its sessions or factors since: needs a new password`,
      `${late.id}\tregistered since: needs a new password`,
    ]),
  );
  expect(report.at(-2)).toMatch(/^4 of \d+ accounts/);

  await untilPublished();
  expect((await restore()).at(-2), 'a repeated run changes nothing').toMatch(/^0 of \d+ accounts/);
});

it('factors and requests that were lost are as their events say, and who lost a factor needs a new password', async () => {
  const { db, clock } = opened;
  const [removed, added, leaving, staying] = [
    await addUser(),
    await addUser(),
    await addUser(),
    await addUser(),
  ];
  const leave = ({ id, email }: User) =>
    opened.ask(privacyEndpoints.requestDeletion, { id, email, subscription: 'keep', reason: '' }, asUser(id));
  await db.query(
    "INSERT INTO totp_secrets (account_id, secret, key_id, confirmed_at, created_at) VALUES (?, '', '', NOW(3), NOW(3))",
    [removed.id],
  );
  await leave(staying);
  await untilPublished();
  const setBack = await keepRows(opened.db, ['accounts', 'totp_secrets', 'deletions', 'outbox']);

  opened.pass(60_000);
  await inTransaction(db, (tx) => removeTotp(tx, { accountId: removed.id, ...asUser(removed.id), clock }));
  await inTransaction(db, (tx) =>
    recordAddedFactor(tx, { accountId: added.id, factor: 'passkey', ...asUser(added.id), clock }),
  );
  const { data: deletion } = await leave(leaving);
  await opened.ask(privacyEndpoints.cancelDeletion, { id: staying.id }, asUser(staying.id));
  await untilPublished();

  await setBack();
  opened.pass(60_000);
  const report = await restore();
  const factors = await opened.ask(factorEndpoints.getFactors, { userId: removed.id }, asUser(removed.id));
  expect(factors.data).toMatchObject({ totpSince: null });
  for (const { email } of [removed, added]) await expect(logIn(email, PASSWORD)).rejects.toMatchObject(WRONG);
  const deletionOf = async ({ id }: User) =>
    (await opened.ask(privacyEndpoints.getDeletion, { id }, asUser(id))).data;
  expect(await deletionOf(leaving)).toMatchObject({ dueAt: deletion.dueAt });
  expect(await deletionOf(staying)).toBeNull();
  expect(report).toEqual(
    expect.arrayContaining([
      `${removed.id}\thas removed factors since: totp; lost its sessions or factors since: needs a new password`,
      `${added.id}\tlost its sessions or factors since: needs a new password`,
      `${staying.id}\thas cancelled its deletion since`,
    ]),
  );
  await untilPublished();
  expect((await restore()).at(-2), 'a repeated run changes nothing').toMatch(/^0 of \d+ accounts/);
});

it('users of whose deletion only the backups know are deleted again, and not created by their registration', async () => {
  const { db, clock } = opened;
  const setBack = await keepRows(opened.db, ['accounts']);
  const [known, late] = [await addUser(), await addUser()];
  await untilPublished();
  await setBack();
  // The topic has the registrations of both and no deletion.
  const lost = await restore();
  expect(lost).toEqual(expect.arrayContaining([`${known.id}\tregistered since: needs a new password`]));
  await db.query('DELETE FROM accounts WHERE id = ?', [late.id]);
  await db.query('INSERT INTO deletions_to_repeat (user_id, deleted_at) VALUES ?', [
    [known, late].map(({ id }) => [id, clock()]),
  ]);

  expect(await restore()).toEqual(expect.arrayContaining([`${known.id}\tdeleted since: deleted again`]));
  for (const { id } of [known, late])
    expect(await db.query('SELECT id FROM accounts WHERE id = ?', [id])).toEqual([]);

  // At the start of the service.
  for (const { id } of [known, late]) await inTransaction(db, (tx) => repeatDeletion(tx, { id, clock }));
  for (const { id } of [known, late])
    expect(
      (await opened.eventsOf(userDeleted, id)).length,
      'also of a user who is not stored',
    ).toBeGreaterThan(0);
  await db.query('DELETE FROM deletions_to_repeat');
});

it('a deletion that is repeated takes the account, and no admin', async () => {
  const { db, clock } = opened;
  const user = await addUser();
  await inTransaction(db, (tx) => repeatDeletion(tx, { id: user.id, clock }));
  await expect(logIn(user.email, PASSWORD)).rejects.toMatchObject(WRONG);
  const owner = await addUser();
  await db.query("UPDATE accounts SET role = 'admin' WHERE id = ?", [owner.id]);
  await inTransaction(db, (tx) => repeatDeletion(tx, { id: owner.id, clock }));
  expect(await db.query('SELECT role FROM accounts WHERE id = ?', [owner.id])).toEqual([{ role: 'admin' }]);
  expect(await opened.eventsOf(userDeleted, owner.id)).toEqual([]);
});

it('a user who registered with the address of a deleted one is created again', async () => {
  const { db, clock } = opened;
  const gone = await addUser();
  const setBack = await keepRows(opened.db, ['accounts']);
  opened.pass(60_000);
  const since = clock();
  await db.query('DELETE FROM accounts WHERE id = ?', [gone.id]);
  const account = { ...ana, email: gone.email };
  const { data: later } = await opened.ask(signUpEndpoints.register, account, admin);
  await untilPublished();
  await setBack();
  await db.query('INSERT INTO deletions_to_repeat (user_id, deleted_at) VALUES (?, ?)', [gone.id, since]);
  await restore(since);
  expect(await db.query('SELECT id FROM accounts WHERE email = ?', [gone.email])).toEqual([{ id: later.id }]);
  await db.query('DELETE FROM deletions_to_repeat');
});

it('accounts that only profile knows are there again, each once, and nobody who was deleted', async () => {
  const setBack = await keepRows(opened.db, ['accounts']);
  const [late, moved, deleted] = [await addUser(), await addUser(), await addUser()];
  const taken = await addUser();
  await setBack();
  const [known, held] = [await addUser(), await addUser()];
  const { db, clock } = opened;
  await inTransaction(db, (tx) =>
    recordAction(tx, {
      ...{ action: 'account.delete', targetId: deleted.id, after: null, clock },
      ...{ actorId: SYSTEM_ACTOR_ID, address: '' },
    }),
  );
  const copyOf = ({ id, email }: User, emailVersion = 1) => ({
    ...{ id, email, emailVersion },
    createdAt: '2026-03-01T12:00:00.000Z',
  });
  const later = `${uuidv7()}@people.test`;
  const accounts = [
    copyOf(late),
    copyOf({ ...moved, email: later }, 5),
    copyOf(deleted),
    copyOf({ ...taken, email: held.email }),
    copyOf({ ...known, email: `${uuidv7()}@people.test` }, 3),
    copyOf({ ...held, email: `${uuidv7()}@people.test` }), // older: changes nothing
  ];
  const recover = async () =>
    (await opened.ask(identityEndpoints.recoverAccounts, { accounts }, asService())).data;
  expect(await recover()).toEqual([
    { id: late.id, done: 'registered since: needs a new password' },
    { id: moved.id, done: 'registered since: needs a new password' },
    { id: taken.id, done: 'not recovered: another account has its address' },
    { id: known.id, done: 'has the later address' },
  ]);
  const addressOf = async ({ id }: User) =>
    (await opened.ask(identityEndpoints.email, { id }, asService())).data.email;
  expect(await addressOf(moved)).toBe(later);
  expect(await addressOf(known)).toBe(accounts[4]?.email);
  expect(await addressOf(held)).toBe(held.email);
  await expect(addressOf(deleted)).rejects.toMatchObject({ code: 'identity.user_not_found' });
  await expect(logIn(late.email, PASSWORD)).rejects.toMatchObject(WRONG);
  await untilPublished();
  const asked = opened.identity.bus
    .published(passwordResetRequested.topic)
    .map(({ value }) => JSON.parse(value) as { type: string; subject: string })
    .filter(({ type, subject }) => type === passwordResetRequested.type && subject === late.id);
  expect(asked, 'a link by mail').toHaveLength(1);
  expect(await recover(), 'a repeated call finds nothing').toEqual([
    { id: taken.id, done: 'not recovered: another account has its address' },
  ]);
});

it('a page of payers, and one of what profile knows, are more than a client may send', async () => {
  const { id, email } = await addUser();
  const ids = Array.from({ length: 500 }, () => uuidv7());
  const known = (await opened.ask(identityEndpoints.listUnknownAccounts, { ids: [...ids, id] }, asService()))
    .data;
  expect(known).toEqual(ids);
  const copy = {
    id,
    email: email.padStart(254, 'x'),
    emailVersion: 0,
    createdAt: '2026-03-01T12:00:00.000Z',
  };
  const accounts = Array.from({ length: ACCOUNT_COPIES_MAX }, () => copy);
  expect((await opened.ask(identityEndpoints.recoverAccounts, { accounts }, asService())).data).toEqual([]);
});
