import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { signInEndpoints } from '@shortlist/contracts/api/sessions';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { emailVerificationRequested, newDeviceUsed } from '@shortlist/contracts/events/identity';
import { asService } from '@shortlist/kit/http/http-client';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eraseUser } from '../src/accounts/delete-account.ts';
import { ana, openIdentity } from './open-identity.ts';

const ADMIN = uuidv7();
const asAdmin = { caller: { role: 'admin', userId: ADMIN, address: '192.0.2.7' } } as const;
const service = asService();

let opened: Awaited<ReturnType<typeof openIdentity>>;
let id = '';
beforeAll(async () => {
  opened = await openIdentity();
  const anonymous = { caller: { role: 'anonymous', userId: null }, timeoutMs: 30_000 } as const;
  id = (await opened.identity.ask(signUpEndpoints.register, ana, anonymous)).data.id;
});
afterAll(() => opened.close());

const view = (userId = id) =>
  opened.identity.ask(
    signInEndpoints.recordViewing,
    { id: userId, reason: 'The price looks wrong', sessionId: uuidv7() },
    asAdmin,
  );
const eventsOf = async ({ type }: { type: string }): Promise<CloudEvent<unknown>[]> =>
  (await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox'))
    .map(({ payload }) => JSON.parse(payload) as CloudEvent<unknown>)
    .filter((event) => event.type === type);

it('D7 a view by support is in the history of the user and in the audit log with the reason', async () => {
  await view();
  const asUser = { caller: { role: 'user', userId: id } } as const;
  const { data: history } = await opened.identity.ask(signInEndpoints.listSignIns, { id }, asUser);
  expect(history).toMatchObject([{ method: 'support', browser: '', place: '', isNewDevice: false }]);
  const { data: entries } = await opened.identity.ask(auditEndpoint, { targetId: id }, asAdmin);
  expect(entries).toMatchObject([
    {
      action: 'account.view',
      actorId: ADMIN,
      address: '192.0.2.7',
      after: { reason: 'The price looks wrong' },
    },
  ]);
});

it('D7 a view does not make the user’s first device a new one', async () => {
  await view();
  const origin = { browser: 'Firefox', system: 'macOS', network: '192.0.2.0/24', place: '' };
  const signIn = { id, ...origin, method: 'password', sessionId: uuidv7(), isKnownDevice: false } as const;
  await opened.identity.ask(logInEndpoints.recordSignIn, signIn, service);
  expect(await eventsOf(newDeviceUsed)).toEqual([]);
});

it('D7 admins and unknown users are not viewed', async () => {
  await expect(view(uuidv7())).rejects.toMatchObject({ code: 'identity.user_not_found' });
});

it('D7 an email that an admin causes in the user’s place has both ids', async () => {
  const caller = { role: 'user', userId: id, actorId: ADMIN, address: '192.0.2.7' } as const;
  await opened.identity.ask(signUpEndpoints.requestVerification, { id }, { caller });
  expect(await eventsOf(emailVerificationRequested)).toMatchObject([{ subject: id, data: { by: ADMIN } }]);
  const { data } = await opened.identity.ask(
    auditEndpoint,
    { targetId: id, action: 'email.request_verification' },
    asAdmin,
  );
  expect(data).toMatchObject([{ actorId: ADMIN, targetId: id }]);
});

it('D7 a view during the deletion of the user is refused, so that its reason is stored nowhere', async () => {
  let viewing: Promise<string> | undefined;
  await opened.db.transaction(async (tx) => {
    await eraseUser(tx, { id, caller: asAdmin.caller, clock: () => new Date() });
    viewing = view().then(
      () => 'viewed',
      ({ code }: { code: string }) => code,
    );
    await opened.untilAccountLocked();
  });
  expect(await viewing).toBe('identity.user_not_found');
  const rows = await opened.db.query('SELECT after_state FROM audit_log WHERE target_id = ?', [id]);
  expect(JSON.stringify(rows)).not.toContain('price looks wrong');
});
