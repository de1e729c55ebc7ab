import { expect, test } from 'vitest';
import { DAY, offer, start, subscribe, idOf } from './support.ts';

const goodCard = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123', name: 'Ada <b>' };

const submit = (url: string, fields: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

const tokenIn = (page: string) => /name="token" value="(\w+)"/.exec(page)?.[1] ?? '';

test('a person pays at the page and is sent back with the session id', async () => {
  const { stripe } = await start();
  const { session } = await offer(stripe);
  const address = String(session.url);
  const page = await (await fetch(address)).text();
  expect(page).toContain('$59.00');
  expect(page).toContain('value="ada@example.com"');
  expect(page).toContain('href="http://127.0.0.1:9/payments/cancel"');
  const paid = await submit(address, goodCard);
  expect(paid.status).toBe(303);
  expect(paid.headers.get('location')).toBe(`http://127.0.0.1:9/payments/success?xsl=${session.id}`);
  expect(await (await fetch(address)).text()).toContain('has been paid');
  expect(await (await submit(address, goodCard)).text()).toContain('has been paid');
  expect((await stripe.subscriptions.list()).data).toHaveLength(1);
});

test.each([
  [{ number: '4242 4242 4242 4241' }, 'Your card number is incorrect.'],
  [{ expiry: '12/20' }, 'expiration is in the past'],
  [{ expiry: 'soon' }, 'expiration month is invalid'],
  [{ cvc: '1' }, 'security code is incomplete'],
  [{ number: '4000000000000002' }, 'Your card was declined.'],
])('%j is refused in words and keeps what was typed', async (change, words) => {
  const { stripe } = await start();
  const { session } = await offer(stripe);
  const response = await submit(String(session.url), { ...goodCard, ...change });
  const page = (await response.text()).replaceAll('&#39;', "'");
  expect(response.status).toBe(402);
  expect(page).toContain(words);
  expect(page).toContain('value="Ada &lt;b&gt;"');
});

test('a card that wants its owner shows a step between', async () => {
  const { stripe } = await start();
  const { session } = await offer(stripe);
  const address = String(session.url);
  const card = { ...goodCard, number: '4000002500003155' };
  const token = tokenIn(await (await submit(address, card)).text());
  const failed = await submit(address, { token, outcome: 'fail' });
  expect(failed.status).toBe(402);
  const second = tokenIn(await (await submit(address, card)).text());
  expect((await submit(address, { token: second, outcome: 'complete' })).status).toBe(303);
});

test('an expired session says so', async () => {
  const { stripe, url } = await start();
  const { session } = await offer(stripe);
  await stripe.checkout.sessions.expire(session.id);
  expect(await (await fetch(`${url}/c/pay/${session.id}`)).text()).toContain('has expired');
  expect((await fetch(`${url}/c/pay/cs_nobody`)).status).toBe(404);
});

test('the portal changes the card, pays what is open, cancels and resumes', async () => {
  const sandbox = await start();
  const { stripe, control } = sandbox;
  const { customer, subscription } = await subscribe(sandbox, '4000000000000341');
  await control('POST', '/clock/advance', { seconds: 31 * DAY });
  const return_url = 'http://127.0.0.1:9/subscription';
  const { url } = await stripe.billingPortal.sessions.create({ customer: customer.id, return_url });
  const before = await (await fetch(url)).text();
  for (const text of ['Payment overdue', '0341', 'Pay now', return_url, '$59.00'])
    expect(before).toContain(text);
  const pay = /action="([^"]+\/pay)"/.exec(before)?.[1] ?? '';
  const refused = await submit(sandbox.url + pay);
  expect(refused.status).toBe(402);
  expect((await submit(`${url}/card`, { ...goodCard, number: '4000000000000002' })).status).toBe(402);
  expect((await submit(`${url}/card`, goodCard)).status).toBe(303);
  expect((await submit(sandbox.url + pay)).status).toBe(303);
  const read = () => stripe.subscriptions.retrieve(subscription.id);
  expect((await read()).status).toBe('active');
  expect(await (await fetch(`${url}/cancel`)).text()).toContain('Cancel your subscription?');
  await submit(`${url}/cancel`);
  expect((await read()).cancel_at_period_end).toBe(true);
  await submit(`${url}/resume`);
  expect((await read()).cancel_at_period_end).toBe(false);
});

test('the portal asks the owner before it pays with a card that wants them', async () => {
  const sandbox = await start();
  const { stripe, control } = sandbox;
  const { customer, subscription } = await subscribe(sandbox, '4000002760003184');
  await control('POST', '/clock/advance', { seconds: 31 * DAY });
  const { url } = await stripe.billingPortal.sessions.create({ customer: customer.id });
  const pay = sandbox.url + (/action="([^"]+\/pay)"/.exec(await (await fetch(url)).text())?.[1] ?? '');
  const token = tokenIn(await (await submit(pay)).text());
  expect((await submit(pay, { token, outcome: 'complete' })).status).toBe(303);
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
});

test('receipts, the start page and a hostile name are shown as text', async () => {
  const sandbox = await start();
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
