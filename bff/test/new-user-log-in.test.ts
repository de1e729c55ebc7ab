import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { fromPage, type Jar, store } from './cookie-jar.ts';
import { createFakeIdentity, PASSWORD } from './fake-identity.ts';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { type Bff, send, startBff } from './support.ts';

type NewUser = { data: { id: string; logIn?: { token: string; user: { id: string } } } };

let byForm: Bff;
let direct: Bff;
beforeAll(async () => {
  byForm = await startBff(inject('sessionsRedisUrl'));
  direct = await startBff(inject('sessionsRedisUrl'), { LOG_IN_AFTER_SIGN_UP: 'direct' });
});
afterAll(() => Promise.all([byForm.close(), direct.close()]));

let identity: ReturnType<typeof createFakeIdentity>;
beforeEach(() => {
  direct.upstream.requests.length = 0;
  identity = createFakeIdentity(direct);
});

const signUp = async (bff: Bff, { email, jar = new Map() }: { email: string; jar?: Jar }, headers = {}) => {
  const response = await send(bff.port, '/signup', {
    method: 'POST',
    headers: fromPage(jar, { 'content-type': MULTIPART, ...headers }),
    body: form(field('userData', JSON.stringify({ ...ana, email, password: PASSWORD }))),
  });
  store(jar, response);
  return { status: response.status, body: JSON.parse(response.body) as NewUser };
};

/** Has the upstream respond to this path by itself, and to all others as before. */
const replaceReply = (path: string, status: number, body: object): void => {
  const { respond } = direct.upstream;
  direct.upstream.respond = (request: IncomingMessage, response: ServerResponse, sent: Buffer) => {
    if (request.url !== path) respond(request, response, sent);
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
};

describe('a sign-up', () => {
  it('begins no session by default', async () => {
    const { account } = createFakeIdentity(byForm);
    const { status, body } = await signUp(byForm, account);
    expect([status, body.data.logIn]).toEqual([201, undefined]);
    expect(await byForm.sessions.list(account.id)).toEqual([]);
  });

  it('with the setting logs the new user in, in this browser, and records that like any log-in', async () => {
    const jar: Jar = new Map();
    const { account } = identity;
    const { status, body } = await signUp(direct, { email: account.email, jar });
    expect([status, body.data.logIn?.user.id]).toEqual([201, account.id]);
    const authorization = `Bearer ${body.data.logIn?.token ?? ''}`;
    const check = await send(direct.port, '/authentication_check', {
      headers: fromPage(jar, { authorization }),
    });
    expect(check.status).toBe(200);
    // The session is bound to its browser.
    const elsewhere = await send(direct.port, '/authentication_check', { headers: { authorization } });
    expect(elsewhere.status).toBe(401);
    const recorded = direct.upstream.requests.filter(({ url }) => url === `/accounts/${account.id}/sign-ins`);
    expect(recorded).toHaveLength(1);
  });

  it('that waits for the confirmation of its address begins none: the account may be another’s', async () => {
    const { account } = identity;
    replaceReply('/accounts', 201, {
      data: { id: uuidv7(), email: account.email, createdAt: '' },
      isPending: true,
    });
    const { status, body } = await signUp(direct, account);
    expect([status, body.data.logIn]).toEqual([201, undefined]);
    expect(direct.upstream.requests.some(({ url }) => url === '/credentials/verify')).toBe(false);
  });

  it('of a taken address begins none', async () => {
    const { account } = identity;
    replaceReply('/accounts', 409, { error: { code: 'identity.email_taken', message: 'x' } });
    expect((await signUp(direct, account)).status).toBe(409);
    expect(await direct.sessions.list(account.id)).toEqual([]);
  });

  it('by an admin begins none for the user', async () => {
    const { account } = identity;
    const { token } = await direct.sessions.begin(uuidv7(), 'admin');
    const { status, body } = await signUp(direct, account, { authorization: `Bearer ${token}` });
    expect([status, body.data.logIn]).toEqual([201, undefined]);
    expect(await direct.sessions.list(account.id)).toEqual([]);
  });

  it('succeeds where the log-in fails, and leads to the form', async () => {
    const { account } = identity;
    replaceReply('/credentials/verify', 503, { error: { code: 'service.unavailable', message: 'x' } });
    const { status, body } = await signUp(direct, account);
    expect([status, body.data.id, body.data.logIn]).toEqual([201, account.id, undefined]);
  });
});
