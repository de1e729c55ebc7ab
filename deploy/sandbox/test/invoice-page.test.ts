import { describe, expect, it } from 'vitest';
import { DAY } from '../src/model/billing-cycle.rules.ts';
import { submitForm, tokenIn, VALID_CARD } from './forms.ts';
import { advance, idOf, startSandbox, subscribe } from './support.ts';

const openInvoice = async (card: string) => {
  const sandbox = await startSandbox();
  const { stripe } = sandbox;
  const { subscription } = await subscribe(sandbox, card);
  await advance(sandbox, 31 * DAY);
  const { latest_invoice } = await stripe.subscriptions.retrieve(subscription.id);
  const { id, hosted_invoice_url } = await stripe.invoices.retrieve(idOf(latest_invoice));
  const read = async () => ({
    invoice: (await stripe.invoices.retrieve(id)).status,
    subscription: (await stripe.subscriptions.retrieve(subscription.id)).status,
  });
  return { sandbox, id, url: String(hosted_invoice_url), read };
};

const PAID = { invoice: 'paid', subscription: 'active' };

describe('hosted invoice page', () => {
  it('an open invoice is paid with another card', async () => {
    const { url, read } = await openInvoice('4000000000000341');
    const page = await (await fetch(url)).text();
    expect(page).toContain('Not paid yet');
    expect(page).toContain('Pay with the card ending in 0341');
    const declined = await submitForm(url, { saved: 'yes' });
    expect([declined.status, (await declined.text()).includes('Your card was declined.')]).toEqual([
      402,
      true,
    ]);
    expect((await submitForm(url, { ...VALID_CARD, cvc: '1' })).status).toBe(402);
    expect((await submitForm(url, VALID_CARD)).status).toBe(303);
    expect(await read()).toEqual(PAID);
    expect(await (await fetch(url)).text()).toContain('Paid on');
    expect((await submitForm(url, VALID_CARD)).status).toBe(303);
  });

  it('a renewal that requires authentication is confirmed with the saved card', async () => {
    const { url, read } = await openInvoice('4000002760003184');
    const refused = tokenIn(await (await submitForm(url, { saved: 'yes' })).text());
    expect((await submitForm(url, { token: refused, outcome: 'fail' })).status).toBe(402);
    const token = tokenIn(await (await submitForm(url, { saved: 'yes' })).text());
    expect((await submitForm(url, { token, outcome: 'complete' })).status).toBe(303);
    expect(await read()).toEqual(PAID);
  });

  it('a void invoice offers no payment', async () => {
    const { sandbox, id, url, read } = await openInvoice('4000000000000341');
    await sandbox.control('POST', `/invoices/${id}/void`);
    const page = await (await fetch(url)).text();
    expect([page.includes('Void'), page.includes('Pay this invoice')]).toEqual([true, false]);
    expect((await submitForm(url, VALID_CARD)).status).toBe(303);
    expect((await read()).invoice).toBe('void');
    expect((await fetch(`${sandbox.url}/i/in_unknown`)).status).toBe(404);
  });
});
