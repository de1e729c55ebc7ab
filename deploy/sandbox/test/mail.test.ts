import sendgrid from '@sendgrid/mail';
import { describe, expect, it } from 'vitest';
import { startSandbox, firstItem } from './support.ts';

const configureSendgrid = (url: string, key = 'SG.sandbox'): typeof sendgrid => {
  // The package's types omit the client. setApiKey() resets the base URL, so it precedes setDefaultRequest().
  const service = sendgrid as typeof sendgrid & {
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

describe('mail API', () => {
  it('the SendGrid library sends a mail, which the sandbox shows', async () => {
    const { url, control } = await startSandbox();
    const [response] = await configureSendgrid(url).send(message);
    expect(response.statusCode).toBe(202);
    const { id } = firstItem((await control('GET', '/mails')).body);
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

  it('an invalid key and a missing field are rejected in SendGrid’s format', async () => {
    const { url } = await startSandbox();
    await expect(configureSendgrid(url, 'SG.wrong').send(message)).rejects.toMatchObject({
      code: 401,
      response: { body: { errors: [{ field: null }] } },
    });
    await expect(configureSendgrid(url).send({ ...message, to: 'nonsense' })).rejects.toMatchObject({
      code: 400,
      response: {
        body: { errors: [{ field: 'personalizations.0.to.0.email', message: expect.any(String) as string }] },
      },
    });
    await expect(configureSendgrid(url).send({ ...message, subject: '' })).rejects.toMatchObject({
      code: 400,
    });
  });

  it('injected faults apply to mail requests', async () => {
    const { url, control } = await startSandbox();
    await control('PUT', '/faults', { path: '/v3/mail/send', status: 429 });
    await expect(configureSendgrid(url).send(message)).rejects.toMatchObject({
      code: 429,
      response: { headers: { 'retry-after': '1' } },
    });
    await control('PUT', '/faults', { path: '/v3/mail/send', reset: true });
    await expect(configureSendgrid(url).send(message)).rejects.toThrow();
    expect((await control('GET', '/mails')).body.data).toHaveLength(1);
  });
});
