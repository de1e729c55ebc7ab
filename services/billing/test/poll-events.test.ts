import { days } from '@shortlist/contracts/durations';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createPoller, startPolling } from '../src/inbox/poll-events.ts';
import { type Billing, openBilling } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

/** A payment that no webhook reports: the sandbox drops them all. */
const payUnseen = async (): Promise<string> => {
  const userId = await billing.register(uuidv7());
  await billing.pay(billing.sessionIn((await billing.openCheckout(userId)).url));
  return userId;
};
const becomesPremium = (userId: string) =>
  until('the premium plan', async () => (await billing.stateOf(userId)).plan === 'premium');

describe('polled events', () => {
  it('are processed like delivered ones, once each', async () => {
    const { poll } = createPoller(billing);
    const userId = await payUnseen();
    await poll();
    await becomesPremium(userId);
    const { row } = await billing.stateOf(userId);
    const count = async () => (await billing.inbox(row.customerId ?? '')).length;
    const stored = await count();
    await poll();
    expect(await count()).toBe(stored);
    expect((await billing.emitted(userId)).filter((name) => name === 'PaymentSucceeded')).toHaveLength(1);
  });

  it('are found after the clock has moved on', async () => {
    const { poll } = createPoller(billing);
    const userId = await payUnseen();
    await poll();
    await becomesPremium(userId);
    await billing.advance(days(31));
    await poll();
    await until(
      'the renewal',
      async () => (await billing.stateOf(userId)).paid?.end === '2026-05-01T12:00:00.000Z',
    );
  });

  it('are read periodically, even after Stripe was unavailable', async () => {
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/events', status: 500, times: 1 });
    const userId = await payUnseen();
    const polling = startPolling(billing, { everyMs: 20 });
    await becomesPremium(userId);
    await polling.stop();
  });
});
