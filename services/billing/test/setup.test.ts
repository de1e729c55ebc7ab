import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { minutes } from '@shortlist/contracts/durations';
import { runInProcess } from '@shortlist/operator/testing/run-in-process';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { program } from '../src/operator.ts';
import { runChecks } from '../src/setup/setup-monitor.ts';
import { applySetup } from '../src/setup/stripe-check.ts';
import { type Billing, codeOf, openBilling, PRICE } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling({ isNewAccount: true });
});
afterAll(() => billing.close());

const URL = 'https://shortlist.test/api/webhooks/stripe';
const expected = () => ({ ...billing.expected, webhookUrl: URL });
const apply = async () => {
  const { account } = billing;
  return applySetup({ account, expected: expected(), brand: 'Maple' }, await account.read());
};
const states = async () => (await runChecks(billing.account, expected())).map(({ name, ok }) => [name, ok]);
const readSetup = async () => (await billing.call(billingEndpoints.getStripeSetup, {}, billing.asAdmin)).data;

const ALL_RIGHT = [
  ['price', true],
  ['yearly_price', true],
  ['pack_price', true],
  ['portal', true],
  ['customer_search', true],
  ['webhook', true],
  ['webhook_events', true],
  ['api_version', true],
];

describe('the set-up of a new account', () => {
  it('creates the prices with the brand, the portal configuration and the webhook endpoint', async () => {
    expect(await states()).toEqual([
      ['price', false],
      ['yearly_price', false],
      ['pack_price', false],
      ['portal', false],
      ['customer_search', true],
      ['webhook', false],
      ['webhook_events', null],
      ['api_version', null],
    ]);
    const { changes, webhook } = await apply();
    expect(changes).toHaveLength(5);
    expect(webhook?.secret).toMatch(/^whsec_/);
    expect(changes.join()).not.toContain(webhook?.secret);
    expect(await states()).toEqual(ALL_RIGHT);
    const { data } = await billing.api.products.list();
    expect(data.map(({ name }) => name).toSorted()).toEqual(['Maple Premium', 'Maple: 250 credits']);
  });

  it('creates no price of a pack if none is sold', async () => {
    const { account } = billing;
    const parts = { account, expected: { ...expected(), pack: null }, brand: 'Maple' };
    expect((await applySetup(parts, await account.read())).changes.join()).not.toContain('credits');
    expect((await billing.api.prices.list()).data).toHaveLength(2);
  });

  it('creates no price of a year if none is sold', async () => {
    const { account } = billing;
    const parts = { account, expected: { ...expected(), yearly: null }, brand: 'Maple' };
    expect((await applySetup(parts, await account.read())).changes.join()).not.toContain('yearly');
    expect((await billing.api.prices.list()).data).toHaveLength(2);
  });

  it('changes nothing the second time', async () => {
    await apply();
    expect(await apply()).toEqual({ changes: [], webhook: null });
    expect((await billing.api.prices.list()).data).toHaveLength(3);
  });

  it('adds the event types that an endpoint lacks', async () => {
    await apply();
    const { data } = await billing.api.webhookEndpoints.list();
    const id = data.find(({ url }) => url === URL)?.id ?? '';
    await billing.api.webhookEndpoints.update(id, { enabled_events: ['invoice.paid'] });
    expect((await apply()).changes).toEqual([`Enabled all event types of ${id}.`]);
    expect(await states()).toEqual(ALL_RIGHT);
  });

  it('creates no endpoint while events are polled', async () => {
    const polled = { ...expected(), isPolled: true };
    const { account } = billing;
    const parts = { account, expected: polled, brand: 'Maple' };
    expect((await applySetup(parts, await account.read())).webhook).toBeNull();
  });
});

describe('the result of the checks', () => {
  it('is unknown before the first check, then the last one with its time', async () => {
    expect(await readSetup()).toMatchObject({
      checkedAt: null,
      checks: [{ name: 'price', ok: null }, {}, {}, {}, {}, {}, {}, {}],
    });
    await billing.setup.check();
    expect(await readSetup()).toMatchObject({
      checkedAt: billing.clock().toISOString(),
      checks: [
        { name: 'price', ok: false },
        { name: 'yearly_price', ok: false },
        { name: 'pack_price', ok: false },
        { name: 'portal', ok: false },
        { name: 'customer_search', ok: true },
        { name: 'webhook', ok: false },
        {},
        {},
      ],
    });
    expect(await billing.metrics.text()).toMatch(/stripe_setup_failures\{.*\} 5/);
  });

  it('names each failed check in the log', async () => {
    const logged = vi.spyOn(billing.log, 'error');
    await billing.setup.check();
    const detail = expect.stringContaining('billing portal has no configuration') as string;
    expect(logged).toHaveBeenCalledWith({ check: 'portal', detail }, 'stripe set-up check failed');
  });

  it('keeps its time while Stripe is unavailable', async () => {
    await billing.setup.check();
    const { checkedAt } = await readSetup();
    billing.setTime(new Date(billing.clock().getTime() + minutes(1)));
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/', status: 500, times: 6 });
    await billing.setup.check();
    const setup = await readSetup();
    expect(setup.checkedAt).toBe(checkedAt);
    expect(setup.checks.map(({ ok }) => ok)).toEqual(Array(8).fill(null));
  });
});

describe('the billing portal of a new account', () => {
  /** A customer of an account that has a price, and no portal configuration unless the test creates one. */
  const addCustomer = async () => {
    await billing.account.createPrice({ brand: 'Maple', price: PRICE });
    const { userId, customer } = await billing.subscribe();
    return { userId, customer };
  };

  it('opens with the configuration that the set-up created', async () => {
    const { userId, customer } = await addCustomer();
    await apply();
    expect((await billing.openPortal(userId, customer)).url).toMatch(/^http/);
  });

  it('is refused without one, and the log names what is missing', async () => {
    const { userId, customer } = await addCustomer();
    const logged = vi.spyOn(billing.log, 'error');
    expect(await billing.openPortal(userId, customer).catch(codeOf)).toBe('billing.portal_not_configured');
    const message = expect.stringContaining("Stripe's billing portal is not configured") as string;
    expect(logged).toHaveBeenCalledWith(expect.anything(), message);
  });
});

describe('the command that checks the account', () => {
  const run = (args: string[], more: Record<string, string> = {}) => {
    const env = {
      STRIPE_SECRET_KEY: 'sk_test_of_the_sandbox',
      STRIPE_API_BASE: billing.sandbox.url,
      PUBLIC_URL: 'https://shortlist.test',
      BRAND: 'Maple',
      ...more,
    };
    return runInProcess(program, ['stripe-check', ...args], { env, clock: billing.clock });
  };

  it('fails with a line for each check, and succeeds once it has applied what was missing', async () => {
    const before = await run([]);
    expect(before.code).toBe(1);
    const lines = before.stdout.split('\n').filter(Boolean);
    expect(lines).toHaveLength(9);
    expect(lines[8]).toContain('checkout.session.completed, ');
    const applied = await run(['--apply']);
    expect([applied.code, applied.stderr]).toEqual([0, '']);
    expect(applied.stdout).toContain('Created the product "Maple Premium"');
    expect(applied.stdout).toContain('Created the product "Maple: 250 credits"');
    expect(applied.stdout).toContain('STRIPE_WEBHOOK_SECRETS');
    // The output of a pipe may be logged.
    expect(applied.stdout).not.toContain('whsec_');
    expect((await run([])).code).toBe(0);
  });

  it('changes no live account', async () => {
    const { code, stderr } = await run(['--apply'], { STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('live key')]);
    expect((await billing.api.products.list()).data).toEqual([]);
  });
});
