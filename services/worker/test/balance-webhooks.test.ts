import {
  balanceChanged,
  type BalanceChanged,
  creditsLow,
  type CreditWarningData,
} from '@shortlist/contracts/events/credits';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenedWebhooks, openWebhooks } from './open-webhooks.ts';

const PACK: BalanceChanged = {
  bucketId: '01900000-0000-7000-8000-0000000000cc',
  kind: 'pack',
  endsAt: null,
  added: 250,
  available: 270,
};
const GRANT: BalanceChanged = { ...PACK, kind: 'grant', endsAt: '2026-04-01T00:00:00.000Z', added: 50 };
const LOW: CreditWarningData = {
  plan: 'free',
  limit: 20,
  used: 16,
  available: 4,
  windowStart: '2026-03-01T12:00:00.000Z',
  windowEnd: '2026-03-31T12:00:00.000Z',
  mail: false,
};

let opened: OpenedWebhooks;
beforeAll(async () => {
  opened = await openWebhooks();
});
afterAll(() => opened.close());

const payloadsAt = (path: string): unknown[] =>
  opened.server.receivedAt(path).map(({ body }) => JSON.parse(body) as unknown);

describe('a webhook about the balance', () => {
  it.each([
    { which: 'a pack that was bought', change: PACK, type: 'credits.added', credits: 250 },
    {
      which: 'a refund of a pack',
      change: { ...PACK, added: -184 },
      type: 'credits.removed',
      credits: 184,
    },
    { which: 'credits from support', change: GRANT, type: 'credits.added', credits: 50 },
    {
      which: 'credits that support took back',
      change: { ...GRANT, added: -38 },
      type: 'credits.removed',
      credits: 38,
    },
  ])('has for $which the number and what is left, once for an event that arrives twice', async (example) => {
    const { change, type, credits } = example;
    const path = `/balance/${change.added}`;
    const { userId } = opened.addUser([path], ['credits.added', 'credits.removed']);
    const event = await opened.publish(balanceChanged, userId, change);
    await opened.bus.publish('credits.events', [{ key: userId, value: JSON.stringify(event) }]);
    await opened.publish(creditsLow, userId, LOW); // behind the repeated one
    await opened.work();
    const { kind: source, available, endsAt } = change;
    const timestamp = opened.clock().toISOString();
    expect(payloadsAt(path)).toEqual([
      { type, timestamp, data: { userId, source, credits, available, endsAt } },
    ]);
  });

  it('is not sent to an endpoint that chose other events', async () => {
    const { userId } = opened.addUser(['/others'], ['credits.low', 'credits.removed']);
    await opened.publish(balanceChanged, userId, PACK);
    await opened.publish(creditsLow, userId, LOW);
    await opened.work();
    expect(payloadsAt('/others')).toMatchObject([{ type: 'credits.low' }]);
  });
});
