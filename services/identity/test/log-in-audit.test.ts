import { auditEndpoint } from '@shortlist/contracts/api/audit';
import type { Role } from '@shortlist/contracts/api/identity';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { SIGN_IN_METHODS, type SignInMethod } from '@shortlist/contracts/api/sessions';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asService } from '@shortlist/kit/http/http-client';
import { createAdmin } from '../src/team/change-admin.ts';
import { findAccountByEmail } from '../src/accounts/queries.ts';
import { createHasher } from '../src/passwords.ts';
import { ana, openIdentity } from './open-identity.ts';

const EMAIL = 'root@shortlist.test';
const admin = { caller: { role: 'admin', userId: '0198a0b0-0000-7000-8000-00000000000a' } } as const;
const client = { caller: { role: 'anonymous', userId: null, address: '192.0.2.7' } } as const;

let opened: Awaited<ReturnType<typeof openIdentity>>;
let id = '';
beforeAll(async () => {
  opened = await openIdentity();
  const hasher = await createHasher();
  await createAdmin(
    { db: opened.db, hasher, clock: () => new Date() },
    { email: EMAIL, password: 'open sesame' },
  );
  id = (await findAccountByEmail(opened.db.manager, EMAIL, 'admin'))?.id ?? '';
});
afterAll(() => opened.close());

const verify = (password: string, role: Role) =>
  opened.identity.ask(logInEndpoints.verifyCredentials, { email: EMAIL, password, role }, client);
/** bff reports a log-in when it is complete. */
const report = (userId: string, method: SignInMethod) =>
  opened.identity.ask(
    logInEndpoints.recordSignIn,
    {
      browser: '',
      system: '',
      network: '192.0.2.0/24',
      place: '',
      id: userId,
      method,
      sessionId: uuidv7(),
      isKnownDevice: false,
    },
    { caller: { role: 'service', userId: null, address: '192.0.2.7' } },
  );
const entries = async () =>
  (await opened.identity.ask(auditEndpoint, { action: 'admin.log_in' }, admin)).data;

it('a proof without a complete log-in is not in the audit log', async () => {
  await expect(verify('wrong password', 'admin')).rejects.toMatchObject({ status: 401 });
  await expect(verify('open sesame', 'user')).rejects.toMatchObject({ status: 401 });
  await verify('open sesame', 'admin');
  await opened.identity.ask(
    logInEndpoints.prove,
    { userId: id, proof: { password: 'open sesame' } },
    asService(),
  );
  expect(await entries()).toEqual([]);
});

it.each(SIGN_IN_METHODS)('a complete log-in of an admin is in the audit log, by %s', async (method) => {
  const before = (await entries()).length;
  await report(id, method);
  const [entry, ...others] = await entries();
  expect(entry).toMatchObject({
    actorId: id,
    targetId: id,
    address: '192.0.2.7',
    before: null,
    after: null,
  });
  expect(others).toHaveLength(before);
});

it('a log-in of a user is not in the audit log', async () => {
  const { data } = await opened.identity.ask(signUpEndpoints.register, ana, client);
  const before = await entries();
  await report(data.id, 'password');
  expect(await entries()).toEqual(before);
});
