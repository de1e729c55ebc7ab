import { apiKeyEndpoints, SCOPES } from '@shortlist/contracts/api/connected-apps';
import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { days } from '@shortlist/contracts/durations';
import { apiKeyCreated, apiKeyRevoked } from '@shortlist/contracts/events/identity';
import { API_KEY_NAME_MAX, API_KEYS_MAX } from '@shortlist/contracts/limits';
import { asService } from '@shortlist/kit/http/http-client';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXPIRED_API_KEYS } from '../src/api-keys/queries.ts';
import { admin, newHash, type OpenedApiKeys, openApiKeys } from './open-api-keys.ts';

const NOT_FOUND = { status: 404, code: 'identity.api_key_not_found' };
const FULL = { status: 409, code: 'identity.api_keys_full' };
const INVALID = { status: 400, code: 'request.invalid' };

let opened: OpenedApiKeys;
let userId = '';
beforeAll(async () => {
  opened = await openApiKeys();
});
afterAll(() => opened.close());
beforeEach(async () => {
  userId = await opened.addUser();
});

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const createMany = (count: number) => Promise.allSettled(times(count).map(() => opened.create(userId)));
const codesOf = (results: PromiseSettledResult<unknown>[]): string[] =>
  results.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as { code: string }).code] : [],
  );
const working = async () => (await opened.list(userId)).filter(({ revokedAt }) => revokedAt === null);
const entriesOf = async (action: string) =>
  (await opened.ask(auditEndpoint, { targetId: userId, action }, admin)).data;

describe('an API key', () => {
  it('is listed for its user with its scopes, newest first', async () => {
    const first = await opened.create(userId);
    const second = await opened.create(userId, { name: ' Make ', scopes: [...SCOPES], expiresInDays: 30 });
    const createdAt = opened.clock().toISOString();
    expect(first).toEqual({
      id: first.id,
      name: 'Zapier',
      scopes: ['credits:read'],
      hint: 'sl_live_4k…x7Qa',
      createdAt,
      expiresAt: null,
      revokedAt: null,
      lastUsed: null,
    });
    const expiresAt = new Date(opened.clock().getTime() + days(30)).toISOString();
    expect(second).toMatchObject({ name: 'Make', scopes: SCOPES, createdAt, expiresAt });
    expect(await opened.list(userId)).toEqual([second, first]);
    expect(await opened.list(await opened.addUser())).toEqual([]);
  });

  it('is emitted and recorded when it is created and when it is deleted', async () => {
    const { id: keyId } = await opened.create(userId, { scopes: ['credits:charge', 'credits:read'] });
    await opened.revoke(userId, keyId);
    const data = {
      keyId,
      name: 'Zapier',
      scopes: ['credits:read', 'credits:charge'],
      hint: 'sl_live_4k…x7Qa',
    };
    expect(await opened.eventsOf(apiKeyCreated, userId)).toMatchObject([{ data }]);
    expect(await opened.eventsOf(apiKeyRevoked, userId)).toMatchObject([{ data: { keyId } }]);
    const state = { name: 'Zapier', scopes: 'credits:read, credits:charge', expiresAt: null };
    const by = { actorId: userId, address: '192.0.2.7' };
    expect(await entriesOf('key.create')).toMatchObject([{ ...by, before: null, after: state }]);
    expect(await entriesOf('key.revoke')).toMatchObject([{ ...by, before: state, after: null }]);
  });

  it('is deleted once by concurrent requests, and stays on the list', async () => {
    const { id } = await opened.create(userId);
    await Promise.all(times(5).map(() => opened.revoke(userId, id)));
    const revokedAt = opened.clock().toISOString();
    opened.pass(1_000);
    await opened.revoke(userId, id);
    expect(await opened.list(userId)).toMatchObject([{ id, revokedAt }]);
    expect(await opened.eventsOf(apiKeyRevoked, userId)).toHaveLength(1);
    expect(await entriesOf('key.revoke')).toHaveLength(1);
  });

  it('D1 is deleted by its own user only', async () => {
    const { id } = await opened.create(userId);
    const other = await opened.addUser();
    await expect(opened.revoke(other, id)).rejects.toMatchObject(NOT_FOUND);
    await expect(opened.revoke(userId, uuidv7())).rejects.toMatchObject(NOT_FOUND);
    expect(await working()).toHaveLength(1);
    expect(await opened.eventsOf(apiKeyRevoked, other)).toEqual([]);
  });

  it('is created once by repeated requests with the same hash, even concurrent ones', async () => {
    const hash = newHash();
    const keys = await Promise.all(times(5).map(() => opened.create(userId, { hash })));
    expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
    expect(await opened.list(userId)).toHaveLength(1);
    expect(await opened.eventsOf(apiKeyCreated, userId)).toHaveLength(1);
    expect(await entriesOf('key.create')).toHaveLength(1);
  });

  it('of another account with the same hash is refused', async () => {
    const hash = newHash();
    await opened.create(await opened.addUser(), { hash });
    await expect(opened.create(userId, { hash })).rejects.toMatchObject({ status: 500 });
    expect(await opened.list(userId)).toEqual([]);
  });

  it('is never exposed as a hash in a response, event, audit entry, data file or path', async () => {
    const hash = newHash();
    const key = await opened.create(userId, { hash });
    await opened.revoke(userId, key.id);
    const { data } = await opened.ask(
      dataExportEndpoints.identity,
      { userId, section: 'api_keys' },
      asService(),
    );
    const outbox = await opened.db.query('SELECT payload FROM outbox');
    const entries = await opened.db.query('SELECT * FROM audit_log');
    const said = JSON.stringify([key, await opened.list(userId), data, outbox, entries]);
    expect(said).toContain(key.hint);
    expect(said).not.toContain(hash);
    // The access log has the path of a request, but never its query.
    for (const { path } of Object.values(apiKeyEndpoints)) expect(path).not.toContain('hash');
  });

  it('is in the file with the data of its user', async () => {
    const { id } = await opened.create(userId, { scopes: [...SCOPES] });
    const section = { userId, section: 'api_keys' };
    const { data } = await opened.ask(dataExportEndpoints.identity, section, asService());
    expect(data).toEqual([
      {
        id,
        name: 'Zapier',
        scopes: 'credits:read, credits:charge, profile:read',
        hint: 'sl_live_4k…x7Qa',
        createdAt: opened.clock().toISOString(),
        expiresAt: null,
        revokedAt: null,
        lastUsedDay: null,
        lastUsedNetwork: '',
      },
    ]);
  });
});

describe('the keys of a user', () => {
  it(`are ${API_KEYS_MAX} at most, even if thirty are created at once`, async () => {
    const results = await createMany(30);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(API_KEYS_MAX);
    expect(new Set(codesOf(results))).toEqual(new Set([FULL.code]));
    expect(await opened.eventsOf(apiKeyCreated, userId)).toHaveLength(API_KEYS_MAX);
    await opened.create(await opened.addUser());
  });

  it('that are deleted or have expired make room for others', async () => {
    await opened.create(userId, { expiresInDays: 1 });
    await createMany(API_KEYS_MAX - 1);
    await expect(opened.create(userId)).rejects.toMatchObject(FULL);
    opened.pass(days(1) - 1);
    await expect(opened.create(userId)).rejects.toMatchObject(FULL);
    opened.pass(1);
    const { id } = await opened.create(userId);
    await expect(opened.create(userId)).rejects.toMatchObject(FULL);
    await opened.revoke(userId, id);
    await opened.create(userId);
    await expect(opened.create(userId)).rejects.toMatchObject(FULL);
  });

  it('do not exceed the limit when one is deleted while others are created', async () => {
    await createMany(API_KEYS_MAX);
    const [oldest] = (await working()).slice(-1);
    await Promise.allSettled([createMany(4), opened.revoke(userId, oldest?.id ?? ''), createMany(4)]);
    const left = await working();
    expect(left.length).toBeLessThanOrEqual(API_KEYS_MAX);
    expect(left.map(({ id }) => id)).not.toContain(oldest?.id);
  });

  it('a repeated request for the last one does not count again', async () => {
    await createMany(API_KEYS_MAX - 1);
    const hash = newHash();
    const { id } = await opened.create(userId, { hash });
    expect((await opened.create(userId, { hash })).id).toBe(id);
  });

  it('are deleted from the table 400 days after they were deleted or expired', async () => {
    const kept = await opened.create(userId);
    await opened.create(userId, { expiresInDays: 1 });
    await opened.revoke(userId, (await opened.create(userId)).id);
    const prune = async (): Promise<void> => {
      for (const { days: count, remove } of EXPIRED_API_KEYS)
        await opened.db.query(remove, [new Date(opened.clock().getTime() - days(count)), 100]);
    };
    opened.pass(days(400));
    await prune();
    expect(await opened.list(userId)).toHaveLength(3);
    opened.pass(days(1) + 1);
    await prune();
    expect(await opened.list(userId)).toEqual([kept]);
  });
});

describe('an API key is refused', () => {
  it('for an id without an account', async () => {
    await expect(opened.create(uuidv7())).rejects.toMatchObject({ code: 'identity.user_not_found' });
  });

  it.each([
    ['no name', { name: ' ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(API_KEY_NAME_MAX + 1) }, 'name'],
    ['invisible characters in its name', { name: 'Za\u200bpier' }, 'name'],
    ['two lines in its name', { name: 'Za\npier' }, 'name'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['credits:read', 'profile:write'] }, 'scopes'],
    ['a scope twice', { scopes: ['credits:read', 'credits:read'] }, 'scopes'],
    ['an end on the day it is made', { expiresInDays: 0 }, 'expiresInDays'],
    ['an end after more than a year', { expiresInDays: 367 }, 'expiresInDays'],
    ['a hash of another form', { hash: 'x'.repeat(44) }, 'hash'],
    ['a field that it does not have', { revokedAt: null }, 'revokedAt'],
  ])('D2 with %s', async (_about, change, field) => {
    const refusal = opened.create(userId, change as object);
    await expect(refusal).rejects.toMatchObject(INVALID);
    const { fields } = (await refusal.catch((error: unknown) => error)) as { fields: object };
    expect(Object.keys(fields).map((name) => name.split('.')[0])).toContain(field);
    expect(await opened.list(userId)).toEqual([]);
  });

  it('but not with a name of the maximal length', async () => {
    const name = '𝒵'.repeat(API_KEY_NAME_MAX / 2);
    expect((await opened.create(userId, { name })).name).toBe(name);
  });
});
