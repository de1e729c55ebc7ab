import { topicsOf } from '@shortlist/contracts/events/catalogue';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import * as events from '@shortlist/contracts/events/credits';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { armFailPoints } from '@shortlist/kit/testing/arm-fail-points';
import { until } from '@shortlist/kit/testing/until';
import { brokenBuckets, type Credits, newUser, openCredits, period } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const premium = async (userId: string): Promise<void> => {
  const paid = period(`in_${userId}`, credits.clock());
  await credits.publish(credits.paidEvent(userId, { version: 1, paid, granted: null }));
};

describe('charging', () => {
  it('G1: sixty concurrent first charges of a new user take exactly the twenty free credits, in one window', async () => {
    const userId = newUser();
    const results = await Promise.all(times(60).map(() => credits.tryCharge(userId)));
    expect(results.filter((result) => typeof result === 'object')).toHaveLength(20);
    expect(results.filter((result) => result === 'credits.balance_too_low')).toHaveLength(40);
    expect(await credits.windows(userId)).toMatchObject([{ plan: 'free', used: 20 }]);
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('G1: concurrent first charges whose clocks differ by milliseconds open one window', async () => {
    const userId = newUser();
    await Promise.all(
      times(30).map(() => {
        credits.time.advance(1);
        return credits.tryCharge(userId);
      }),
    );
    expect(await credits.windows(userId)).toMatchObject([{ plan: 'free', used: 20 }]);
  });

  it('G1: eight hundred charges by twenty clients take exactly the five hundred credits of the window', async () => {
    const userId = newUser();
    await premium(userId);
    const results: string[] = [];
    // Without HTTP, which takes more time than the charges.
    const charge = (): Promise<string> =>
      credits.charges.charge({ userId, reason: 'email_found', operationId: uuidv7(), clientId: null }).then(
        () => 'accepted',
        ({ code = 'no code' }: { code?: string }) => code,
      );
    const client = async (): Promise<void> => {
      for (const _ of times(40)) results.push(await charge());
    };
    await Promise.all(times(20).map(client));
    const counts = Object.entries(Object.groupBy(results, (result) => result));
    expect(Object.fromEntries(counts.map(([result, all]) => [result, all?.length]))).toEqual({
      accepted: 500,
      'credits.balance_too_low': 300,
    });
    expect((await credits.view(userId)).available).toBe(0);
    expect(await brokenBuckets(credits.db)).toEqual([]);
  });

  it('G2: fifty concurrent requests for one operation take one credit and get one response', async () => {
    const userId = newUser();
    const responses = await Promise.all(times(50).map(() => credits.charge(userId, 'operation-1')));
    expect(new Set(responses.map((response) => JSON.stringify(response)))).toEqual(
      new Set([JSON.stringify({ used: 1, available: 19, limit: 20, charged: 1 })]),
    );
    expect(await credits.windows(userId)).toMatchObject([{ used: 1 }]);
  });

  it('G2: X2 X3 a request that is repeated because its response was lost after the commit takes one credit', async () => {
    const userId = newUser();
    await credits.charge(userId);
    const directory = await mkdtemp(join(tmpdir(), 'response-lost-'));
    const switchFile = join(directory, 'switch');
    armFailPoints({ points: 'transaction.response_lost=1', seed: 1, switchFile });
    await writeFile(switchFile, '');
    expect(await credits.tryCharge(userId, 'operation-1')).toBe('service.unavailable');
    await rm(directory, { recursive: true });
    expect(await credits.windows(userId)).toMatchObject([{ used: 2 }]);
    expect(await credits.charge(userId, 'operation-1')).toEqual({
      used: 2,
      available: 18,
      limit: 20,
      charged: 1,
    });
    expect(await credits.windows(userId)).toMatchObject([{ used: 2 }]);
  });

  it('G2: the operation that took the last credit gets the same response when it is repeated', async () => {
    const userId = newUser();
    for (const index of times(20)) await credits.charge(userId, `operation-${index}`);
    expect(await credits.charge(userId, 'operation-19')).toEqual({
      used: 20,
      available: 0,
      limit: 20,
      charged: 1,
    });
    expect(await credits.tryCharge(userId, 'operation-20')).toBe('credits.balance_too_low');
  });

  it('G2: a repeated operation gets the amounts of the window it was charged in and takes nothing from a newer one', async () => {
    const userId = newUser();
    const first = await credits.charge(userId, 'operation-1');
    await premium(userId);
    expect(await credits.charge(userId, 'operation-1')).toEqual(first);
    expect(await credits.windows(userId)).toMatchObject([{ used: 1 }, { plan: 'premium', used: 0 }]);
  });

  it('G2: an idempotency key that was used for another charge is refused with 409', async () => {
    const userId = newUser();
    await credits.charge(userId, 'operation-1', { reason: 'email_found', reference: 'ada' });
    const other = { reason: 'email_found', reference: 'grace' } as const;
    expect(await credits.tryCharge(userId, 'operation-1', other)).toBe('credits.key_reused');
    expect(await credits.tryCharge(userId, 'operation-1', { reason: 'message_composed' })).toBe(
      'credits.key_reused',
    );
  });

  it.each(['1', 'x'.repeat(100)])('the idempotency key %s is accepted', async (key) => {
    expect(await credits.charge(newUser(), key)).toEqual({ used: 1, available: 19, limit: 20, charged: 1 });
  });

  it('a charge without a key, of another user, or without a token is refused', async () => {
    const userId = newUser();
    const chargeAs = (caller: string, key: string) =>
      credits
        .ask(
          creditsEndpoints.spend,
          { userId, reason: 'email_found' },
          { caller: { role: 'user', userId: caller }, headers: { 'idempotency-key': key } },
        )
        .catch(({ code }: { code: string }) => code);
    for (const key of ['', 'two words', 'x'.repeat(101)])
      expect(await chargeAs(userId, key)).toBe('credits.idempotency_key_missing');
    expect(await chargeAs(newUser(), 'operation-1')).toBe('request.not_found');
    const response = await fetch(`${credits.url}/credits/${userId}/spend`, { method: 'POST' });
    expect(response.status).toBe(401);
    expect(await credits.windows(userId)).toEqual([]);
  });

  it('CreditsSpent is emitted for each charge, and CreditsExhausted once for the last', async () => {
    const userId = newUser();
    await Promise.all(times(30).map(() => credits.tryCharge(userId)));
    expect(await credits.emitted(events.creditsReset, userId)).toHaveLength(1);
    expect(await credits.emitted(events.creditsSpent, userId)).toHaveLength(20);
    expect(await credits.emitted(events.creditsExhausted, userId)).toMatchObject([
      { data: { plan: 'free', limit: 20, used: 20 } },
    ]);
  });

  it('the history lists each entry once, newest first, in pages', async () => {
    const userId = newUser();
    for (const index of times(7)) {
      const reference = `contact-${index}`;
      await credits.charge(userId, `operation-${index}`, { reason: 'email_found', reference });
    }
    const references: (string | null)[] = [];
    let cursor: string | null = null;
    do {
      const page: { data: { reference: string | null }[]; next: string | null } = await credits.ask(
        creditsEndpoints.listHistory,
        { userId, limit: 3, ...(cursor === null ? {} : { cursor }) },
        { caller: { role: 'user', userId } },
      );
      references.push(...page.data.map(({ reference }) => reference));
      cursor = page.next;
    } while (cursor !== null);
    expect(references).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `contact-${index}`));
    const notDigits = { userId, limit: '1e1' as unknown as number };
    const caller = { role: 'user', userId } as const;
    await expect(credits.ask(creditsEndpoints.listHistory, notDigits, { caller })).rejects.toMatchObject({
      status: 400,
    });
  });

  it('H7: charging continues while the broker is down, and every event is published in order when it is back', async () => {
    const userId = newUser();
    credits.bus.setDown(true);
    for (const index of times(5)) await credits.charge(userId, `operation-${index}`);
    credits.bus.setDown(false);
    const publishedUses = (): number[] =>
      topicsOf('credits')
        .flatMap((topic) => credits.bus.published(topic))
        .filter(({ key }) => key === userId)
        .map(({ value }) => (JSON.parse(value) as { data: { used: number } }).data.used);
    await until('the six events', () => publishedUses().length === 6);
    expect(publishedUses()).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
