// The rules of the code grant: OAuth 2.1, RFC 6749, 7636 (PKCE), 9207 (iss) and 9700 (best current practice).
import { connectionEnded } from '@shortlist/contracts/events/identity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ToolRow } from '../src/tools/queries.ts';
import { createProof, ISSUER, type OpenedOauth, openOauth, REDIRECT, type Reply } from './open-oauth.ts';

let opened: OpenedOauth;
let tool: ToolRow;
let userId = '';
beforeAll(async () => {
  opened = await openOauth();
  tool = await opened.addTool();
});
afterAll(() => opened.close());
beforeEach(async () => {
  userId = await opened.addUser();
});

const errorOf = ({ status, body }: Reply): [number, string | undefined] => [status, body['error']];
const INVALID_GRANT = [400, 'invalid_grant'];

/** The error that the browser takes to the app. */
const redirectedError = async (fields: Record<string, string>): Promise<string | null> => {
  const { reply } = await opened.begin(tool, fields);
  const location = new URL(reply.headers.get('location') ?? '', ISSUER);
  expect(location.href.slice(0, REDIRECT.length)).toBe(REDIRECT);
  expect(location.searchParams.get('state')).toBe('a state');
  expect(location.searchParams.get('iss')).toBe(ISSUER);
  expect(location.searchParams.has('code')).toBe(false);
  return location.searchParams.get('error');
};

describe('the code grant', () => {
  it('connects an app once its user has approved it', async () => {
    const begun = await opened.begin(tool);
    expect(begun.reply.status).toBe(303);
    expect(begun.reply.headers.get('location')).toBe(`/connect?request=${begun.uid}`);
    expect(begun.requestCookie).toBe(begun.uid);
    const cookies = begun.reply.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/; samesite=lax; secure; httponly$/);
    const { returnTo } = await opened.approve(userId, { source: 'browser', request: begun.uid });
    const answer = await begun.resume(returnTo);
    expect(Object.fromEntries(answer)).toEqual({
      code: expect.any(String) as string,
      state: 'a state',
      iss: ISSUER,
    });
    const fields = { code: answer.get('code') ?? '', code_verifier: begun.verifier };
    const { headers, body } = await opened.redeem(tool, fields);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      access_token: expect.stringMatching(/^slt_[\w-]{59}$/) as string,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/) as string,
      expires_in: 3_600,
      token_type: 'Bearer',
      scope: 'credits:read credits:charge',
    });
    const owner = await opened.ownerOfToken(body['access_token'] ?? '');
    const [connection] = await opened.connections(userId);
    expect(owner).toMatchObject({
      id: connection?.id,
      userId,
      toolId: tool.id,
      scopes: ['credits:read', 'credits:charge'],
    });
    expect(connection).toMatchObject({ name: tool.name, browser: 'Firefox', system: 'macOS', endedAt: null });
  });

  it('returns the user’s refusal to the app', async () => {
    const begun = await opened.begin(tool);
    const { returnTo } = await opened.deny(userId, { source: 'browser', request: begun.uid });
    const answer = await begun.resume(returnTo);
    expect([answer.get('error'), answer.get('state'), answer.get('iss')]).toEqual([
      'access_denied',
      'a state',
      ISSUER,
    ]);
    expect(await opened.connections(userId)).toEqual([]);
  });

  it('requires approval for each request, regardless of earlier consent', async () => {
    await opened.getCode(tool, userId);
    const { uid, reply } = await opened.begin(tool);
    expect(uid).not.toBe('');
    expect(reply.headers.get('location')).toBe(`/connect?request=${uid}`);
    expect(await redirectedError({ prompt: 'none' })).toBe('consent_required');
  });

  it('D8 continues only in the browser in which it began, and only once', async () => {
    const begun = await opened.begin(tool);
    const { returnTo } = await opened.approve(userId, { source: 'browser', request: begun.uid });
    const elsewhere = await opened.send(returnTo ?? '');
    expect(elsewhere.headers.get('location')).toMatch(/^\/connect\?problem=/);
    const other = await opened.begin(tool);
    const foreign = await opened.send(returnTo ?? '', { headers: { cookie: `oauth_resume=${other.uid}` } });
    expect(foreign.headers.get('location')).not.toContain('code=');
    expect((await begun.resume(returnTo)).get('code')).not.toBeNull();
    expect((await begun.resume(returnTo)).get('code')).toBeNull();
  });
});

describe('a request without a known app or redirect URI', () => {
  it.each([
    ['an unknown tool', { client_id: '0198a0b0-0000-7000-8000-00000000000f' }],
    ['no tool', { client_id: '' }],
    ['an address that is not registered', { redirect_uri: 'https://evil.example/' }],
    ['a longer address', { redirect_uri: `${REDIRECT}more` }],
    ['another query', { redirect_uri: `${REDIRECT}?x=1` }],
    ['no address', { redirect_uri: '' }],
  ])('redirects no one: %s', async (_, fields) => {
    const { reply } = await opened.begin(tool, fields);
    expect([reply.status, reply.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/connect\?problem=\w+$/),
    ]);
  });

  it('a disabled app is refused', async () => {
    const disabled = await opened.addTool({ disabledAt: opened.clock() });
    const { reply } = await opened.begin(disabled);
    expect(reply.headers.get('location')).toMatch(/^\/connect\?problem=/);
  });

  it('but a loopback address may have any port, with the same path', async () => {
    const native = await opened.addTool({ redirectUris: ['http://127.0.0.1/callback'] });
    const begin = async (redirect: string) =>
      (await opened.begin(native, { redirect_uri: redirect })).reply.headers.get('location');
    expect(await begin('http://127.0.0.1:8400/callback')).toMatch(/^\/connect\?request=/);
    expect(await begin('http://127.0.0.1:8400/other')).toMatch(/^\/connect\?problem=/);
    expect(await begin('http://localhost:8400/callback')).toMatch(/^\/connect\?problem=/);
  });
});

describe('a request that is refused at the redirect URI', () => {
  it.each([
    ['no challenge', { code_challenge: '' }, 'invalid_request'],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method', { code_challenge_method: '' }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['an unknown scope', { scope: 'credits:read profile:write' }, 'invalid_scope'],
    ['no scope', { scope: '' }, 'invalid_scope'],
    ['OpenID Connect', { scope: 'openid credits:read' }, 'invalid_scope'],
    ['a device name of two lines', { device_name: 'a\nb' }, 'invalid_request'],
    ['a device name that is too long', { device_name: 'a'.repeat(61) }, 'invalid_request'],
  ])('has %s', async (_, fields, error) => {
    expect(await redirectedError(fields)).toBe(error);
  });

  it.each(['token', 'id_token', 'code token', 'none'])('requests the response %s', async (type) => {
    const { reply } = await opened.begin(tool, { response_type: type });
    expect(reply.headers.get('location')).toContain('error=unsupported_response_type');
  });

  it('requests more than the app may have', async () => {
    tool = await opened.addTool({ scopes: ['credits:read'] });
    expect(await redirectedError({ scope: 'credits:read credits:charge' })).toBe('invalid_scope');
    tool = await opened.addTool();
  });
});

describe('a code', () => {
  it.each([
    ['another verifier', { code_verifier: createProof().verifier }],
    ['another address', { redirect_uri: 'https://evil.example/' }],
  ])('is refused with %s, but not used up', async (_, change) => {
    const { code, verifier } = await opened.getCode(tool, userId);
    expect(errorOf(await opened.redeem(tool, { code, code_verifier: verifier, ...change }))).toEqual(
      INVALID_GRANT,
    );
    expect((await opened.redeem(tool, { code, code_verifier: verifier })).status).toBe(200);
  });

  it.each([
    ['without a verifier', { code_verifier: '' }],
    ['without an address', { redirect_uri: '' }],
  ])('is refused %s', async (_, change) => {
    const { code, verifier } = await opened.getCode(tool, userId);
    const reply = await opened.redeem(tool, { code, code_verifier: verifier, ...change });
    expect(reply.status).toBe(400);
    expect(['invalid_grant', 'invalid_request']).toContain(reply.body['error']);
  });

  it('that is unknown or another app’s is refused', async () => {
    const { code, verifier } = await opened.getCode(tool, userId);
    const other = await opened.addTool();
    expect(errorOf(await opened.redeem(other, { code, code_verifier: verifier }))).toEqual(INVALID_GRANT);
    expect(errorOf(await opened.redeem(tool, { code: 'x', code_verifier: verifier }))).toEqual(INVALID_GRANT);
  });

  it('that is used twice ends what was issued for it', async () => {
    const { code, verifier } = await opened.getCode(tool, userId);
    const fields = { code, code_verifier: verifier };
    const { access_token: access = '', refresh_token: refresh = '' } = (await opened.redeem(tool, fields))
      .body;
    expect(await opened.ownerOfToken(access)).toMatchObject({ userId });
    expect(errorOf(await opened.redeem(tool, fields))).toEqual(INVALID_GRANT);
    await expect(opened.ownerOfToken(access)).rejects.toMatchObject({ code: 'identity.token_not_found' });
    expect(errorOf(await opened.refresh(tool, refresh))).toEqual(INVALID_GRANT);
    expect(await opened.eventsOf(connectionEnded, userId)).toMatchObject([{ data: { reason: 'reuse' } }]);
  });

  it('that is used five times concurrently gives tokens at most once, and then ends the connection', async () => {
    const { code, verifier } = await opened.getCode(tool, userId);
    const fields = { code, code_verifier: verifier };
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => opened.redeem(tool, fields)));
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { body } of replies.filter(({ status }) => status === 200))
      await expect(opened.ownerOfToken(body['access_token'] ?? '')).rejects.toMatchObject({ status: 404 });
    expect(await opened.connections(userId)).toMatchObject([{ endedAt: expect.any(String) as string }]);
  });

  it('lives for a minute, and its connection is gone if the tokens are not collected', async () => {
    const { code, verifier } = await opened.getCode(tool, userId);
    await opened.db.query("UPDATE oauth_artifacts SET payload = JSON_SET(payload, '$.exp', 1)");
    expect(errorOf(await opened.redeem(tool, { code, code_verifier: verifier }))).toEqual(INVALID_GRANT);
    const [connection] = await opened.connections(userId);
    const lifetime = Date.parse(connection?.expiresAt ?? '') - opened.clock().getTime();
    expect(lifetime).toBe(10 * 60 * 1_000);
  });
});

describe('the token endpoint', () => {
  it('supports no other grant, no client secret and no token in the query', async () => {
    for (const grant of ['password', 'client_credentials', 'implicit', '']) {
      const { status } = await opened.post('/oauth/token', { client_id: tool.id, grant_type: grant });
      expect(status).toBe(400);
    }
    const secret = await opened.post('/oauth/token', {
      client_id: tool.id,
      client_secret: 'x',
      grant_type: 'refresh_token',
      refresh_token: 'x',
    });
    expect(secret.status).toBe(400);
    const { refresh } = await opened.connect(tool, userId);
    const query = `?client_id=${tool.id}&grant_type=refresh_token&refresh_token=${refresh}`;
    expect((await opened.post(`/oauth/token${query}`, {})).status).toBe(400);
    expect((await opened.refresh(tool, refresh)).status).toBe(200);
  });

  it('refuses a parameter that is given twice', async () => {
    const { refresh } = await opened.connect(tool, userId);
    const fields = new URLSearchParams({
      client_id: tool.id,
      grant_type: 'refresh_token',
      refresh_token: refresh,
    });
    fields.append('refresh_token', refresh);
    const reply = await opened.send('/oauth/token', { method: 'POST', body: fields });
    expect(errorOf(reply)).toEqual([400, 'invalid_request']);
  });

  it('has no other endpoint of the library', async () => {
    for (const path of [
      '/me',
      '/oauth/jwks',
      '/jwks',
      '/reg',
      '/session/end',
      '/.well-known/openid-configuration',
    ])
      expect((await opened.send(path)).status).toBe(404);
  });

  it('is only for bff: a request without its token is refused', async () => {
    const { url } = opened.identity;
    expect((await fetch(`${url}/oauth/token`, { method: 'POST' })).status).toBe(401);
    const metadata = await fetch(`${url}/.well-known/oauth-authorization-server`);
    expect(metadata.status).toBe(401);
  });
});

describe('the metadata', () => {
  it('has what RFC 8414 requires for the supported grants, and no more', async () => {
    const { status, body } = await opened.send('/.well-known/oauth-authorization-server');
    expect(status).toBe(200);
    expect(body).toEqual({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/oauth/authorize`,
      token_endpoint: `${ISSUER}/oauth/token`,
      revocation_endpoint: `${ISSUER}/oauth/revoke`,
      device_authorization_endpoint: `${ISSUER}/oauth/device`,
      scopes_supported: ['credits:read', 'credits:charge', 'profile:read'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${ISSUER}/api/v1/reference`,
    });
  });
});
