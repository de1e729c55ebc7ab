import { unsubscribeEndpoints } from '@shortlist/contracts/api/email';
import { creditsGranted, creditsLow } from '@shortlist/contracts/events/credits';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unsubscribableKindOf } from '../src/mail/delivery.rules.ts';
import type { Template } from '../src/mail/mail-data.ts';
import { TEMPLATE_NAMES } from '../src/mail/templates.ts';
import { createUnsubscribeTokens } from '../src/mail/unsubscribe.ts';
import { openWorker, START, UNSUBSCRIBE_KEYS, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const NEXT = { id: '2', secret: 'n'.repeat(64) };
const asReader = { caller: { role: 'anonymous', userId: null } } as const;
const unsubscribe = (token: string) => worker.ask(unsubscribeEndpoints.unsubscribe, { token }, asReader);
const WARNING = {
  ...{ plan: 'free', limit: 20, used: 16, available: 4, mail: true },
  ...{ windowStart: START.toISOString(), windowEnd: '2026-03-31T12:00:00.000Z' },
} as const;

const headersOf = async (userId: string) => {
  await worker.send(userId);
  const [mail] = await worker.sent(userId);
  return mail?.headers ?? {};
};

describe('an email that can be turned off', () => {
  it('says so to the mail program, whose one click turns off the emails of its reader', async () => {
    const userId = worker.addUser();
    await worker.publish(creditsLow, userId, WARNING);
    const headers = await headersOf(userId);
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    const [, token = ''] =
      /^<https:\/\/shortlist\.test\/unsubscribe\?token=([\w.-]+)>$/.exec(headers['List-Unsubscribe'] ?? '') ??
      [];
    await unsubscribe(token);
    await unsubscribe(token);
    expect(worker.turnedOff).toEqual([userId, userId]);
  });

  it('is a warning about credits, or news, and no other', () => {
    const names = TEMPLATE_NAMES as Template[];
    expect(names.filter((name) => unsubscribableKindOf(name) !== null).toSorted()).toEqual([
      'credits_exhausted',
      'credits_low',
      'news',
    ]);
  });

  it('differs from the others, which have no such header', async () => {
    const userId = worker.addUser();
    await worker.publish(creditsGranted, userId, {
      ...{ bucketId: uuidv7(), kind: 'grant', credits: 50, usable: 50, used: 0 },
      endsAt: '2026-04-01T00:00:00.000Z',
    });
    expect(Object.keys(await headersOf(userId)).filter((name) => /unsubscribe/i.test(name))).toEqual([]);
  });
});

describe('the link of an email', () => {
  const userId = uuidv7();
  const signed = createUnsubscribeTokens(UNSUBSCRIBE_KEYS).sign({ kind: 'credits', userId });

  it.each([
    ['without a signature', signed.slice(0, signed.lastIndexOf('.'))],
    ['with a changed signature', `${signed.slice(0, -2)}AA`],
    ['of another user', signed.replace(userId, uuidv7())],
    ['about other emails', signed.replace('credits', 'receipts')],
    ['signed with a foreign key', createUnsubscribeTokens([NEXT]).sign({ kind: 'credits', userId })],
    ['that is no link', 'x'],
  ])('%s turns off nothing, and says so in words', async (_what, token) => {
    const before = worker.turnedOff.length;
    await expect(unsubscribe(token)).rejects.toHaveProperty('code', 'worker.unsubscribe_refused');
    expect(worker.turnedOff).toHaveLength(before);
  });

  it('of a deleted user is no failure, as there are no emails to turn off', async () => {
    worker.deleteCredits(userId);
    await expect(unsubscribe(signed)).resolves.toEqual({});
  });

  it('works until its key is removed', () => {
    const subscription = { kind: 'credits', userId };
    expect(createUnsubscribeTokens([NEXT, ...UNSUBSCRIBE_KEYS]).open(signed)).toEqual(subscription);
    expect(createUnsubscribeTokens([NEXT]).open(signed)).toBeNull();
  });
});
