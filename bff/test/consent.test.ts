import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { respondWith, type Bff, type RawResponse, send, startBff } from './support.ts';

const MESSAGE = 'Please accept the terms to sign up.';
const TEXT = 'I accept the <terms>rules</terms>.';

let required: Bff;
let free: Bff;
beforeAll(async () => {
  required = await startBff(inject('sessionsRedisUrl'), { TERMS_VERSION: '2026-11', TERMS_TEXT: TEXT });
  free = await startBff(inject('sessionsRedisUrl'));
});
afterAll(() => Promise.all([required.close(), free.close()]));
beforeEach(() => {
  for (const { upstream } of [required, free]) {
    upstream.requests.length = 0;
    upstream.respond = respondWith(() => ({ data: { id: uuidv7(), email: 'a@b.co' } }), 201);
  }
});

const signUp = (bff: Bff, input: object, headers: Record<string, string> = {}): Promise<RawResponse> => {
  const account = { ...ana, email: `${uuidv7()}@talent.test`, password: 'secret1', ...input };
  return send(bff.port, '/signup', {
    method: 'POST',
    headers: { 'content-type': MULTIPART, ...headers },
    body: form(field('userData', JSON.stringify(account))),
  });
};

const accountAt = ({ upstream }: Bff): Record<string, unknown> | null => {
  const request = upstream.requests.find(({ url }) => url === '/accounts');
  return request ? (JSON.parse(request.body.toString()) as Record<string, unknown>) : null;
};

describe('a sign-up where terms are to be accepted', () => {
  it.each([{}, { termsAccepted: true }, { termsAccepted: '2025-01' }, { termsAccepted: '' }])(
    'is refused with %j and reaches no service',
    async (input) => {
      const response = await signUp(required, input);
      expect(response.status).toBe(400);
      expect(JSON.parse(response.body)).toMatchObject({ error: { fields: { termsAccepted: MESSAGE } } });
      expect(required.upstream.requests).toEqual([]);
    },
  );

  it('passes the version of the accepted terms to identity, and to no other service', async () => {
    expect((await signUp(required, { termsAccepted: '2026-11' })).status).toBe(201);
    expect(accountAt(required)).toMatchObject({ termsVersion: '2026-11' });
    expect(accountAt(required)).not.toHaveProperty('termsAccepted');
    const others = required.upstream.requests.filter(({ url }) => url !== '/accounts');
    expect(others.map(({ body }) => body.toString()).join()).not.toContain('terms');
  });

  it('by an admin needs no consent and stores none', async () => {
    const { token } = await required.sessions.begin(uuidv7(), 'admin');
    const response = await signUp(required, {}, { authorization: `Bearer ${token}` });
    expect(response.status).toBe(201);
    expect(accountAt(required)).not.toHaveProperty('termsVersion');
  });

  it('is announced by the configuration, with the text of the operator', async () => {
    const { body } = await send(required.port, '/api/config');
    expect(JSON.parse(body)).toMatchObject({ consent: { version: '2026-11', text: TEXT } });
  });
});

describe('a sign-up where no terms are set', () => {
  it.each([{}, { termsAccepted: '2026-11' }])('is accepted with %j and stores no consent', async (input) => {
    expect((await signUp(free, input)).status).toBe(201);
    expect(accountAt(free)).not.toHaveProperty('termsVersion');
    expect(JSON.parse((await send(free.port, '/api/config')).body)).toMatchObject({ consent: null });
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
