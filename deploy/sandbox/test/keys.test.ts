import { expect, it } from 'vitest';
import { startReceiver, startSandbox, waitUntil, WEBHOOK_SECRET } from './support.ts';

it('while a key of Stripe or SendGrid is replaced both are valid, and afterwards the next alone', async () => {
  const { url, stripe, control } = await startSandbox();
  const callStripe = async (key: string): Promise<number> =>
    (await fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${key}` } })).status;
  const sendMail = async (key: string): Promise<number> =>
    (await fetch(`${url}/v3/mail/send`, { method: 'POST', headers: { authorization: `Bearer ${key}` } }))
      .status;
  const statuses = async () => ({
    former: [await callStripe('sk_test_sandbox'), await sendMail('SG.sandbox')],
    next: [await callStripe('sk_test_next'), await sendMail('SG.next')],
  });
  // A mail without content is refused with 400.
  expect(await statuses()).toEqual({ former: [200, 400], next: [401, 401] });
  await control('PUT', '/keys', {
    stripe: ['sk_test_sandbox', 'sk_test_next'],
    mail: ['SG.sandbox', 'SG.next'],
  });
  expect(await statuses()).toEqual({ former: [200, 400], next: [200, 400] });
  await control('PUT', '/keys', { stripe: ['sk_test_next'], mail: ['SG.next'] });
  expect(await statuses()).toEqual({ former: [401, 401], next: [200, 400] });
  await expect(stripe.customers.list()).rejects.toMatchObject({ statusCode: 401 });
  expect((await control('PUT', '/keys', { stripe: [] })).status).toBe(400);
});

it('while a signing secret is replaced each webhook has the signature of both', async () => {
  const receiver = await startReceiver();
  const { stripe, control } = await startSandbox({ config: { webhookUrl: receiver.url } });
  const isSigned = (secret: string): boolean => {
    const { body = '', signature = '' } = receiver.received.at(-1) ?? {};
    try {
      return stripe.webhooks.constructEvent(body, signature, secret).id !== '';
    } catch {
      return false;
    }
  };
  const signaturesOf = async (webhooks: string[]): Promise<boolean[]> => {
    const count = receiver.received.length;
    await control('PUT', '/keys', { webhooks });
    await stripe.customers.create({ email: 'ada@example.com' });
    await waitUntil(() => receiver.received.length === count + 1);
    return [WEBHOOK_SECRET, 'whsec_next'].map(isSigned);
  };
  expect(await signaturesOf([WEBHOOK_SECRET])).toEqual([true, false]);
  expect(await signaturesOf([WEBHOOK_SECRET, 'whsec_next'])).toEqual([true, true]);
  expect(await signaturesOf(['whsec_next'])).toEqual([false, true]);
});
