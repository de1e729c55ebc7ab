import { apiKeyEndpoints } from '@shortlist/contracts/api/connected-apps';
import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { days } from '@shortlist/contracts/durations';
import { apiKeyCreated } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { asService } from '@shortlist/kit/http/http-client';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eraseUser, requestDeletion } from '../src/accounts/delete-account.ts';
import { admin, asUser, newHash, type OpenedApiKeys, openApiKeys } from './open-api-keys.ts';

const NOT_FOUND = { status: 404, code: 'identity.api_key_not_found' };

let opened: OpenedApiKeys;
let userId = '';
let email = '';
beforeAll(async () => {
  opened = await openApiKeys();
});
afterAll(() => opened.close());
beforeEach(async () => {
  userId = await opened.addUser();
  ({ email } = (await opened.ask(identityEndpoints.email, { id: userId }, asService())).data);
});

const countRows = async (): Promise<number> =>
  (await opened.db.query<unknown[]>('SELECT 1 FROM api_keys WHERE user_id = ?', [userId])).length;

describe('the owner of a key', () => {
  it('is found by the hash, with what the key may do', async () => {
    const hash = newHash();
    const { id, expiresAt } = await opened.create(userId, {
      hash,
      scopes: ['profile:read', 'credits:read'],
      expiresInDays: 7,
    });
    const owner = { id, userId, scopes: ['credits:read', 'profile:read'], expiresAt, restriction: null };
    expect(await opened.ownerOf(hash)).toEqual(owner);
  });

  it('is not found for a key that is unknown or deleted', async () => {
    await expect(opened.ownerOf(newHash())).rejects.toMatchObject(NOT_FOUND);
    const hash = newHash();
    const { id } = await opened.create(userId, { hash });
    await opened.revoke(userId, id);
    await expect(opened.ownerOf(hash)).rejects.toMatchObject(NOT_FOUND);
  });

  it('is found until the moment when the key expires', async () => {
    const hash = newHash();
    await opened.create(userId, { hash, expiresInDays: 1 });
    opened.pass(days(1) - 1);
    expect(await opened.ownerOf(hash)).toMatchObject({ userId });
    opened.pass(1);
    await expect(opened.ownerOf(hash)).rejects.toMatchObject(NOT_FOUND);
  });

  it('is restricted while a deletion of the account is requested', async () => {
    const hash = newHash();
    await opened.create(userId, { hash });
    const request = { id: userId, email, subscription: 'keep' } as const;
    await opened.ask(privacyEndpoints.requestDeletion, request, asUser(userId));
    expect(await opened.ownerOf(hash)).toMatchObject({ restriction: 'deletion' });
    const refused = { status: 403, code: 'identity.deletion_pending' };
    await expect(opened.create(userId)).rejects.toMatchObject(refused);
    await opened.ask(privacyEndpoints.cancelDeletion, { id: userId }, asUser(userId));
    expect(await opened.ownerOf(hash)).toMatchObject({ restriction: null });
    await opened.create(userId);
  });

  it('is unknown after the account was deleted, and no row and no name is left', async () => {
    const hash = newHash();
    const { id } = await opened.create(userId, { hash, name: 'Marta’s Zap' });
    await opened.revoke(userId, (await opened.create(userId, { name: 'Marta’s Zap' })).id);
    await opened.ask(privacyEndpoints.eraseUser, { id: userId }, admin);
    await expect(opened.ownerOf(hash)).rejects.toMatchObject(NOT_FOUND);
    await expect(opened.revoke(userId, id)).rejects.toMatchObject(NOT_FOUND);
    expect(await countRows()).toBe(0);
    const { data } = await opened.ask(auditEndpoint, { targetId: userId }, admin);
    expect(data.map(({ action }) => action)).toContain('key.create');
    expect(JSON.stringify(data)).not.toContain('Marta’s Zap');
  });
});

/** The error code of creating a key while another transaction has locked the account and then commits. */
const createDuring = async (work: (tx: Tx) => Promise<unknown>): Promise<string> => {
  let creation: Promise<string> | undefined;
  await opened.db.transaction(async (tx) => {
    await work(tx);
    creation = opened.create(userId, { name: 'Marta’s Zap' }).then(
      () => 'created',
      ({ code }: { code: string }) => code,
    );
    await opened.untilAccountLocked();
  });
  return (await creation) ?? '';
};

describe('a key that is created at the moment', () => {
  it('of the deletion of the account is refused, so that its name is stored nowhere', async () => {
    const { clock } = opened;
    const erase = (tx: Tx) => eraseUser(tx, { id: userId, caller: admin.caller, clock });
    expect(await createDuring(erase)).toBe('identity.user_not_found');
    expect(await countRows()).toBe(0);
    const entries = await opened.db.query('SELECT after_state FROM audit_log');
    expect(JSON.stringify(entries)).not.toContain('Marta’s Zap');
    expect(await opened.eventsOf(apiKeyCreated, userId)).toEqual([]);
  });

  it('at which the deletion is requested is refused', async () => {
    const { clock } = opened;
    const { caller } = asUser(userId);
    const details = { email, keepUntil: null, subscription: 'keep', reason: '' } as const;
    const request = (tx: Tx) => requestDeletion(tx, { id: userId, ...details, caller, clock });
    expect(await createDuring(request)).toBe('identity.deletion_pending');
    expect(await countRows()).toBe(0);
  });
});

describe('the last use of a key', () => {
  const HOME = '192.0.2.0/24';
  const use = (keyId: string, day: string, network: string) =>
    opened.ask(apiKeyEndpoints.recordKeyUse, { keyId, day, network }, asService());
  const lastUsed = async () => (await opened.list(userId))[0]?.lastUsed;

  it('is the latest day, with the network that was reported last', async () => {
    const { id } = await opened.create(userId);
    await use(id, '2026-03-09', HOME);
    expect(await lastUsed()).toEqual({ day: '2026-03-09', network: HOME });
    await use(id, '2026-03-09', '198.51.100.0/24');
    expect(await lastUsed()).toEqual({ day: '2026-03-09', network: '198.51.100.0/24' });
    await use(id, '2026-03-10', '');
    expect(await lastUsed()).toEqual({ day: '2026-03-10', network: '' });
    await use(id, '2026-03-10', '');
    await use(id, '2026-02-28', HOME);
    expect(await lastUsed()).toEqual({ day: '2026-03-10', network: '' });
  });

  it('is the latest day even if reports arrive concurrently', async () => {
    const { id } = await opened.create(userId);
    const days = ['2026-03-11', '2026-03-12', '2026-03-10', '2026-03-12', '2026-03-09'];
    await Promise.all(days.map((day) => use(id, day, HOME)));
    expect(await lastUsed()).toEqual({ day: '2026-03-12', network: HOME });
  });

  it('of an unknown or deleted key changes nothing, without an error', async () => {
    const { id } = await opened.create(userId);
    await opened.revoke(userId, id);
    await use(id, '2026-03-10', HOME);
    await use(uuidv7(), '2026-03-10', HOME);
    expect(await lastUsed()).toBeNull();
  });

  it.each([{ day: '10.03.2026' }, { day: '' }, { network: 'x'.repeat(51) }])(
    'D2 is refused: %o',
    async (change) => {
      const { id: keyId } = await opened.create(userId);
      const report = { keyId, day: '2026-03-10', network: HOME, ...change };
      const refused = { status: 400, code: 'request.invalid' };
      await expect(opened.ask(apiKeyEndpoints.recordKeyUse, report, asService())).rejects.toMatchObject(
        refused,
      );
    },
  );
});
