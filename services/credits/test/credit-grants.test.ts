import { bucketEndpoints } from '@shortlist/contracts/api/credits';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { days } from '@shortlist/contracts/durations';
import * as events from '@shortlist/contracts/events/credits';
import { userDeleted } from '@shortlist/contracts/events/identity';
import { asService } from '@shortlist/kit/http/http-client';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { newUser, openCheckedCredits, START } from './support.ts';

const credits = await openCheckedCredits();
beforeEach(() => credits.time.set(START));

const ADMIN = uuidv7();
const asAdmin = { caller: { role: 'admin', userId: ADMIN, address: '10.0.0.7' } } as const;
const input = (more: object = {}) => ({
  userId: newUser(),
  grantId: uuidv7(),
  credits: 50,
  lastDay: '2026-03-31',
  reason: 'The import lost a day',
  ...more,
});
const grant = (request: ReturnType<typeof input>) =>
  credits.ask(bucketEndpoints.grantCredits, request, asAdmin);
const revoke = (userId: string, grantId: string) =>
  credits.ask(bucketEndpoints.revokeCredits, { userId, grantId }, asAdmin);
const list = async (userId: string) =>
  (await credits.ask(bucketEndpoints.listBuckets, { userId }, asAdmin)).data;
const entries = async (userId: string): Promise<Record<string, unknown>[]> =>
  credits.db.query(
    'SELECT action, actor_id, address, before_state, after_state FROM audit_log WHERE target_id = ? ORDER BY id',
    [userId],
  );

describe('G10: credits that an admin gives', () => {
  it('last until the end of their last day, are announced, and recorded with the reason', async () => {
    const request = input();
    const { userId, grantId } = request;
    const { data } = await grant(request);
    expect(data).toEqual({
      id: grantId,
      kind: 'grant',
      credits: 50,
      used: 0,
      available: 50,
      endsAt: '2026-04-01T00:00:00.000Z',
      isOver: false,
      createdAt: START.toISOString(),
      reason: 'The import lost a day',
      grantedBy: ADMIN,
    });
    const [event, ...more] = await credits.emitted(events.creditsGranted, userId);
    expect(more).toEqual([]);
    expect(event?.data).toEqual({
      bucketId: grantId,
      kind: 'grant',
      credits: 50,
      usable: 50,
      used: 0,
      endsAt: '2026-04-01T00:00:00.000Z',
    });
    const [entry] = await entries(userId);
    expect(entry).toMatchObject({ action: 'credits.grant', actor_id: ADMIN, address: '10.0.0.7' });
    expect(JSON.parse(String(entry?.['after_state']))).toEqual({
      grant: grantId,
      credits: 50,
      used: 0,
      endsAt: '2026-04-01T00:00:00.000Z',
      reason: 'The import lost a day',
    });
    credits.time.set(new Date('2026-03-31T23:59:59.999Z'));
    expect(await credits.view(userId)).toMatchObject({ available: 70 });
    credits.time.set(new Date('2026-04-01T00:00:00.000Z'));
    expect(await credits.view(userId)).toMatchObject({ available: 20 });
  });

  it('are given once for an id, also by requests at once, and to no other content', async () => {
    const request = input();
    const replies = await Promise.all(Array.from({ length: 5 }, () => grant(request)));
    expect(new Set(replies.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    await expect(grant({ ...request, credits: 60 })).rejects.toMatchObject({ code: 'credits.grant_changed' });
    await expect(grant({ ...request, reason: 'Another' })).rejects.toMatchObject({
      code: 'credits.grant_changed',
    });
    await credits.charge(request.userId, uuidv7(), { reason: 'email_found', amount: 30 });
    expect((await grant(request)).data).toMatchObject({ used: 10 });
    expect(await credits.view(request.userId)).toMatchObject({ available: 40 });
    expect(await entries(request.userId)).toHaveLength(1);
    expect(await credits.emitted(events.creditsGranted, request.userId)).toHaveLength(1);
  });

  it('are as many of two grants of different ids at once', async () => {
    const userId = newUser();
    await Promise.all(Array.from({ length: 6 }, () => grant(input({ userId }))));
    expect(await credits.view(userId)).toMatchObject({ available: 320 });
  });

  it('that are revoked lose what is left, once, and leave what was charged', async () => {
    const request = input({ lastDay: '2026-03-02' });
    const { userId, grantId } = request;
    await grant(request);
    await credits.charge(userId, uuidv7(), { reason: 'email_found', amount: 12 });
    expect((await revoke(userId, grantId)).data).toMatchObject({ used: 12, available: 0, isOver: true });
    await revoke(userId, grantId);
    expect(await credits.view(userId)).toMatchObject({ available: 20, used: 0 });
    const [, entry, ...more] = await entries(userId);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ action: 'credits.revoke' });
    expect(JSON.parse(String(entry?.['after_state']))).toMatchObject({ takenBack: 38, used: 12 });
    expect(await credits.emitted(events.creditBucketChanged, userId)).toHaveLength(1);
  });

  it('that have ended are not revoked, and none of another user or of a pack is', async () => {
    const request = input({ lastDay: '2026-03-02' });
    await grant(request);
    credits.time.advance(days(5));
    expect((await revoke(request.userId, request.grantId)).data).toMatchObject({ isOver: true });
    expect(await entries(request.userId)).toHaveLength(1);
    const other = newUser();
    const packId = await credits.pack(other);
    for (const id of [request.grantId, packId])
      await expect(revoke(other, id)).rejects.toMatchObject({ code: 'credits.grant_not_found' });
    expect(await credits.view(other)).toMatchObject({ available: 270 });
  });

  it.each([
    ['credits', 0],
    ['credits', 10_001],
    ['credits', 1.5],
    ['credits', '5'],
    ['lastDay', '2026-02-28'],
    ['lastDay', '2027-03-03'],
    ['lastDay', '2026-02-30'],
    ['lastDay', 'tomorrow'],
    ['reason', ' '],
    ['reason', 'x'.repeat(301)],
    ['reason', 'a\u0000b'],
  ])('with the %s %j are refused by name, and nothing is given', async (field, value) => {
    const request = input({ [field]: value });
    await expect(grant(request)).rejects.toMatchObject({
      code: 'request.invalid',
      fields: { [field]: expect.any(String) },
    });
    expect((await list(request.userId)).records).toEqual([]);
  });

  it.each(['2026-03-01', '2027-03-02'])('may end on %s, the first or the last day', async (lastDay) => {
    expect((await grant(input({ lastDay }))).data).toMatchObject({ available: 50 });
  });

  it('are listed for admins beside packs and the plan, also when they are over', async () => {
    const request = input({ lastDay: '2026-03-02' });
    const { userId } = request;
    await grant(request);
    credits.time.advance(days(3));
    await credits.pack(userId, { paidAt: credits.clock().toISOString() });
    const { available, buckets, records } = await list(userId);
    expect(available).toBe(270);
    expect(buckets.map(({ kind, available: left }) => [kind, left])).toEqual([
      ['plan', 20],
      ['pack', 250],
    ]);
    expect(records.map(({ kind, isOver, available: left }) => [kind, isOver, left])).toEqual([
      ['pack', false, 250],
      ['grant', true, 0],
    ]);
  });

  it('are in the file with the user’s data, and are gone with the user, as what the log says of them', async () => {
    const request = input();
    const { userId } = request;
    await grant(request);
    const section = (name: string) =>
      credits.ask(dataExportEndpoints.credits, { userId, section: name }, asService());
    expect((await section('buckets')).data).toEqual([
      {
        kind: 'grant',
        credits: 50,
        used: 0,
        usable: 50,
        endsAt: '2026-04-01T00:00:00.000Z',
        createdAt: START.toISOString(),
        reason: 'The import lost a day',
      },
    ]);
    expect((await section('changes')).data).toMatchObject([{ action: 'credits.grant', by: 'support' }]);
    await credits.publish(eventOf(userDeleted, userId, { by: 'user', generation: 1 }), 'identity.events');
    expect((await section('buckets')).data).toEqual([]);
    expect(JSON.stringify(await entries(userId))).not.toContain('import');
    await expect(grant(request)).rejects.toMatchObject({ code: 'credits.user_not_found' });
    await expect(revoke(userId, request.grantId)).rejects.toMatchObject({ code: 'credits.grant_not_found' });
  });
});
