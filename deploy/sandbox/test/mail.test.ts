import { MailService } from '@sendgrid/mail';
import { expect, test } from 'vitest';
import { start, firstOf } from './support.ts';

const mailer = (url: string, key = 'SG.sandbox'): MailService => {
  // The package's types leave its client out, which is where the address is set; the key sets it too, so it is first.
  const service = new MailService() as MailService & {
    client: { setDefaultRequest: (name: string, value: string) => void };
  };
  service.setApiKey(key);
  service.client.setDefaultRequest('baseUrl', url);
  return service;
};

const message = {
  to: { email: 'ada@example.com', name: 'Ada' },
  from: 'hello@shortlist.example',
  subject: 'Welcome <Ada>',
  text: 'Hello',
  html: '<p>Hello <script>alert(1)</script></p>',
  customArgs: { event: 'e-1' },
};

test('the real package sends a mail and it can be read', async () => {
  const { url, control } = await start();
  const [response] = await mailer(url).send(message);
  expect(response.statusCode).toBe(202);
  const { id } = firstOf((await control('GET', '/mails')).body);
  expect(response.headers).toMatchObject({ 'x-message-id': id });
  expect((await control('GET', '/mails')).body.data).toHaveLength(1);
  expect((await control('GET', '/mails')).body.data[0]).toMatchObject({
    to: [{ email: 'ada@example.com', name: 'Ada' }],
    subject: 'Welcome <Ada>',
    text: 'Hello',
    customArgs: { event: 'e-1' },
  });
  const page = await (await fetch(`${url}/mails/${id}`)).text();
  expect(page).toContain('Welcome &lt;Ada&gt;');
  expect(page).toContain('srcdoc="&lt;p&gt;Hello &lt;script&gt;');
  expect(await (await fetch(`${url}/mails`)).text()).toContain('Ada &lt;ada@example.com&gt;');
});

test('a wrong key and a missing field are refused in SendGrid’s shapes', async () => {
  const { url } = await start();
  await expect(mailer(url, 'SG.wrong').send(message)).rejects.toMatchObject({
    code: 401,
    response: { body: { errors: [{ field: null }] } },
  });
  await expect(mailer(url).send({ ...message, to: 'nonsense' })).rejects.toMatchObject({
    code: 400,
    response: {
      body: { errors: [{ field: 'personalizations.0.to.0.email', message: expect.any(String) as string }] },
    },
  });
  await expect(mailer(url).send({ ...message, subject: '' })).rejects.toMatchObject({ code: 400 });
});

test('the mail provider fails as told', async () => {
  const { url, control } = await start();
  await control('PUT', '/faults', { path: '/v3/mail/send', status: 429 });
  await expect(mailer(url).send(message)).rejects.toMatchObject({
    code: 429,
    response: { headers: { 'retry-after': '1' } },
  });
  await control('PUT', '/faults', { path: '/v3/mail/send', reset: true });
  await expect(mailer(url).send(message)).rejects.toThrow();
  expect((await control('GET', '/mails')).body.data).toHaveLength(1);
});
