// The rules of the device grant (RFC 8628).
import { CLIENT_ORIGIN_HEADER, connectionEndpoints } from '@shortlist/contracts/api/connected-apps';
import { minutes, seconds } from '@shortlist/contracts/durations';
import { connectionCreated } from '@shortlist/contracts/events/identity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ToolRow } from '../src/tools/queries.ts';
import { asUser } from './open-api-keys.ts';
import { ISSUER, type OpenedOauth, openOauth, type Reply } from './open-oauth.ts';

let opened: OpenedOauth;
let tool: ToolRow;
let userId = '';
beforeAll(async () => {
  opened = await openOauth();
  tool = await opened.addTool({ redirectUris: [] });
});
afterAll(() => opened.close());
beforeEach(async () => {
  userId = await opened.addUser();
});

const errorOf = ({ status, body }: Reply): [number, string | undefined] => [status, body['error']];
const start = async (fields: Record<string, string> = {}, headers = {}) => {
  const { body } = await opened.startDevice(tool, fields, headers);
  const { device_code: device = '', user_code: code = '' } = body;
  return { device, request: { source: 'device', request: code } as const, body };
};
const find = (request: { source: 'device'; request: string }) =>
  opened.ask(connectionEndpoints.findConnectionRequest, { userId, ...request }, asUser(userId));
const outcomes = (results: PromiseSettledResult<unknown>[]) => ({
  done: results.filter(({ status }) => status === 'fulfilled').length,
  codes: new Set(
    results.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : [])),
  ),
});

describe('the device grant', () => {
  it('shows a code, waits, and gives the tokens to the device once', async () => {
    const { device, request, body } = await start({ device_name: 'MacBook of Marta' });
    expect(body).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/) as string,
      verification_uri: `${ISSUER}/connect`,
      verification_uri_complete: `${ISSUER}/connect?user_code=${request.request}`,
      expires_in: 600,
    });
    expect(errorOf(await opened.poll(tool, device))).toEqual([400, 'authorization_pending']);
    expect(await opened.approve(userId, request)).toEqual({ returnTo: null });
    const tokens = await opened.poll(tool, device);
    expect(tokens.body).toMatchObject({ token_type: 'Bearer', scope: 'credits:read credits:charge' });
    expect(await opened.ownerOfToken(tokens.body['access_token'] ?? '')).toMatchObject({ userId });
    const [connection] = await opened.connections(userId);
    expect(connection).toMatchObject({ name: tool.name, device: 'MacBook of Marta', endedAt: null });
    const data = { connectionId: connection?.id, name: tool.name, device: 'MacBook of Marta' };
    expect(await opened.eventsOf(connectionCreated, userId)).toMatchObject([{ data }]);
  });

  it('shows the app, scopes, place and time of the request, for a code in any spelling', async () => {
    const origin = { browser: '', system: 'Windows', network: '192.0.2.0/24', place: 'Gävle, Sweden' };
    const header = { [CLIENT_ORIGIN_HEADER]: encodeURIComponent(JSON.stringify(origin)) };
    const { request } = await start({ device_name: 'Office' }, header);
    const spelled = request.request.toLowerCase().replace('-', ' ');
    expect((await find({ source: 'device', request: spelled })).data).toEqual({
      name: tool.name,
      logo: null,
      isVerified: true,
      scopes: ['credits:read', 'credits:charge'],
      device: 'Office',
      browser: '',
      system: 'Windows',
      place: 'Gävle, Sweden',
      requestedAt: opened.clock().toISOString(),
      code: request.request,
    });
  });

  it('slows down an app that polls more often than every five seconds', async () => {
    const { device } = await start();
    expect(errorOf(await opened.poll(tool, device))[1]).toBe('authorization_pending');
    expect(errorOf(await opened.poll(tool, device))[1]).toBe('slow_down');
    opened.pass(seconds(5));
    expect(errorOf(await opened.poll(tool, device))[1]).toBe('authorization_pending');
    opened.pass(seconds(4));
    expect(errorOf(await opened.poll(tool, device))[1]).toBe('slow_down');
  });

  it('returns the user’s refusal to the device', async () => {
    const { device, request } = await start();
    await opened.deny(userId, request);
    expect(errorOf(await opened.poll(tool, device))).toEqual([400, 'access_denied']);
    expect(await opened.connections(userId)).toEqual([]);
  });

  it('reports an expired code to the device and the user', async () => {
    const { device, request } = await start();
    opened.pass(minutes(10));
    await expect(opened.approve(userId, request)).rejects.toMatchObject({ code: 'identity.request_expired' });
    await opened.db.query("UPDATE oauth_artifacts SET payload = JSON_SET(payload, '$.exp', 1)");
    expect(errorOf(await opened.poll(tool, device))).toEqual([400, 'expired_token']);
  });

  it('gives nothing for a device code that is unknown, used or another app’s', async () => {
    const { device, request } = await start();
    await opened.approve(userId, request);
    const other = await opened.addTool();
    expect(errorOf(await opened.poll(other, device))).toEqual([400, 'invalid_grant']);
    expect(errorOf(await opened.poll(tool, 'unknown'))).toEqual([400, 'invalid_grant']);
    const { access_token: access = '' } = (await opened.poll(tool, device)).body;
    expect(errorOf(await opened.poll(tool, device))).toEqual([400, 'invalid_grant']);
    // A device code that is used twice was read by someone else.
    await expect(opened.ownerOfToken(access)).rejects.toMatchObject({ code: 'identity.token_not_found' });
  });

  it.each([
    ['an unknown scope', { scope: 'admin' }, 'invalid_scope'],
    ['no scope', { scope: '' }, 'invalid_scope'],
    ['a device name with a control character', { device_name: 'a\u202eb' }, 'invalid_request'],
    ['an unknown tool', { client_id: '0198a0b0-0000-7000-8000-00000000000f' }, 'invalid_client'],
  ])('is refused with %s', async (_, fields, error) => {
    expect((await opened.startDevice(tool, fields)).body['error']).toBe(error);
  });

  it('stores neither code in a usable form', async () => {
    const { device, request } = await start();
    const { access, refresh } = await opened.connect(tool, userId);
    const tables = ['oauth_artifacts', 'connections', 'outbox', 'audit_log'];
    const rows = await Promise.all(
      tables.map((table) => opened.db.query<unknown[]>(`SELECT * FROM ${table}`)),
    );
    const stored = JSON.stringify(rows);
    expect(stored).toContain(tool.id);
    for (const secret of [device, request.request, request.request.replace('-', ''), access, refresh])
      expect(stored).not.toContain(secret);
  });
});

describe('D8 decisions about one code', () => {
  it('that are concurrent, on several tabs: the first counts, the others get an error that says so', async () => {
    const { device, request } = await start();
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => opened.approve(userId, request)));
    expect(outcomes(results)).toEqual({ done: 1, codes: new Set(['identity.request_decided']) });
    expect(await opened.connections(userId)).toHaveLength(1);
    expect((await opened.poll(tool, device)).status).toBe(200);
  });

  it('that are concurrent and contradictory: one counts, and the device gets the same', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { device, request } = await start();
      const results = await Promise.allSettled([
        opened.approve(userId, request),
        opened.deny(userId, request),
      ]);
      expect(outcomes(results).done).toBe(1);
      const isApproved = results[0]?.status === 'fulfilled';
      expect((await opened.poll(tool, device)).body['error']).toBe(isApproved ? undefined : 'access_denied');
      for (const { id } of await opened.connections(userId)) await opened.disconnect(userId, id);
    }
  });

  it('by two users: the first gets the connection, the other nothing', async () => {
    const { device, request } = await start();
    const other = await opened.addUser();
    await opened.approve(userId, request);
    await expect(opened.approve(other, request)).rejects.toMatchObject({ code: 'identity.request_decided' });
    const { access_token: access = '' } = (await opened.poll(tool, device)).body;
    expect(await opened.ownerOfToken(access)).toMatchObject({ userId });
    expect(await opened.connections(other)).toEqual([]);
  });

  it('about an unknown code, or an app that has been disabled, are refused', async () => {
    const unknown = { source: 'device', request: 'BBBB-BBBB' } as const;
    await expect(opened.approve(userId, unknown)).rejects.toMatchObject({ code: 'identity.request_unknown' });
    const disabled = await opened.addTool();
    const { body } = await opened.startDevice(disabled);
    await opened.db.query('UPDATE tools SET disabled_at = NOW(3) WHERE id = ?', [disabled.id]);
    const request = { source: 'device', request: body['user_code'] ?? '' } as const;
    await expect(opened.approve(userId, request)).rejects.toMatchObject({ code: 'identity.tool_disabled' });
    expect((await opened.poll(disabled, body['device_code'] ?? '')).body['error']).toBe('invalid_client');
  });
});
