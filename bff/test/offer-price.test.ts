import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { type Bff, refuseWith, respondWith, startBff } from './support.ts';

const STRIPE_PRICE = { amount: 7_900, currency: 'eur' };

let bff: Bff;
beforeEach(async () => {
  bff = await startBff(inject('sessionsRedisUrl'), { PRICE_MINOR: '4900', CURRENCY: 'usd' });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await bff.close();
});

const readPrice = async (): Promise<unknown> => ((await bff.call('config')).json as { price: unknown }).price;
const moveTime = (ms: number): void =>
  void vi.spyOn(performance, 'now').mockReturnValue(performance.now() + ms);

describe('the price in the public configuration', () => {
  it("is billing's, read once a minute", async () => {
    bff.upstream.respond = respondWith(() => ({ data: STRIPE_PRICE }));
    expect(await Promise.all([readPrice(), readPrice(), readPrice()])).toEqual(Array(3).fill(STRIPE_PRICE));
    expect(bff.upstream.requests.map(({ url }) => url)).toEqual(['/offer']);
    moveTime(60_001);
    await readPrice();
    expect(bff.upstream.requests).toHaveLength(2);
  });

  it('is the configured one when billing was never available', async () => {
    bff.upstream.respond = refuseWith('service.unavailable');
    expect(await readPrice()).toEqual({ amount: 4_900, currency: 'usd' });
  });

  it('is the last known one when billing is slow, with a limit on the wait', async () => {
    bff.upstream.respond = respondWith(() => ({ data: STRIPE_PRICE }));
    await readPrice();
    bff.upstream.respond = () => undefined;
    moveTime(60_001);
    const startedAt = Date.now();
    expect(await readPrice()).toEqual(STRIPE_PRICE);
    expect(Date.now() - startedAt).toBeLessThan(2_000);
  });

  it('is the configured one when the response is not a price', async () => {
    bff.upstream.respond = respondWith(() => ({ data: { amount: 'x' } }));
    expect(await readPrice()).toEqual({ amount: 4_900, currency: 'usd' });
  });
});
