import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { identityEndpoints, type Role } from '@shortlist/contracts/api/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asService } from '@shortlist/kit/http/http-client';
import { createAdmin } from '../src/accounts/create-admin.ts';
import { findAccountByEmail } from '../src/accounts/queries.ts';
import { insertPasskey } from '../src/factors/queries.ts';
import { createHasher } from '../src/passwords/hasher.ts';
import { openIdentity } from './open-identity.ts';

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

const logIn = (password: string, role: Role) =>
  opened.identity.ask(identityEndpoints.verifyCredentials, { email: EMAIL, password, role }, client);
const entries = async () =>
  (await opened.identity.ask(auditEndpoint, { action: 'admin.log_in' }, admin)).data;

it('a log-in of an admin is in the audit log with its address, a refused one is not', async () => {
  await expect(logIn('wrong password', 'admin')).rejects.toMatchObject({ status: 401 });
  await expect(logIn('open sesame', 'user')).rejects.toMatchObject({ status: 401 });
  expect(await entries()).toEqual([]);
  await logIn('open sesame', 'admin');
  expect(await entries()).toMatchObject([
    { actorId: id, targetId: id, address: '192.0.2.7', before: null, after: null },
  ]);
});

it('a log-in of an admin with a passkey is in the audit log once it is complete, not after the password', async () => {
  await insertPasskey(opened.db.manager, {
    id: uuidv7(),
    accountId: id,
    credentialId: 'c',
    publicKey: 'k',
    signCount: 0,
    transports: '',
    name: 'Laptop',
    createdAt: new Date(),
    lastUsedAt: null,
  });
  const before = (await entries()).length;
  await logIn('open sesame', 'admin');
  expect(await entries()).toHaveLength(before);
  await opened.identity.ask(
    factorEndpoints.prove,
    { userId: id, proof: { password: 'open sesame' }, logIn: true },
    asService(),
  );
  expect(await entries()).toHaveLength(before + 1);
});
