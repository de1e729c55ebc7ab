import { randomBytes } from 'node:crypto';
import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { factorEndpoints, type PasskeyView } from '@shortlist/contracts/api/factors';
import { identityEndpoints, type Role } from '@shortlist/contracts/api/identity';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { asService } from '@shortlist/kit/http/http-client';
import { createAuthenticator } from './authenticator.ts';
import { ana, openIdentity } from './open-identity.ts';

const origin = 'https://app.shortlist.test';
const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
const service = asService();
const admin = { caller: { role: 'admin', userId: '0198a0b0-0000-7000-8000-00000000000a' } } as const;
const refused = { status: 400, code: 'identity.passkey_refused' };

let opened: Awaited<ReturnType<typeof openIdentity>>;
beforeAll(async () => {
  opened = await openIdentity();
});
afterAll(() => opened.close());

let userId = '';
const self = () => ({ caller: { role: 'user', userId } as const });
const register = async (): Promise<string> => {
  const email = `${uuidv7()}@people.test`;
  const { data } = await opened.identity.ask(signUpEndpoints.register, { ...ana, email }, anonymous);
  return data.id;
};
beforeEach(async () => {
  userId = await register();
});

type Device = ReturnType<typeof createAuthenticator>;
const newChallenge = (): string => randomBytes(32).toString('base64url');
const add = async (device: Device, change: { origin?: string } = {}): Promise<PasskeyView> => {
  const ceremony = { challenge: newChallenge(), origin };
  const passkey = { ...ceremony, response: device.register({ ...ceremony, ...change }) };
  const input = { userId, passkey, name: 'Laptop' };
  return (await opened.identity.ask(factorEndpoints.addPasskey, input, self())).data;
};
type Change = Partial<Parameters<Device['assert']>[0]>;
const logIn = async (device: Device, change: Change = {}, role: Role = 'user') => {
  const ceremony = { challenge: newChallenge(), origin };
  const response = device.assert({ ...ceremony, userHandle: userId, ...change });
  const input = { passkey: { ...ceremony, response }, role };
  return (await opened.identity.ask(logInEndpoints.logInWithPasskey, input, anonymous)).data;
};
const prove = (device: Device, change: Change = {}) => {
  const ceremony = { challenge: newChallenge(), origin };
  const proof = { passkey: { ...ceremony, response: device.assert({ ...ceremony, ...change }) } };
  return opened.identity.ask(logInEndpoints.prove, { userId, proof }, service);
};
const names = async () =>
  (await opened.identity.ask(factorEndpoints.getFactors, { userId }, self())).data.passkeys.map(
    ({ name }) => name,
  );

it('a passkey logs its account in, without a password', async () => {
  const device = createAuthenticator();
  await add(device);
  expect((await logIn(device)).id).toBe(userId);
  expect((await logIn(device)).id).toBe(userId);
});

it('a passkey is refused for another challenge, origin, user handle or role, and without user verification', async () => {
  const device = createAuthenticator();
  await add(device);
  await expect(logIn(device, { challenge: newChallenge() })).rejects.toMatchObject(refused);
  await expect(logIn(device, { origin: 'https://app.shortlist.evil' })).rejects.toMatchObject(refused);
  await expect(logIn(device, { userHandle: await register() })).rejects.toMatchObject(refused);
  await expect(logIn(device, {}, 'admin')).rejects.toMatchObject(refused);
  await expect(logIn(device, { isVerified: false })).rejects.toMatchObject(refused);
  await expect(logIn(createAuthenticator())).rejects.toMatchObject(refused);
});

it('as a second factor, possession is enough, but the passkey must belong to the same account', async () => {
  const device = createAuthenticator();
  await add(device);
  await prove(device, { isVerified: false });
  userId = await register();
  await expect(prove(device)).rejects.toMatchObject(refused);
});

it('a counter that does not grow is refused and recorded', async () => {
  const device = createAuthenticator();
  await add(device);
  await logIn(device, { signCount: 7 });
  await expect(logIn(device, { signCount: 7 })).rejects.toMatchObject(refused);
  await expect(logIn(device, { signCount: 0 })).rejects.toMatchObject(refused);
  await logIn(device, { signCount: 8 });
  const { data } = await opened.identity.ask(auditEndpoint, { action: 'factor.refuse_passkey' }, admin);
  expect(data.filter(({ targetId }) => targetId === userId)).toMatchObject([
    { before: { signCount: 7 }, after: { signCount: 0 } },
    { before: { signCount: 7 }, after: { signCount: 7 } },
  ]);
});

it('a registration is refused from another origin, and for a credential that exists', async () => {
  const device = createAuthenticator();
  await expect(add(device, { origin: 'https://app.shortlist.evil' })).rejects.toMatchObject(refused);
  await add(device);
  await expect(add(device)).rejects.toMatchObject({ code: 'identity.passkey_exists' });
});

it('a passkey is renamed and removed by its own account only', async () => {
  const device = createAuthenticator();
  const { id: passkeyId } = await add(device);
  const owner = userId;
  userId = await register();
  const rename = () =>
    opened.identity.ask(factorEndpoints.renamePasskey, { userId, passkeyId, name: 'Phone' }, self());
  const remove = () => opened.identity.ask(factorEndpoints.removePasskey, { userId, passkeyId }, self());
  await expect(rename()).rejects.toMatchObject({ status: 404 });
  await expect(remove()).rejects.toMatchObject({ status: 404 });
  userId = owner;
  await rename();
  expect(await names()).toEqual(['Phone']);
  await remove();
  expect(await names()).toEqual([]);
  await expect(logIn(device)).rejects.toMatchObject(refused);
});

it('an account has at most twenty passkeys, even if thirty are added at once', async () => {
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => add(createAuthenticator())));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
});

it('the options name the account, its known passkeys and the host of the pages', async () => {
  await add(createAuthenticator());
  const site = { challenge: newChallenge(), origin, brand: 'Shortlist' };
  const { data } = await opened.identity.ask(factorEndpoints.passkeyOptions, { userId, ...site }, self());
  expect(data).toMatchObject({
    challenge: site.challenge,
    rp: { id: 'app.shortlist.test', name: 'Shortlist' },
    user: { id: Buffer.from(userId).toString('base64url') },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  expect(data['excludeCredentials']).toHaveLength(1);
});

it('the fingerprint of the factors changes with each factor and with the password', async () => {
  const fingerprint = async () =>
    (await opened.identity.ask(factorEndpoints.listCredentials, { userId }, service)).data.factors
      .fingerprint;
  const before = await fingerprint();
  expect(await fingerprint()).toBe(before);
  await add(createAuthenticator());
  const withPasskey = await fingerprint();
  const change = { id: userId, currentPassword: ana.password, password: 'another sesame' };
  await opened.identity.ask(identityEndpoints.changePassword, change, self());
  expect(new Set([before, withPasskey, await fingerprint()]).size).toBe(3);
});
