import type { IncomingMessage, ServerResponse } from 'node:http';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { ERRORS, type ErrorCode } from '@shortlist/contracts/errors';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { keysOfToken, nameOfSession } from '../src/session/session.ts';
import { NO_FACTORS } from './factors-reply.ts';
import { type Bff, type RawResponse, send, startBff } from './support.ts';

const EMAIL = 'ana@people.test';
const DUE_AT = '2026-04-20T08:00:00.000Z';
const DELETION = { requestedAt: '2026-03-01T12:00:00.000Z', dueAt: DUE_AT };

let bff: Bff;
let userId = '';
/** The error with which billing refuses to end the subscription. */
let refusal: ErrorCode | null = null;
let isPending = false;

const replyToDeletion = (method = ''): unknown => {
  isPending = method === 'POST' || (method === 'GET' && isPending);
  return { data: isPending ? DELETION : null, generation: 1 };
};
const verified = () => {
  const data = { id: userId, email: EMAIL, role: 'user', createdAt: '' };
  return { data: { ...data, ...(isPending ? { deletionDueAt: DUE_AT } : {}) }, factors: NO_FACTORS };
};

const replyTo = ({ method, url = '' }: IncomingMessage): unknown => {
  if (url.endsWith('/email')) return { data: { email: EMAIL, isVerified: true } };
  if (url === '/credentials/verify') return verified();
  if (url.endsWith('/revoke')) return { data: { continuation: 'ends', premiumUntil: DUE_AT } };
  if (url.endsWith('/deletion')) return replyToDeletion(method);
  return { data: { id: userId, email: EMAIL }, planState: { version: 1 } };
};

beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'));
  bff.upstream.respond = (request: IncomingMessage, response: ServerResponse) => {
    const code = request.url?.endsWith('/revoke') ? refusal : null;
    const body = code === null ? replyTo(request) : { error: { code, message: 'x' } };
    response
      .writeHead(code === null ? 200 : ERRORS[code][0], { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  };
});
afterAll(() => bff.close());
beforeEach(() => {
  bff.upstream.requests.length = 0;
  userId = uuidv7();
  refusal = null;
  isPending = false;
});

type Name = keyof typeof publicEndpoints;
const call = (name: Name, token: string, body?: object): Promise<RawResponse> => {
  const { method, path } = publicEndpoints[name];
  return send(bff.port, path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
};
const logIn = async (): Promise<{ token: string; deletionDueAt?: string }> => {
  const { body } = await send(bff.port, '/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: 'open sesame' }),
  });
  return (JSON.parse(body) as { data: { token: string; deletionDueAt?: string } }).data;
};
const sentTo = (path: string): unknown[] =>
  bff.upstream.requests
    .filter(({ url, method }) => url.endsWith(path) && method === 'POST')
    .map(({ body }) => JSON.parse(body.toString()) as unknown);

describe('the request to delete an account', () => {
  it('ends the subscription as chosen, keeps what is paid for, and ends every session', async () => {
    const [one, other] = [await logIn(), await logIn()];
    const body = { email: EMAIL, subscription: 'keep', reason: 'A new job' };
    const response = await call('requestDeletion', one.token, body);
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body)).toEqual({ message: 'deletion requested', data: DELETION });
    expect(sentTo('/revoke')).toEqual([{ when: 'period_end' }]);
    expect(sentTo('/deletion')).toEqual([{ ...body, keepUntil: DUE_AT }]);
    for (const { token } of [one, other]) expect((await call('credits', token)).status).toBe(401);
  });

  it('changes nothing for another address, nor when the subscription cannot be ended', async () => {
    const { token } = await logIn();
    const mistyped = { email: 'anna@people.test', subscription: 'end_now' };
    const response = await call('requestDeletion', token, mistyped);
    expect(response.status).toBe(400);
    expect(response.body).toContain('"email":"This is not the email of your account."');
    expect(sentTo('/revoke')).toEqual([]);
    refusal = 'billing.period_not_paid';
    expect((await call('requestDeletion', token, { email: EMAIL, subscription: 'keep' })).status).toBe(409);
    expect(sentTo('/deletion')).toEqual([]);
    expect((await call('credits', token)).status).toBe(200);
  });

  it.each(['requestDeletion', 'requestDataExport', 'downloadData'] as const)(
    '%s requires a recent proof of identity',
    async (name) => {
      const { token } = await bff.sessions.begin(userId, 'user');
      await bff.redis.hset(keysOfToken(token).session(nameOfSession(token)), 'authenticated', '0');
      const body = name === 'requestDeletion' ? { email: EMAIL, subscription: 'keep' } : undefined;
      const response = await call(name, token, body);
      expect(response.body).toContain('"session.reauthentication_required"');
    },
  );
});

describe('a log-in while the account is about to be deleted', () => {
  it('may keep the account and log out, and nothing else', async () => {
    isPending = true;
    const { token, deletionDueAt } = await logIn();
    expect(deletionDueAt).toBe(DUE_AT);
    for (const name of [
      'credits',
      'subscription',
      'dataExport',
      'listDevices',
      'factors',
      'email',
    ] as const) {
      const response = await call(name, token);
      expect(response.status, name).toBe(403);
      expect(response.body).toContain('"identity.deletion_pending"');
    }
    expect(JSON.parse((await call('checkUser', token)).body)).toMatchObject({ deletionDueAt: DUE_AT });
    expect(JSON.parse((await call('deletion', token)).body)).toMatchObject({ data: DELETION });
    expect((await call('config', token)).status).toBe(200);
    expect((await call('logout', token)).status).toBe(200);
  });

  it('opens everything again, on every device, once the account is kept', async () => {
    isPending = true;
    const [one, other] = [await logIn(), await logIn()];
    expect((await call('keepAccount', one.token)).status).toBe(200);
    isPending = false;
    for (const { token } of [one, other]) expect((await call('credits', token)).status).toBe(200);
    expect(JSON.parse((await call('checkUser', one.token)).body)).not.toHaveProperty('deletionDueAt');
  });
});
