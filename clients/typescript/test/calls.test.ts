import { describe, expect, it } from 'vitest';
import { createClient, ShortlistError } from '../src/client.ts';
import { clientOf, createFakeApi } from './fake-api.ts';

const REASON = { reason: 'email_found' } as const;

describe('a call', () => {
  it('sends the key in its header, and nothing of it in the address', async () => {
    const api = createFakeApi();
    await clientOf(api).charge({ ...REASON, amount: 3, idempotencyKey: 'op-1' });
    const [request] = api.requests;
    expect(request?.path).toBe('/api/v1/charges');
    expect(request?.headers.get('authorization')).toMatch(/^Bearer sl_test_/);
    expect(request?.headers.get('idempotency-key')).toBe('op-1');
    expect(request?.body).toEqual({ reason: 'email_found', amount: 3 });
  });

  it.each(['lost request', 'lost reply', 'not ours'] as const)(
    'after a %s is repeated under the same key, and charges once',
    async (failure) => {
      const api = createFakeApi();
      api.failures.push(failure);
      expect(await clientOf(api).charge(REASON)).toMatchObject({ charged: 1, used: 1 });
      const keys = new Set(api.requests.map(({ headers }) => headers.get('idempotency-key')));
      expect([api.requests.length, keys.size, api.used()]).toEqual([2, 1, 1]);
      expect([...keys][0]).toMatch(/^[\da-f-]{36}$/);
    },
  );

  it.each([429, 503, 504])('that was refused by %i is repeated', async (status) => {
    const api = createFakeApi();
    api.failures.push({ status, code: 'service.unavailable' });
    expect(await clientOf(api).charge(REASON)).toMatchObject({ charged: 1 });
  });

  it.each([400, 401, 402, 403, 404, 409, 500])('that was refused by %i is not repeated', async (status) => {
    const api = createFakeApi();
    api.failures.push({ status, code: 'some.code' });
    const error = await clientOf(api)
      .charge(REASON)
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ShortlistError);
    expect(error).toMatchObject({ status, code: 'some.code', title: 'Refused', requestId: 'r-1' });
    expect((error as ShortlistError).idempotencyKey).toBe(api.requests[0]?.headers.get('idempotency-key'));
    expect(api.requests).toHaveLength(1);
  });

  it('waits as long as the server says, and not beyond its limit of time', async () => {
    const api = createFakeApi();
    api.failures.push({ status: 429, code: 'request.rate_limited', retryAfter: 1 });
    const startedAt = performance.now();
    await clientOf(api).charge(REASON);
    expect(performance.now() - startedAt).toBeGreaterThan(990);
    api.failures.push({ status: 429, code: 'request.rate_limited', retryAfter: 3_600 });
    await expect(clientOf(api).charge(REASON)).rejects.toMatchObject({
      status: 429,
      retryAfterSeconds: 3_600,
    });
  });

  it('gives up when its time is over', async () => {
    const hanging: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
      );
    const client = clientOf(createFakeApi(), { fetch: hanging, timeoutMs: 50 });
    await expect(client.me()).rejects.toMatchObject({ code: 'network.timeout', status: 0 });
  });

  it('ends with the reason of its signal', async () => {
    const api = createFakeApi();
    api.outage = 'lost request';
    const ended = new AbortController();
    const call = clientOf(api, { retries: 9 }).me({ signal: ended.signal });
    ended.abort(new Error('the user left'));
    await expect(call).rejects.toThrow('the user left');
    await expect(clientOf(api).me({ signal: ended.signal })).rejects.toThrow('the user left');
  });

  it('reads all pages of the charges', async () => {
    const api = createFakeApi();
    const ids: string[] = [];
    for await (const { id } of clientOf(api).charges({ ...REASON, pageSize: 2 })) ids.push(id);
    expect(ids).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(api.requests.map(({ path }) => path)).toEqual([
      '/api/v1/charges?reason=email_found&limit=2',
      '/api/v1/charges?reason=email_found&limit=2&cursor=2',
      '/api/v1/charges?reason=email_found&limit=2&cursor=4',
    ]);
  });

  it('needs an address and a key', () => {
    expect(() => createClient({ url: 'https://x.test', key: undefined })).toThrow(TypeError);
  });
});
