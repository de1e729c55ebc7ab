// What the history says of credits that were added or taken away, and that nothing else counts it.
import {
  BROWSER,
  bucketEndpoints,
  creditsEndpoints,
  type HistoryQuery,
} from '@shortlist/contracts/api/credits';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { days } from '@shortlist/contracts/durations';
import * as billing from '@shortlist/contracts/events/billing';
import * as events from '@shortlist/contracts/events/credits';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { asService } from '@shortlist/kit/http/http-client';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyPack } from '../src/balance/change-bucket.ts';
import { createDriftReader } from '../src/metrics.ts';
import { newUser, openCheckedCredits, packOf, period, START } from './support.ts';

const credits = await openCheckedCredits();
beforeEach(() => credits.time.set(START));

const history = (userId: string, query: HistoryQuery = {}) =>
  credits.ask(creditsEndpoints.listHistory, { userId, ...query }, { caller: { role: 'user', userId } });
/** The oldest first. */
const changes = async (userId: string, query?: HistoryQuery): Promise<unknown[]> =>
  (await history(userId, query)).data.map(({ reason, amount }) => [reason, amount]).toReversed();
const charge = (userId: string, amount: number) =>
  credits.charge(userId, uuidv7(), { reason: 'email_found', amount });

describe('G9: the history of a pack', () => {
  it('says what was bought, and of each change what it made of what was left', async () => {
    const userId = newUser();
    await charge(userId, 20);
    const packId = await credits.pack(userId);
    await charge(userId, 100);
    for (const [version, paidCredits] of [
      [2, 200],
      [3, 0],
      [4, 200],
      [5, 90],
    ] as const) {
      credits.time.advance(days(1));
      await credits.pack(userId, { packId, version, paidCredits });
    }
    expect(await changes(userId)).toEqual([
      ['email_found', -20],
      ['pack_bought', 250],
      ['email_found', -100],
      ['pack_withdrawn', -50],
      ['pack_withdrawn', -100],
      ['pack_restored', 100],
      ['pack_withdrawn', -100],
    ]);
    const times = (await history(userId)).data.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect((await history(userId)).data[0]).toMatchObject({ reference: null, clientId: null });
  });

  it('has nothing of a change that takes or gives nothing', async () => {
    const userId = newUser();
    await charge(userId, 20);
    const packId = await credits.pack(userId, { credits: 9, paidCredits: 9 });
    await charge(userId, 9);
    for (const [version, paidCredits] of [
      [2, 0],
      [3, 9],
    ] as const)
      await credits.pack(userId, { packId, version, credits: 9, paidCredits });
    expect(await changes(userId)).toEqual([
      ['email_found', -20],
      ['pack_bought', 9],
      ['email_found', -9],
    ]);
  });

  it('H4: has one entry for an event delivered ten times, and none for an older state', async () => {
    const userId = newUser();
    const event = eventOf(billing.creditPackChanged, userId, packOf({ version: 2, paidCredits: 125 }));
    for (const _ of Array.from({ length: 10 })) await credits.publish(event);
    const { packId } = event.data;
    for (const version of [1, 2]) await credits.pack(userId, { packId, version });
    expect(await changes(userId)).toEqual([['pack_bought', 125]]);
  });

  it('changes with the pack or not at all', async () => {
    const userId = newUser();
    const event = eventOf(billing.creditPackChanged, userId, packOf());
    const interrupted = credits.db.transaction(async (tx) => {
      await applyPack(tx, userId, event.data, credits.clock);
      throw new Error('interrupted');
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect(await changes(userId)).toEqual([]);
    await credits.publish(event);
    expect(await changes(userId)).toEqual([['pack_bought', 250]]);
  });
});

describe('G10: the history of a grant', () => {
  it('says what support gave and took back, once each', async () => {
    const userId = newUser();
    const grantId = uuidv7();
    for (const _ of [1, 2]) await credits.grant(userId, { credits: 50, days: 3, grantId });
    await charge(userId, 12);
    for (const _ of [1, 2]) await credits.revoke(userId, grantId);
    expect(await changes(userId)).toEqual([
      ['credits_granted', 50],
      ['email_found', -12],
      ['credits_revoked', -38],
    ]);
  });

  it('has one entry when the same request comes several times at once', async () => {
    const input = {
      userId: newUser(),
      grantId: uuidv7(),
      credits: 5,
      lastDay: '2026-03-09',
      reason: 'sorry',
    };
    const asAdmin = { caller: { role: 'admin', userId: uuidv7() } } as const;
    await Promise.all(
      Array.from({ length: 5 }, () => credits.ask(bucketEndpoints.grantCredits, input, asAdmin)),
    );
    expect(await changes(input.userId)).toEqual([['credits_granted', 5]]);
  });

  it('has nothing of a revocation of credits that are used up or have ended', async () => {
    const userId = newUser();
    const used = await credits.grant(userId, { credits: 5, days: 2 });
    await charge(userId, 5);
    const ended = await credits.grant(userId, { credits: 7, days: 2 });
    await credits.revoke(userId, used);
    credits.time.advance(days(5));
    await credits.revoke(userId, ended);
    expect(await changes(userId)).toEqual([
      ['credits_granted', 5],
      ['email_found', -5],
      ['credits_granted', 7],
    ]);
  });
});

describe('BalanceChanged', () => {
  const readHistory = async (userId: string): Promise<unknown[]> =>
    (await credits.emitted(events.balanceChanged, userId)).map(({ data }) => data);

  it('states each change of the history with the balance after it, of the plan and all other buckets', async () => {
    const userId = newUser();
    const packId = await credits.pack(userId); // before the first charge opens the free window
    await credits.publish(
      credits.paidEvent(userId, { version: 1, paid: period('in_told', START), granted: null }),
    );
    await charge(userId, 100);
    const grantId = await credits.grant(userId, { credits: 50, days: 3 });
    await charge(userId, 12);
    await credits.revoke(userId, grantId);
    await credits.pack(userId, { packId, version: 2, paidCredits: 0 });
    const ofPack = { bucketId: packId, kind: 'pack', endsAt: null };
    const ofGrant = { bucketId: grantId, kind: 'grant', endsAt: '2026-03-04T00:00:00.000Z' };
    expect(await readHistory(userId)).toEqual([
      { ...ofPack, added: 250, available: 270 },
      { ...ofGrant, added: 50, available: 700 },
      { ...ofGrant, added: -38, available: 650 },
      { ...ofPack, added: -250, available: 400 },
    ]);
    expect(await credits.view(userId)).toMatchObject({ available: 400 });
  });

  it('is emitted once for a repeated event or request, and not for a change that makes no difference', async () => {
    const userId = newUser();
    const event = eventOf(billing.creditPackChanged, userId, packOf({ credits: 5, paidCredits: 5 }));
    for (const _ of [1, 2, 3]) await credits.publish(event);
    await credits.pack(userId, event.data);
    const grantId = uuidv7();
    for (const _ of [1, 2]) await credits.grant(userId, { credits: 5, days: 3, grantId });
    await charge(userId, 30);
    await credits.pack(userId, { ...event.data, version: 2, paidCredits: 0 });
    for (const _ of [1, 2]) await credits.revoke(userId, grantId);
    expect(await readHistory(userId)).toMatchObject([{ added: 5 }, { added: 5 }]);
  });
});

describe('the history with credits that were added', () => {
  it('has one cursor for all entries, and filters by reason, day and tool', async () => {
    const userId = newUser();
    const tool = uuidv7();
    await credits.charge(userId);
    const packId = await credits.pack(userId);
    credits.time.advance(days(1));
    await credits.charge(userId, uuidv7(), { reason: 'email_found', clientId: tool });
    await credits.pack(userId, { packId, version: 2, paidCredits: 0 });
    await credits.grant(userId, { credits: 5, days: 2 });
    const pages: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await history(userId, { limit: 2, ...(cursor && { cursor }) });
      pages.push(page.data.map(({ reason }) => reason));
      cursor = page.next;
    }
    expect(pages).toEqual([
      ['credits_granted', 'pack_withdrawn'],
      ['email_found', 'pack_bought'],
      ['email_found'],
    ]);
    expect(await changes(userId, { reason: 'pack_withdrawn' })).toEqual([['pack_withdrawn', -250]]);
    expect(await changes(userId, { to: '2026-03-01' })).toEqual([
      ['email_found', -1],
      ['pack_bought', 250],
    ]);
    // Neither a tool nor the browser added or took away credits.
    for (const client of [BROWSER, tool])
      expect(await changes(userId, { client })).toEqual([['email_found', -1]]);
  });

  it('changes no sum of charges: neither the use, nor the usage, nor what it was for, nor the drift', async () => {
    const userId = newUser();
    const check = createDriftReader(credits.db, 0);
    const packId = await credits.pack(userId, { credits: 30, paidCredits: 30 });
    const grantId = await credits.grant(userId, { credits: 40, days: 2 });
    await charge(userId, 25);
    await credits.revoke(userId, grantId);
    await credits.pack(userId, { packId, version: 2, credits: 30, paidCredits: 0 });
    await charge(userId, 20);
    expect(await credits.view(userId)).toMatchObject({
      used: 20,
      available: 0,
      usedFor: { messages: 0, emails: 45 },
    });
    const asUser = { caller: { role: 'user', userId } } as const;
    const { data } = await credits.ask(creditsEndpoints.getUsage, { userId }, asUser);
    expect(data).toEqual([
      { day: '2026-03-01', clientId: null, reason: 'email_found', charged: 45, returned: 0 },
    ]);
    expect(await check()).toBe(0);
  });

  it('is in the file with the user’s data, with the amounts, and is gone with the user', async () => {
    const userId = newUser();
    const grantId = await credits.grant(userId, { credits: 40, days: 2 });
    await credits.revoke(userId, grantId);
    const ledger = () => credits.ask(dataExportEndpoints.credits, { userId, section: 'ledger' }, asService());
    expect((await ledger()).data).toMatchObject([
      { amount: 40, reason: 'credits_granted', createdAt: START.toISOString() },
      { amount: -40, reason: 'credits_revoked' },
    ]);
    await credits.publish(eventOf(userDeleted, userId, { by: 'user', generation: 1 }), 'identity.events');
    expect((await ledger()).data).toEqual([]);
    await credits.publish(eventOf(billing.creditPackChanged, userId, packOf()));
    expect((await ledger()).data).toEqual([]);
  });
});
