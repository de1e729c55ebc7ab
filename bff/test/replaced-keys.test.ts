import { createSigner } from '@shortlist/kit/http/signer';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRefreshTokens } from '../src/oauth/refresh-tokens.ts';
import { createBrowser } from './browser.ts';
import { type Bff, respondAsAccount, useBff } from './support.ts';

const FORMER = 'f'.repeat(32);
const NEXT = 'n'.repeat(32);

const start = (...keys: string[]): Promise<Bff> => useBff({ XSRF_KEY: keys.join(',') });
const bffs = await Promise.all([start(FORMER), start(FORMER, NEXT), start(NEXT, FORMER), start(NEXT)]);
const [before, added, switched, after] = bffs;

describe('a signature', () => {
  it('is made with the first key and verified with all', () => {
    const [former, both, next] = [[FORMER], [NEXT, FORMER], [NEXT]].map((keys) =>
      createSigner(keys, 'notes'),
    );
    const signature = former?.sign('text') ?? '';
    expect([both?.verify('text', signature), next?.verify('text', signature)]).toEqual([true, false]);
    expect(both?.sign('text')).toBe(next?.sign('text'));
    expect(both?.verify('text', createSigner([FORMER], 'others').sign('text'))).toBe(false);
  });

  it('of a refresh token is accepted until the key is removed', () => {
    const signed = createRefreshTokens([FORMER]).sign('token');
    expect(createRefreshTokens([NEXT, FORMER]).open(signed)).toBe('token');
    expect(createRefreshTokens([NEXT]).open(signed)).toBeNull();
  });
});

describe('while XSRF_KEY is replaced', () => {
  beforeEach(() => {
    for (const { upstream } of bffs) upstream.respond = respondAsAccount(uuidv7());
  });

  const change = async (bff: Bff, headers: Record<string, string>): Promise<number> =>
    (await bff.call('chargeCredit', { headers })).status;

  it('C1 a page of either key works at every process that has both, and keeps its cookies', async () => {
    for (const origin of [before, switched]) {
      const browser = await createBrowser(origin, 'user');
      for (const bff of [added, switched]) {
        const read = await bff.call('config', { headers: browser.headers() });
        expect(read.headers['set-cookie']).toBeUndefined();
        expect(await change(bff, browser.headers())).toBe(200);
      }
    }
  });

  it('C1 a page of the former key is refused once that is removed, until it has new cookies for its session', async () => {
    const browser = await createBrowser(before, 'user');
    expect(await change(after, browser.headers())).toBe(403);
    browser.storeCookies(await after.call('config', { headers: browser.headers() }));
    expect(await change(after, browser.headers())).toBe(200);
  });
});
