// The rules of refresh tokens (OAuth 2.1, RFC 9700) and of revocation (RFC 7009), and what ends a connection.
import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { dataExportEndpoints, privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { days, hours } from '@shortlist/contracts/durations';
import { connectionEnded, type ConnectionEnded } from '@shortlist/contracts/events/identity';
import { CONNECTION_DAYS, CONNECTIONS_MAX } from '@shortlist/contracts/limits';
import { inTransaction } from '@shortlist/kit/data/db';
import { asService } from '@shortlist/kit/http/http-client';
import { untilLockWait } from '@shortlist/kit/testing/databases';
import { connectionEndpoints } from '@shortlist/contracts/api/connected-apps';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENDED_CONNECTIONS } from '../src/tools/connection-queries.ts';
import { EXPIRED_ARTIFACTS } from '../src/oauth/queries.ts';
import type { ToolRow } from '../src/tools/queries.ts';
import { admin, asUser } from './open-api-keys.ts';
import { type OpenedOauth, openOauth, type Reply, type Tokens } from './open-oauth.ts';

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
const tokensOf = ({ body }: Reply): Tokens => ({
  access: body['access_token'] ?? '',
  refresh: body['refresh_token'] ?? '',
});
const works = (token: string): Promise<boolean> =>
  opened.ownerOfToken(token).then(
    () => true,
    () => false,
  );
const revoke = (fields: Record<string, string>) =>
  opened.post('/oauth/revoke', { client_id: tool.id, ...fields });
const reasons = async () =>
  (await opened.eventsOf<{ reason: string }>(connectionEnded, userId)).map(({ data }) => data.reason);

describe('a refresh token', () => {
  it('is replaced at each use, with the same scopes or fewer', async () => {
    const first = await opened.connect(tool, userId);
    const second = tokensOf(await opened.refresh(tool, first.refresh));
    expect(new Set([first.access, first.refresh, second.access, second.refresh]).size).toBe(4);
    const fewer = await opened.refresh(tool, second.refresh, { scope: 'credits:read' });
    expect(fewer.body['scope']).toBe('credits:read');
    expect((await opened.ownerOfToken(tokensOf(fewer).access)).scopes).toEqual(['credits:read']);
    const all = await opened.refresh(tool, tokensOf(fewer).refresh);
    expect(all.body['scope']).toBe('credits:read credits:charge profile:read');
    expect(await works(first.access)).toBe(true); // until its hour is over
  });

  it('grants no scope that its user has not approved, and is not used up by the attempt', async () => {
    const { refresh } = await opened.connect(tool, userId, 'credits:read');
    const more = await opened.refresh(tool, refresh, { scope: 'credits:read credits:charge' });
    expect(errorOf(more)).toEqual([400, 'invalid_scope']);
    expect((await opened.refresh(tool, refresh)).status).toBe(200);
  });

  it('D9 that is used twice ends the connection for thief and app', async () => {
    const first = await opened.connect(tool, userId);
    const second = tokensOf(await opened.refresh(tool, first.refresh));
    expect(errorOf(await opened.refresh(tool, first.refresh))).toEqual(INVALID_GRANT);
    expect(errorOf(await opened.refresh(tool, second.refresh))).toEqual(INVALID_GRANT);
    for (const { access } of [first, second]) expect(await works(access)).toBe(false);
    expect(await reasons()).toEqual(['reuse']);
    const [event] = await opened.eventsOf<ConnectionEnded>(connectionEnded, userId);
    expect(event?.data).toMatchObject({ name: tool.name, device: '' });
  });

  it('that is used several times concurrently gives tokens at most once, and then ends the connection', async () => {
    const { refresh } = await opened.connect(tool, userId);
    // Each has found it unused before any is recorded.
    const uses = await inTransaction(opened.db, async (tx) => {
      await tx.query("SELECT id_hash FROM oauth_artifacts WHERE model = 'RefreshToken' FOR UPDATE");
      const started = [1, 2, 3].map(() => opened.refresh(tool, refresh));
      await untilLockWait(opened.db, /^UPDATE .*oauth_artifacts/s, started.length);
      return started;
    });
    const replies = await Promise.all(uses);
    const given = replies.filter(({ status }) => status === 200);
    expect(given.length).toBeLessThanOrEqual(1);
    for (const reply of given) {
      expect(await works(tokensOf(reply).access)).toBe(false);
      expect(errorOf(await opened.refresh(tool, tokensOf(reply).refresh))).toEqual(INVALID_GRANT);
    }
    expect(await reasons()).toEqual(['reuse']);
  });

  it('of another app is refused, and stays valid', async () => {
    const { refresh } = await opened.connect(tool, userId);
    expect(errorOf(await opened.refresh(await opened.addTool(), refresh))).toEqual(INVALID_GRANT);
    expect((await opened.refresh(tool, refresh)).status).toBe(200);
  });

  it(`lasts ${CONNECTION_DAYS} days after its last use`, async () => {
    const { refresh } = await opened.connect(tool, userId);
    opened.pass(days(CONNECTION_DAYS) - hours(1));
    const { refresh: next } = tokensOf(await opened.refresh(tool, refresh));
    opened.pass(days(CONNECTION_DAYS) - hours(1));
    const { refresh: last } = tokensOf(await opened.refresh(tool, next));
    opened.pass(days(CONNECTION_DAYS) + 1);
    expect(errorOf(await opened.refresh(tool, last))).toEqual(INVALID_GRANT);
  });
});

describe('an access token', () => {
  it('lasts an hour', async () => {
    const { access } = await opened.connect(tool, userId);
    opened.pass(hours(1) - 1);
    expect(await works(access)).toBe(true);
    opened.pass(1);
    expect(await works(access)).toBe(false);
  });

  it('is not accepted as a refresh token, and vice versa', async () => {
    const { access, refresh } = await opened.connect(tool, userId);
    expect(errorOf(await opened.refresh(tool, access))).toEqual(INVALID_GRANT);
    expect(await works(refresh)).toBe(false);
  });

  it('records the latest day of use and its network with the connection', async () => {
    await opened.connect(tool, userId);
    const [{ id: connectionId } = { id: '' }] = await opened.connections(userId);
    for (const day of ['2026-11-20', '2026-11-22', '2026-11-21']) {
      const use = { connectionId, day, network: '192.0.2.0/24' };
      await opened.ask(connectionEndpoints.recordConnectionUse, use, asService());
    }
    const [connection] = await opened.connections(userId);
    expect(connection?.lastUsed).toEqual({ day: '2026-11-22', network: '192.0.2.0/24' });
  });
});

describe('a revocation by the app', () => {
  it.each(['refresh', 'access'] as const)('of its %s token ends the connection', async (kind) => {
    const tokens = await opened.connect(tool, userId);
    expect((await revoke({ token: tokens[kind] })).status).toBe(200);
    expect(await works(tokens.access)).toBe(false);
    expect(errorOf(await opened.refresh(tool, tokens.refresh))).toEqual(INVALID_GRANT);
    expect(await reasons()).toEqual(['tool']);
  });

  it('succeeds for a token that is unknown or already revoked, but not without a token', async () => {
    const { refresh } = await opened.connect(tool, userId);
    for (const token of ['unknown', refresh, refresh]) expect((await revoke({ token })).status).toBe(200);
    expect(errorOf(await revoke({}))).toEqual([400, 'invalid_request']);
  });

  it("of another app's token changes nothing", async () => {
    const other = await opened.addTool();
    const { access } = await opened.connect(other, userId);
    await revoke({ token: access });
    expect(await works(access)).toBe(true);
  });

  it('while it refreshes leaves no token that works', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { refresh } = await opened.connect(tool, userId);
      const [refreshed] = await Promise.all([opened.refresh(tool, refresh), revoke({ token: refresh })]);
      if (refreshed.status === 200) expect(await works(tokensOf(refreshed).access)).toBe(false);
    }
  });
});

describe('D9 a connection', () => {
  it('ends by its own user, once, and its end is recorded', async () => {
    const { access } = await opened.connect(tool, userId);
    const [{ id } = { id: '' }] = await opened.connections(userId);
    const other = await opened.addUser();
    await expect(opened.disconnect(other, id)).rejects.toMatchObject({
      code: 'identity.connection_not_found',
    });
    await expect(opened.disconnect(userId, uuidv7())).rejects.toMatchObject({ status: 404 });
    expect(await works(access)).toBe(true);
    await Promise.all([1, 2, 3].map(() => opened.disconnect(userId, id)));
    expect(await works(access)).toBe(false);
    expect(await reasons()).toEqual(['user']);
    const { data } = await opened.ask(auditEndpoint, { targetId: userId }, admin);
    const entries = data.filter(({ action }) => action.startsWith('connection.'));
    const state = { tool: tool.name, scopes: 'credits:read, credits:charge, profile:read', device: '' };
    expect(
      entries.map(({ action, actorId, before, after }) => ({ action, actorId, state: before ?? after })),
    ).toEqual([
      { action: 'connection.end', actorId: userId, state: { ...state, reason: 'user' } },
      { action: 'connection.create', actorId: userId, state },
    ]);
  });

  it('while it refreshes leaves no token that works', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { refresh } = await opened.connect(tool, userId);
      const [{ id } = { id: '' }] = await opened.connections(userId);
      const [refreshed] = await Promise.all([opened.refresh(tool, refresh), opened.disconnect(userId, id)]);
      if (refreshed.status === 200) expect(await works(tokensOf(refreshed).access)).toBe(false);
    }
  });

  it('does not work while the account is about to be deleted, and works again if it is kept', async () => {
    const { access, refresh } = await opened.connect(tool, userId);
    const { email } = (await opened.ask(identityEndpoints.email, { id: userId }, asUser(userId))).data;
    const order = { id: userId, email, subscription: 'keep' } as const;
    await opened.ask(privacyEndpoints.requestDeletion, order, asUser(userId));
    expect(await opened.ownerOfToken(access)).toMatchObject({ restriction: 'deletion' });
    const { body } = await opened.startDevice(tool);
    const request = { source: 'device', request: body['user_code'] ?? '' } as const;
    await expect(opened.approve(userId, request)).rejects.toMatchObject({
      code: 'identity.deletion_pending',
    });
    const refused = await opened.refresh(tool, refresh);
    expect([refused.status, refused.body['error']]).toEqual([400, 'temporarily_unavailable']);
    await opened.ask(privacyEndpoints.cancelDeletion, { id: userId }, asUser(userId));
    // The token was not used up.
    const refreshed = tokensOf(await opened.refresh(tool, refresh));
    expect(await opened.ownerOfToken(refreshed.access)).toMatchObject({ restriction: null });
  });

  it('is deleted with the account, even while its device waits for the tokens', async () => {
    const { access, refresh } = await opened.connect(tool, userId);
    const { body } = await opened.startDevice(tool);
    const request = { source: 'device', request: body['user_code'] ?? '' } as const;
    await opened.approve(userId, request);
    await opened.ask(privacyEndpoints.eraseUser, { id: userId }, admin);
    expect(await works(access)).toBe(false);
    expect(errorOf(await opened.refresh(tool, refresh))).toEqual(INVALID_GRANT);
    expect(errorOf(await opened.poll(tool, body['device_code'] ?? ''))).toEqual(INVALID_GRANT);
    for (const table of ['connections', 'oauth_artifacts'])
      expect(JSON.stringify(await opened.db.query(`SELECT * FROM ${table}`))).not.toContain(userId);
  });

  it('stays when the password changes, as a key does', async () => {
    const { access } = await opened.connect(tool, userId);
    await opened.ask(identityEndpoints.endSessions, { id: userId }, asUser(userId));
    expect(await works(access)).toBe(true);
  });

  it(`is one of ${CONNECTIONS_MAX} at most, even if more are approved at once`, async () => {
    for (let index = 0; index < CONNECTIONS_MAX - 2; index += 1) await opened.connect(tool, userId);
    const started = await Promise.all([1, 2, 3, 4].map(() => opened.startDevice(tool)));
    const results = await Promise.allSettled(
      started.map(({ body }) =>
        opened.approve(userId, { source: 'device', request: body['user_code'] ?? '' }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'identity.connections_full' },
    });
    const [{ id } = { id: '' }] = await opened.connections(userId);
    await opened.disconnect(userId, id);
    await opened.connect(tool, userId);
  });

  it('is in the file with the data of its user, without its tokens', async () => {
    await opened.connect(tool, userId);
    const section = { userId, section: 'connections' };
    const { data } = await opened.ask(dataExportEndpoints.identity, section, asService());
    const [connection] = await opened.connections(userId);
    expect(data).toMatchObject([{ id: connection?.id, name: tool.name, scopes: tool.scopes.join(', ') }]);
  });

  it('is kept for 400 days after its end for the history, and used tokens for a week', async () => {
    const { refresh } = await opened.connect(tool, userId);
    await opened.refresh(tool, refresh);
    const [{ id } = { id: '' }] = await opened.connections(userId);
    await opened.disconnect(userId, id);
    const prune = async (): Promise<void> => {
      for (const { days: count, remove } of [...ENDED_CONNECTIONS, ...EXPIRED_ARTIFACTS])
        await opened.db.query(remove, [new Date(opened.clock().getTime() - days(count)), 1_000]);
    };
    const consumed = async (): Promise<number> =>
      (await opened.db.query<unknown[]>('SELECT 1 FROM oauth_artifacts WHERE consumed_at IS NOT NULL'))
        .length;
    opened.pass(days(7) + 1);
    await prune();
    expect(await consumed()).toBe(0);
    opened.pass(days(392));
    await prune();
    expect(await opened.connections(userId)).toHaveLength(1);
    opened.pass(days(2));
    await prune();
    expect(await opened.connections(userId)).toEqual([]);
  });
});
