import { generateKeyPairSync, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../src/config.ts';
import { type RunningSandbox, startSandbox, waitUntil } from './support.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
const ADA = 'ada@people.test';

type Batch = { headers: IncomingHttpHeaders; body: Buffer };

/** A product that takes events, unless `status` says otherwise. */
const startProduct = async () => {
  const batches: Batch[] = [];
  const next = { status: 200 };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      batches.push({ headers: request.headers, body: Buffer.concat(parts) });
      response.writeHead(next.status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/sendgrid`;
  const events = () =>
    batches.flatMap(({ body }) => JSON.parse(body.toString()) as Record<string, string | number>[]);
  return { url, batches, next, events };
};

const start = async () => {
  const product = await startProduct();
  const sandbox = await startSandbox({ config: { mailEvents: { url: product.url, key } } });
  return { ...product, sandbox };
};

const call = ({ url }: RunningSandbox, method: string, path: string, body?: object) =>
  fetch(`${url}/v3${path}`, {
    method,
    headers: { authorization: 'Bearer SG.sandbox', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

const send = async (sandbox: RunningSandbox, email = ADA, more: object = {}): Promise<void> => {
  const response = await call(sandbox, 'POST', '/mail/send', {
    personalizations: [{ to: [{ email }], custom_args: { mail_id: 'm-1' } }],
    from: { email: 'hello@shortlist.test' },
    subject: 'Hello',
    content: [{ type: 'text/plain', value: 'Hello' }],
    ...more,
  });
  expect(response.status).toBe(202);
};
const setFate = async ({ control }: RunningSandbox, fate: string, email = ADA): Promise<void> =>
  expect((await control('PUT', '/mailboxes', { email, fate })).status).toBe(200);
const listed = async ({ control }: RunningSandbox): Promise<unknown> =>
  (await control('GET', '/suppressions')).body.data;

describe('mail events', () => {
  it('come in a batch that is signed as SendGrid signs, with the custom arguments', async () => {
    const { sandbox, batches, events } = await start();
    await send(sandbox);
    await send(sandbox, 'bob@people.test');
    await waitUntil(() => batches.length > 0);
    const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = batches;
    const timestamp = String(headers['x-twilio-email-event-webhook-timestamp']);
    const signature = Buffer.from(String(headers['x-twilio-email-event-webhook-signature']), 'base64');
    expect(verify('sha256', Buffer.concat([Buffer.from(timestamp), body]), publicKey, signature)).toBe(true);
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(60);
    expect(events().map(({ email, event, mail_id }) => [email, event, mail_id])).toEqual([
      [ADA, 'processed', 'm-1'],
      [ADA, 'delivered', 'm-1'],
      ['bob@people.test', 'processed', 'm-1'],
      ['bob@people.test', 'delivered', 'm-1'],
    ]);
    expect(new Set(events().map(({ sg_event_id }) => sg_event_id)).size).toBe(4);
    expect(batches).toHaveLength(1);
  });

  it.each([
    ['bounce', ['processed', 'bounce'], { type: 'bounce' }, ['bounces/ada@people.test']],
    ['block', ['processed', 'bounce'], { type: 'blocked' }, []],
    ['drop', ['dropped'], { reason: 'Invalid' }, ['invalid_emails/ada@people.test']],
    ['complain', ['processed', 'delivered', 'spamreport'], {}, ['spam_reports/ada@people.test']],
    ['defer', ['processed', 'deferred'], {}, []],
  ])('of an address that is to %s', async (fate, kinds, last, lists) => {
    const { sandbox, events } = await start();
    await setFate(sandbox, fate, 'Ada@People.test');
    await send(sandbox);
    await waitUntil(() => events().length > 0);
    expect(events().map(({ event }) => event)).toEqual(kinds);
    expect(events().at(-1)).toMatchObject(last);
    expect(await listed(sandbox)).toEqual(lists);
  });

  it('of a suppressed address say that the mail was dropped, whatever its mailbox does by now', async () => {
    const { sandbox, events } = await start();
    await setFate(sandbox, 'bounce');
    await send(sandbox);
    await setFate(sandbox, 'deliver');
    await send(sandbox);
    await waitUntil(() => events().length === 3);
    expect(events().at(-1)).toMatchObject({ event: 'dropped', reason: 'Bounced Address' });
    const { body } = await sandbox.control('GET', '/mails');
    expect(body.data).toMatchObject([{ outcomes: { [ADA]: 'bounce' } }, { outcomes: { [ADA]: 'dropped' } }]);
  });

  it('let a mail through to who reported spam if it asks for that, and to nobody else', async () => {
    const { sandbox, events } = await start();
    const bypass = { mail_settings: { bypass_spam_management: { enable: true } } };
    await setFate(sandbox, 'complain');
    await send(sandbox);
    await setFate(sandbox, 'deliver');
    await send(sandbox);
    await send(sandbox, ADA, bypass);
    await setFate(sandbox, 'bounce', 'bob@people.test');
    await send(sandbox, 'bob@people.test');
    await send(sandbox, 'bob@people.test', bypass);
    await waitUntil(() => events().length >= 9);
    const ends = events().filter(({ event }) => event !== 'processed');
    expect(ends.map(({ event, reason = '' }) => `${event} ${reason}`.slice(0, 30).trim())).toEqual([
      'delivered',
      'spamreport',
      'dropped Spam Reporting Address',
      'delivered',
      'bounce 550 5.1.1 <bob@people.t',
      'dropped Bounced Address',
    ]);
  });

  it('are sent again, signed anew, until the product takes them', async () => {
    const { sandbox, batches, next, events } = await start();
    next.status = 503;
    await send(sandbox);
    await waitUntil(() => batches.length === 1);
    next.status = 200;
    await waitUntil(() => batches.length === 2, 10_000);
    const [first, second] = batches;
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect(second?.headers['x-twilio-email-event-webhook-timestamp']).not.toBe(
      first?.headers['x-twilio-email-event-webhook-timestamp'],
    );
    expect(events()).toHaveLength(4);
  });

  it('are kept to themselves without an address or a key', async () => {
    const sandbox = await startSandbox();
    await setFate(sandbox, 'bounce');
    await send(sandbox);
    expect(await listed(sandbox)).toEqual([`bounces/${ADA}`]);
    const required = {
      PORT: '1',
      WEBHOOK_URL: '',
      WEBHOOK_SECRET: 'whsec_x',
      STRIPE_SECRET_KEY: 'sk',
      MAIL_API_KEY: 'SG.x',
    };
    expect(readConfig({ ...required, MAIL_EVENTS_URL: 'http://127.0.0.1:9/x' }).mailEvents).toBeNull();
    expect(readConfig({ ...required, MAIL_EVENTS_KEY: key }).mailEvents).toBeNull();
    const both = { ...required, MAIL_EVENTS_URL: 'http://127.0.0.1:9/x', MAIL_EVENTS_KEY: key };
    expect(readConfig(both).mailEvents).toEqual({ url: 'http://127.0.0.1:9/x', key });
  });
});

describe('the suppression lists', () => {
  it('lose an address once, and have no others', async () => {
    const { sandbox, events } = await start();
    await setFate(sandbox, 'bounce');
    await send(sandbox);
    await setFate(sandbox, 'deliver');
    const path = `/suppression/bounces/${encodeURIComponent('Ada@people.test')}`;
    expect((await call(sandbox, 'DELETE', '/suppression/spam_reports/ada%40people.test')).status).toBe(404);
    expect((await call(sandbox, 'DELETE', '/suppression/no_list/ada%40people.test')).status).toBe(404);
    expect((await call(sandbox, 'DELETE', path)).status).toBe(204);
    expect((await call(sandbox, 'DELETE', path)).status).toBe(404);
    await send(sandbox);
    await waitUntil(() => events().length === 4);
    expect(events().at(-1)).toMatchObject({ event: 'delivered' });
  });

  it('are closed to a wrong key, and fail when they are told to', async () => {
    const { sandbox } = await start();
    const url = `${sandbox.url}/v3/suppression/bounces/ada%40people.test`;
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(401);
    await sandbox.control('PUT', '/faults', { path: '/v3/suppression/', status: 500 });
    expect((await call(sandbox, 'DELETE', '/suppression/bounces/ada%40people.test')).status).toBe(500);
  });
});
