import { describe, expect, it } from 'vitest';
import { DAY } from '../src/model/billing-cycle.rules.ts';
import { openCheckout, startSandbox, subscribe, idOf } from './support.ts';
import { submitForm, tokenIn, VALID_CARD } from './forms.ts';

describe('checkout page', () => {
  it('a payment redirects to the success URL with the session id', async () => {
    const { stripe } = await startSandbox();
    const { session } = await openCheckout(stripe);
    const address = String(session.url);
    const page = await (await fetch(address)).text();
    expect(page).toContain('$59.00');
    expect(page).toContain('value="ada@example.com"');
    expect(page).toContain('href="http://127.0.0.1:9/payments/cancel"');
    const paid = await submitForm(address, VALID_CARD);
    expect(paid.status).toBe(303);
    expect(paid.headers.get('location')).toBe(`http://127.0.0.1:9/payments/success?xsl=${session.id}`);
    expect(await (await fetch(address)).text()).toContain('has been paid');
    expect(await (await submitForm(address, VALID_CARD)).text()).toContain('has been paid');
    expect((await stripe.subscriptions.list()).data).toHaveLength(1);
  });

  it.each([
    [{ number: '4242 4242 4242 4241' }, 'Your card number is incorrect.'],
    [{ expiry: '12/20' }, 'expiration is in the past'],
    [{ expiry: 'soon' }, 'expiration month is invalid'],
    [{ cvc: '1' }, 'security code is incomplete'],
    [{ number: '4000000000000002' }, 'Your card was declined.'],
  ])('%j is rejected with a message and the form keeps its values', async (change, message) => {
    const { stripe } = await startSandbox();
    const { session } = await openCheckout(stripe);
    const response = await submitForm(String(session.url), { ...VALID_CARD, ...change });
    const page = (await response.text()).replaceAll('&#39;', "'");
    expect(response.status).toBe(402);
    expect(page).toContain(message);
    expect(page).toContain('value="Ada &lt;b&gt;"');
  });

  it('a card that requires authentication shows the authentication page', async () => {
    const { stripe } = await startSandbox();
    const { session } = await openCheckout(stripe);
    const address = String(session.url);
    const card = { ...VALID_CARD, number: '4000002500003155' };
    const token = tokenIn(await (await submitForm(address, card)).text());
    const failed = await submitForm(address, { token, outcome: 'fail' });
    expect(failed.status).toBe(402);
    const second = tokenIn(await (await submitForm(address, card)).text());
    expect((await submitForm(address, { token: second, outcome: 'complete' })).status).toBe(303);
  });

  it('an expired session shows an expiry message', async () => {
    const { stripe, url } = await startSandbox();
    const { session } = await openCheckout(stripe);
    await stripe.checkout.sessions.expire(session.id);
    expect(await (await fetch(`${url}/c/pay/${session.id}`)).text()).toContain('has expired');
    expect((await fetch(`${url}/c/pay/cs_unknown`)).status).toBe(404);
  });
});

describe('customer pages', () => {
  it('the list leads to a customer with subscriptions and invoices, and escapes names', async () => {
    const sandbox = await startSandbox();
    const { stripe, url } = sandbox;
    const { customer, subscription } = await subscribe(sandbox);
    await stripe.customers.update(customer.id, { name: 'Ada <b>' });
    const list = await (await fetch(`${url}/customers`)).text();
    expect(list).toContain(`href="/customers/${customer.id}"`);
    const page = await (await fetch(`${url}/customers/${customer.id}`)).text();
    for (const text of ['Ada &lt;b&gt;', customer.id, subscription.id, '$59.00', 'Active'])
      expect(page).toContain(text);
    expect((await fetch(`${url}/customers/cus_unknown`)).status).toBe(404);
  });
});

describe('billing portal', () => {
  it('changes the card, pays the open invoice, cancels and resumes the subscription', async () => {
    const sandbox = await startSandbox();
    const { stripe, control } = sandbox;
    const { customer, subscription } = await subscribe(sandbox, '4000000000000341');
    await control('POST', '/clock/advance', { seconds: 31 * DAY });
    const return_url = 'http://127.0.0.1:9/subscription';
    const { url } = await stripe.billingPortal.sessions.create({ customer: customer.id, return_url });
    const before = await (await fetch(url)).text();
    for (const text of ['Payment overdue', '0341', 'Pay now', return_url, '$59.00'])
      expect(before).toContain(text);
    const pay = /action="([^"]+\/pay)"/.exec(before)?.[1] ?? '';
    const declined = await submitForm(sandbox.url + pay);
    expect(declined.status).toBe(402);
    expect((await submitForm(`${url}/card`, { ...VALID_CARD, number: '4000000000000002' })).status).toBe(402);
    expect((await submitForm(`${url}/card`, VALID_CARD)).status).toBe(303);
    expect((await submitForm(sandbox.url + pay)).status).toBe(303);
    const read = () => stripe.subscriptions.retrieve(subscription.id);
    expect((await read()).status).toBe('active');
    expect(await (await fetch(`${url}/cancel`)).text()).toContain('Cancel your subscription?');
    await submitForm(`${url}/cancel`);
    expect((await read()).cancel_at_period_end).toBe(true);
    await submitForm(`${url}/resume`);
    expect((await read()).cancel_at_period_end).toBe(false);
  });

  it('shows the authentication page before a payment with a card that requires it', async () => {
    const sandbox = await startSandbox();
    const { stripe, control } = sandbox;
    const { customer, subscription } = await subscribe(sandbox, '4000002760003184');
    await control('POST', '/clock/advance', { seconds: 31 * DAY });
    const { url } = await stripe.billingPortal.sessions.create({ customer: customer.id });
    const pay = sandbox.url + (/action="([^"]+\/pay)"/.exec(await (await fetch(url)).text())?.[1] ?? '');
    const token = tokenIn(await (await submitForm(pay)).text());
    expect((await submitForm(pay, { token, outcome: 'complete' })).status).toBe(303);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  });
});

describe('pages', () => {
  it('receipts, the home page and the portal escape customer data', async () => {
    const sandbox = await startSandbox();
    const { stripe, url } = sandbox;
    const { subscription, customer } = await subscribe(sandbox);
    await stripe.customers.update(customer.id, { name: '<script>alert(1)</script>' });
    const invoice = await stripe.invoices.retrieve(idOf(subscription.latest_invoice));
    expect(await (await fetch(String(invoice.hosted_invoice_url))).text()).toContain('Paid on');
    const portal = await stripe.billingPortal.sessions.create({ customer: customer.id });
    const page = await (await fetch(portal.url)).text();
    expect(page).not.toContain('<script');
    expect(await (await fetch(url)).text()).toContain('Local sandbox');
  });
});
