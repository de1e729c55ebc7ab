import { describe, expect, it } from 'vitest';
import { memoryStorage, type Storage } from '../src/storage.ts';
import type { RefusedCharge } from '../src/client.ts';
import { clientOf, createFakeApi, KEY } from './fake-api.ts';

const QUEUED = { reason: 'email_found', whenOffline: 'queue' } as const;
const HOUR = 60 * 60 * 1_000;

/** A client that knows the balance, and then loses the server. */
const goOffline = async (limit = 500, storage: Storage = memoryStorage()) => {
  const api = createFakeApi(limit);
  const refused: RefusedCharge[] = [];
  let time = 0;
  const options = {
    storage,
    retries: 0,
    now: () => time,
    onRefused: (each: RefusedCharge) => void refused.push(each),
  };
  const client = clientOf(api, options);
  await client.entitlements();
  api.outage = 'lost request';
  return { api, client, refused, options, pass: (ms: number) => void (time += ms) };
};

const keysOf = (api: { requests: { headers: Headers }[] }) =>
  api.requests.flatMap(({ headers }) => headers.get('idempotency-key') ?? []);

describe('entitlements', () => {
  it('ask for a body only when they have changed', async () => {
    const api = createFakeApi();
    const client = clientOf(api);
    const [first, second] = [await client.entitlements(), await client.entitlements()];
    expect(second).toEqual({ ...first, receivedAt: second.receivedAt });
    expect(api.requests[1]?.headers.get('if-none-match')).toBe('"0"');
  });

  it('are the last ones for a day, marked as stale', async () => {
    const { client, pass, api, options } = await goOffline();
    pass(24 * HOUR);
    expect(await client.entitlements()).toMatchObject({ isStale: true, credits: { available: 500 } });
    expect(await clientOf(api, options).entitlements()).toMatchObject({ isStale: true });
    pass(1);
    await expect(client.entitlements()).rejects.toMatchObject({ code: 'network.unreachable' });
  });

  it('are never those of another user', async () => {
    const { api, options } = await goOffline();
    const other = clientOf(api, { ...options, key: KEY.replace('abcdef', 'zyxwvu') });
    await expect(other.entitlements()).rejects.toMatchObject({ code: 'network.unreachable' });
  });

  it('are not stale when the server refuses', async () => {
    const { api, client } = await goOffline();
    api.outage = { status: 401, code: 'client.key_refused' };
    await expect(client.entitlements()).rejects.toMatchObject({ code: 'client.key_refused' });
  });

  it('count down what waits', async () => {
    const { client } = await goOffline();
    await client.charge({ ...QUEUED, amount: 20 });
    expect(await client.entitlements()).toMatchObject({ credits: { used: 20, available: 480, limit: 500 } });
  });

  it('count down what waits in the order of the buckets, and allow what all of them have', async () => {
    const api = createFakeApi(30);
    api.pack = 250;
    const client = clientOf(api, { storage: memoryStorage(), retries: 0 });
    const { credits } = await client.entitlements();
    expect(credits).toMatchObject({ used: 0, available: 280, limit: 30 });
    api.outage = 'lost request';
    for (const idempotencyKey of ['a', 'b'])
      expect(await client.charge({ ...QUEUED, idempotencyKey, amount: 25 })).toMatchObject({
        isQueued: true,
      });
    expect(await client.entitlements()).toMatchObject({
      isStale: true,
      credits: {
        used: 30,
        available: 230,
        limit: 30,
        buckets: [
          { kind: 'plan', available: 0 },
          { kind: 'pack', available: 230 },
        ],
      },
    });
  });
});

describe('the queue', () => {
  it('sends what waits in order, once, before a later charge', async () => {
    const { api, client } = await goOffline();
    for (const idempotencyKey of ['a', 'b', 'c'])
      expect(await client.charge({ ...QUEUED, idempotencyKey })).toEqual({ isQueued: true, idempotencyKey });
    api.outage = null;
    api.requests.length = 0;
    expect(await client.charge({ ...QUEUED, idempotencyKey: 'd' })).toMatchObject({
      isQueued: false,
      used: 4,
    });
    expect(keysOf(api)).toEqual(['a', 'b', 'c', 'd']);
    expect(await client.pendingCharges()).toEqual([]);
    expect(await client.flush()).toEqual({ sent: [], refused: [], pending: 0, isStopped: false });
  });

  it('survives a restart, also one between the charge and its reply', async () => {
    const { api, client, options } = await goOffline();
    api.outage = 'lost reply';
    await client.charge({ ...QUEUED, amount: 7 });
    expect(api.used()).toBe(7);
    api.outage = null;
    const report = await clientOf(api, options).flush();
    expect(report.sent.map(({ reply }) => reply.charged)).toEqual([7]);
    expect([api.used(), new Set(keysOf(api)).size]).toEqual([7, 1]);
  });

  it('takes no more than the last known balance allows', async () => {
    const { client } = await goOffline(10);
    await client.charge({ ...QUEUED, amount: 8 });
    const tooMuch = client.charge({ ...QUEUED, amount: 3, idempotencyKey: 'op-1' });
    await expect(tooMuch).rejects.toMatchObject({ code: 'queue.balance_too_low', idempotencyKey: 'op-1' });
    await client.charge({ ...QUEUED, amount: 2 });
    expect((await client.pendingCharges()).map(({ amount }) => amount)).toEqual([8, 2]);
  });

  it('takes nothing when the balance is not known, or was a day ago', async () => {
    const api = createFakeApi();
    api.outage = 'lost request';
    const unknown = { code: 'queue.balance_unknown' };
    await expect(clientOf(api, { retries: 0 }).charge(QUEUED)).rejects.toMatchObject(unknown);
    const { client, pass } = await goOffline();
    pass(24 * HOUR + 1);
    await expect(client.charge(QUEUED)).rejects.toMatchObject(unknown);
    expect(await client.pendingCharges()).toEqual([]);
  });

  it('stops at a 402, reports it, and goes on when the balance is known', async () => {
    const { api, client, refused } = await goOffline(10);
    await client.charge({ ...QUEUED, amount: 4, idempotencyKey: 'a' });
    await client.charge({ ...QUEUED, amount: 4, idempotencyKey: 'b' });
    api.charged.set('of another tool', 5);
    api.outage = null;
    expect(await client.flush()).toMatchObject({
      sent: [{ reply: { charged: 4 } }],
      pending: 1,
      isStopped: true,
    });
    expect(refused).toMatchObject([{ charge: { idempotencyKey: 'b' }, error: { status: 402 } }]);
    await expect(client.charge(QUEUED)).rejects.toMatchObject({ code: 'queue.balance_too_low' });
    api.requests.length = 0;
    await client.flush();
    expect(api.requests).toEqual([]);

    api.limit = 20;
    await client.entitlements();
    expect(await client.flush()).toMatchObject({
      sent: [{ charge: { idempotencyKey: 'b' } }],
      isStopped: false,
    });
    expect(api.used()).toBe(13);
  });

  it('keeps what a refused key could not send, for one that can', async () => {
    const { api, client, options, refused } = await goOffline();
    await client.charge({ ...QUEUED, idempotencyKey: 'a' });
    api.outage = { status: 401, code: 'client.key_refused' };
    await expect(client.charge(QUEUED)).rejects.toMatchObject({ code: 'client.key_refused' });
    expect(refused).toHaveLength(1);
    api.outage = null;
    const renewed = clientOf(api, { ...options, key: `${KEY.slice(0, 24)}another-secret` });
    expect(await renewed.flush()).toMatchObject({ sent: [{ charge: { idempotencyKey: 'a' } }], pending: 0 });
  });

  it('drops a charge that can never be made, and sends the next one', async () => {
    const { api, client, refused } = await goOffline();
    await client.charge({ ...QUEUED, idempotencyKey: 'a' });
    await client.charge({ ...QUEUED, idempotencyKey: 'b' });
    api.outage = null;
    api.failures.push({ status: 409, code: 'credits.key_reused' });
    expect(await client.flush()).toMatchObject({ sent: [{ charge: { idempotencyKey: 'b' } }], pending: 0 });
    expect(refused).toMatchObject([
      { charge: { idempotencyKey: 'a' }, error: { code: 'credits.key_reused' } },
    ]);
  });

  it('gives a charge up when told to', async () => {
    const { api, client } = await goOffline();
    await client.charge({ ...QUEUED, idempotencyKey: 'a' });
    expect([await client.discardCharge('a'), await client.discardCharge('a')]).toEqual([true, false]);
    api.outage = null;
    await client.flush();
    expect(api.used()).toBe(0);
  });

  it('is in order when many charges come at once', async () => {
    const api = createFakeApi();
    const client = clientOf(api);
    await client.entitlements();
    const keys = Array.from({ length: 20 }, (_, index) => `op-${index}`);
    await Promise.all(keys.map((idempotencyKey) => client.charge({ ...QUEUED, idempotencyKey })));
    expect([keysOf(api), api.used()]).toEqual([keys, 20]);
  });
});
