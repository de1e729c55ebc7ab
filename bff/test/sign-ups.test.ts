import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { fromPage, type Jar, store } from './browser.ts';
import { createFakeIdentity, PASSWORD } from './fake-identity.ts';
import { ana, MULTIPART, newEmail } from './requests.ts';
import { type Bff, refuseWith, respondWith, useBff } from './support.ts';

const MESSAGE = 'Please accept the terms to sign up.';
const TEXT = 'I accept the <terms>rules</terms>.';

const required = await useBff({ TERMS_VERSION: '2026-11', TERMS_TEXT: TEXT });
const free = await useBff();
const direct = await useBff({ LOG_IN_AFTER_SIGN_UP: 'direct' });
beforeEach(() => {
  for (const { upstream } of [required, free])
    upstream.respond = respondWith(() => ({ data: { id: uuidv7(), email: 'a@b.co' } }), 201);
});

const signUp = (bff: Bff, input: object, session: { as?: 'admin' } = {}) =>
  bff.call('signup', { ...session, body: { ...ana, email: newEmail(), password: 'secret1', ...input } });
const accountAt = ({ upstream }: Bff): unknown => upstream.requestsTo('/accounts')[0]?.json;

describe('a sign-up where terms are to be accepted', () => {
  it.each([undefined, true, '2025-01', ''])('is refused with %j and reaches no service', async (accepted) => {
    const response = await signUp(required, accepted === undefined ? {} : { termsAccepted: accepted });
    expect(response.status).toBe(400);
    expect(response.json).toMatchObject({ error: { fields: { termsAccepted: MESSAGE } } });
    expect(required.upstream.requests).toEqual([]);
  });

  it('passes the version of the accepted terms to identity, and to no other service', async () => {
    expect((await signUp(required, { termsAccepted: '2026-11' })).status).toBe(201);
    expect(accountAt(required)).toMatchObject({ termsVersion: '2026-11' });
    expect(accountAt(required)).not.toHaveProperty('termsAccepted');
    const others = required.upstream.requests.filter(({ url }) => url !== '/accounts');
    expect(others.map(({ body }) => body.toString()).join()).not.toContain('terms');
  });

  it('by an admin needs no consent and stores none', async () => {
    expect((await signUp(required, {}, { as: 'admin' })).status).toBe(201);
    expect(accountAt(required)).not.toHaveProperty('termsVersion');
  });

  it('is announced by the configuration, with the text of the operator', async () => {
    const consent = { version: '2026-11', text: TEXT };
    expect((await required.call('config')).json).toMatchObject({ consent });
  });
});

describe('a sign-up where no terms are set', () => {
  it.each([{}, { termsAccepted: '2026-11' }])('is accepted with %j and stores no consent', async (input) => {
    expect((await signUp(free, input)).status).toBe(201);
    expect(accountAt(free)).not.toHaveProperty('termsVersion');
    expect((await free.call('config')).json).toMatchObject({ consent: null });
  });
});

it.each([
  { TERMS_TEXT: 'I accept the <terms>rules.' },
  { TERMS_VERSION: 'of November' },
  { TERMS_VERSION: 'v'.repeat(41) },
])('bff does not start with %j', (change) => {
  const [name = ''] = Object.keys(change);
  expect(() => readConfig(change)).toThrow(new RegExp(`invalid .*${name}`));
});

describe('the log-in after a sign-up', () => {
  type NewUser = { data: { id: string; logIn?: { token: string; user: { id: string } } } };
  let account: ReturnType<typeof createFakeIdentity>['account'];
  beforeEach(() => {
    ({ account } = createFakeIdentity(direct));
  });

  const signUpIn = async (bff: Bff, { jar = new Map(), ...session }: { jar?: Jar; as?: 'admin' } = {}) => {
    const body = { ...ana, email: account.email, password: PASSWORD };
    const headers = fromPage(jar, { 'content-type': MULTIPART });
    const response = await bff.call('signup', { ...session, body, headers });
    store(jar, response);
    const { data } = response.json as Partial<NewUser>;
    return { status: response.status, id: data?.id, logIn: data?.logIn };
  };

  /** Has the upstream respond to this path by itself, and to all others as before. */
  const replaceReply = (path: string, replaced: Bff['upstream']['respond']): void => {
    const { respond } = direct.upstream;
    direct.upstream.respond = (request, ...rest) =>
      (request.url === path ? replaced : respond)(request, ...rest);
  };

  it('with the setting logs the new user in, in this browser, and records that like any log-in', async () => {
    const jar: Jar = new Map();
    const { status, logIn } = await signUpIn(direct, { jar });
    expect([status, logIn?.user.id]).toEqual([201, account.id]);
    const authorization = `Bearer ${logIn?.token ?? ''}`;
    const check = await direct.call('checkUser', { headers: fromPage(jar, { authorization }) });
    expect(check.status).toBe(200);
    // The session is bound to its browser.
    expect((await direct.call('checkUser', { headers: { authorization } })).status).toBe(401);
    expect(direct.upstream.requestsTo(`/accounts/${account.id}/sign-ins`)).toHaveLength(1);
  });

  it('is not begun without the setting, nor for a user whom an admin adds', async () => {
    expect(await signUpIn(direct, { as: 'admin' })).toMatchObject({ status: 201, logIn: undefined });
    expect(await direct.sessions.list(account.id)).toEqual([]);
    ({ account } = createFakeIdentity(free));
    expect(await signUpIn(free)).toMatchObject({ status: 201, logIn: undefined });
    expect(await free.sessions.list(account.id)).toEqual([]);
  });

  it('that waits for the confirmation of its address begins none: the account may be another’s', async () => {
    const data = { id: uuidv7(), email: account.email, createdAt: '' };
    replaceReply(
      '/accounts',
      respondWith(() => ({ data, isPending: true }), 201),
    );
    expect(await signUpIn(direct)).toMatchObject({ status: 201, logIn: undefined });
    expect(direct.upstream.requestsTo('/credentials/verify')).toEqual([]);
  });

  it('of a taken address begins none', async () => {
    replaceReply('/accounts', refuseWith('identity.email_taken'));
    expect((await signUpIn(direct)).status).toBe(409);
    expect(await direct.sessions.list(account.id)).toEqual([]);
  });

  it('succeeds where the log-in fails, and leads to the form', async () => {
    replaceReply('/credentials/verify', refuseWith('service.unavailable'));
    expect(await signUpIn(direct)).toEqual({ status: 201, id: account.id, logIn: undefined });
  });
});
