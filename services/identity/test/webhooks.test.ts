import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { dataExportEndpoints, privacyEndpoints } from '@shortlist/contracts/api/privacy';
import {
  type NewWebhookEndpoint,
  type TryOutcome,
  type WebhookEndpointChange,
  webhookEndpoints,
} from '@shortlist/contracts/api/webhooks';
import { days, hours } from '@shortlist/contracts/durations';
import { webhookCreated, webhookFailing, webhookStopped } from '@shortlist/contracts/events/identity';
import { WEBHOOK_FAILING_DAYS, WEBHOOK_ROTATION_HOURS, WEBHOOKS_MAX } from '@shortlist/contracts/limits';
import { asService } from '@shortlist/kit/http/http-client';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { admin, asUser, type OpenedApiKeys, openApiKeys } from './open-api-keys.ts';

const NOT_FOUND = { status: 404, code: 'identity.webhook_not_found' };
const NEW: NewWebhookEndpoint = {
  url: 'https://hooks.example.com/shortlist?token=of-the-receiver',
  events: ['credits.low', 'plan.changed'],
};

let opened: OpenedApiKeys;
let userId = '';
beforeAll(async () => {
  opened = await openApiKeys();
});
afterAll(() => opened.close());
beforeEach(async () => {
  userId = await opened.addUser();
});

const create = (change: Partial<NewWebhookEndpoint> = {}, owner = userId) =>
  opened.ask(webhookEndpoints.createWebhook, { userId: owner, ...NEW, ...change }, asUser(owner));
const list = async () => (await opened.ask(webhookEndpoints.listWebhooks, { userId }, asUser(userId))).data;
const change = (endpointId: string, values: Partial<WebhookEndpointChange>, owner = userId) =>
  opened.ask(
    webhookEndpoints.changeWebhook,
    { userId: owner, endpointId, ...NEW, isOn: true, ...values },
    asUser(owner),
  );
const targets = async () => (await opened.ask(webhookEndpoints.listTargets, { userId }, asService())).data;
const tried = (endpointId: string, outcome: TryOutcome, at = opened.clock()) =>
  opened.ask(webhookEndpoints.recordTry, { userId, endpointId, outcome, at: at.toISOString() }, asService());
const sweep = () => opened.ask(webhookEndpoints.stopFailingWebhooks, {}, asService());
const entriesOf = async (action: string) =>
  (await opened.ask(auditEndpoint, { targetId: userId, action }, admin)).data;

describe('a webhook', () => {
  it('has a secret of 32 random bytes, which only its user and the sender ever see', async () => {
    const { data, secret } = await create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await create()).secret).not.toBe(secret);
    expect(await targets()).toContainEqual({ ...NEW, id: data.id, secrets: [secret] });
    const shown = {
      ...NEW,
      id: data.id,
      createdAt: opened.clock().toISOString(),
      stop: null,
      failingSince: null,
      previousSecretUntil: null,
    };
    expect(data).toEqual(shown);
    expect(await list()).toContainEqual(shown);
    const stored = JSON.stringify(await opened.db.query('SELECT * FROM webhooks'));
    expect(stored).not.toContain(secret.slice('whsec_'.length, -1));
  });

  it('is emitted and recorded with only its host, because the rest of the URL may contain a secret', async () => {
    const { data } = await create();
    await change(data.id, { isOn: false });
    await opened.ask(webhookEndpoints.deleteWebhook, { userId, endpointId: data.id }, asUser(userId));
    const host = 'hooks.example.com';
    expect(await opened.eventsOf(webhookCreated, userId)).toMatchObject([
      { data: { endpointId: data.id, host, events: NEW.events } },
    ]);
    const state = { host, events: 'credits.low, plan.changed', stop: 'none' };
    expect(await entriesOf('webhook.create')).toMatchObject([{ actorId: userId, after: state }]);
    expect(await entriesOf('webhook.change')).toMatchObject([{ before: state, after: { stop: 'user' } }]);
    expect(await entriesOf('webhook.delete')).toMatchObject([{ after: null }]);
    const everything = [
      await opened.db.query('SELECT payload FROM outbox WHERE payload LIKE ?', [`%${data.id}%`]),
      await opened.db.query('SELECT before_state, after_state FROM audit_log'),
    ];
    expect(JSON.stringify(everything)).not.toContain('of-the-receiver');
  });

  it(`is one of ${WEBHOOKS_MAX} at most, even if ten are created at once`, async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => create()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(WEBHOOKS_MAX);
    await expect(create()).rejects.toMatchObject({ status: 409, code: 'identity.webhooks_full' });
    expect(await list()).toHaveLength(WEBHOOKS_MAX);
  });

  it.each([
    ['http://hooks.example.com/', 'identity.webhook_not_https'],
    ['https://127.0.0.1/', 'identity.webhook_not_public'],
    ['https://[fd00::1]/', 'identity.webhook_not_public'],
    ['https://localhost/', 'identity.webhook_not_public'],
    ['https://user:secret@example.com/', 'request.invalid'],
    ['ftp://example.com/', 'request.invalid'],
    ['example.com', 'request.invalid'],
    [`https://example.com/${'a'.repeat(500)}`, 'request.invalid'],
  ])('with the address %s is refused with a message at the field', async (url, code) => {
    const refused = { status: 400, code, fields: { url: expect.any(String) as string } };
    await expect(create({ url })).rejects.toMatchObject(refused);
    expect(await list()).toEqual([]);
  });

  it.each([[[]], [['credits.stolen']], [['credits.low', 'credits.low']]])(
    'with the events %j is refused',
    async (events) => {
      await expect(create({ events: events as never })).rejects.toMatchObject({ code: 'request.invalid' });
    },
  );

  it('D1 is changed, renewed and deleted by its own user only', async () => {
    const { data } = await create();
    const other = await opened.addUser();
    const theirs = { userId: other, endpointId: data.id };
    await expect(change(data.id, {}, other)).rejects.toMatchObject(NOT_FOUND);
    const { rotateWebhookSecret, deleteWebhook } = webhookEndpoints;
    await expect(opened.ask(rotateWebhookSecret, theirs, asUser(other))).rejects.toMatchObject(NOT_FOUND);
    await expect(opened.ask(deleteWebhook, theirs, asUser(other))).rejects.toMatchObject(NOT_FOUND);
    expect(await list()).toHaveLength(1);
  });

  it('that is off gets nothing, and can be turned on again by its user', async () => {
    const { data } = await create();
    await change(data.id, { isOn: false });
    expect(await targets()).toEqual([]);
    expect(await list()).toMatchObject([{ stop: 'user' }]);
    const { data: changed } = await change(data.id, { isOn: true, events: ['credits.exhausted'] });
    expect(changed).toMatchObject({ stop: null, events: ['credits.exhausted'] });
    expect(await targets()).toHaveLength(1);
  });
});

describe('a new secret', () => {
  it('signs together with the previous one for a day, and alone from then on', async () => {
    const { data, secret: first } = await create();
    const renew = () =>
      opened.ask(webhookEndpoints.rotateWebhookSecret, { userId, endpointId: data.id }, asUser(userId));
    const { secret: second, data: renewed } = await renew();
    expect(renewed.previousSecretUntil).toBe(
      new Date(opened.clock().getTime() + hours(WEBHOOK_ROTATION_HOURS)).toISOString(),
    );
    expect(await targets()).toMatchObject([{ secrets: [second, first] }]);
    opened.pass(hours(WEBHOOK_ROTATION_HOURS));
    expect(await targets()).toMatchObject([{ secrets: [second] }]);
    expect(await list()).toMatchObject([{ previousSecretUntil: null }]);
    const { secret: third } = await renew();
    const { secret: fourth } = await renew();
    expect(await targets()).toMatchObject([{ secrets: [fourth, third] }]);
    const entries = JSON.stringify(await entriesOf('webhook.renew_secret'));
    for (const secret of [first, second, third, fourth]) expect(entries).not.toContain(secret);
  });
});

describe('a webhook that fails', () => {
  it('for days causes a warning the day before it is stopped', async () => {
    const { data } = await create();
    await tried(data.id, 'failed');
    const failingSince = opened.clock().toISOString();
    expect(await list()).toMatchObject([{ failingSince }]);
    opened.pass(days(WEBHOOK_FAILING_DAYS - 1) - 1);
    await tried(data.id, 'failed');
    await sweep();
    expect(await opened.eventsOf(webhookFailing, userId)).toEqual([]);
    opened.pass(1);
    await Promise.all([sweep(), sweep()]);
    const stopsAt = new Date(opened.clock().getTime() + days(1)).toISOString();
    const warning = { endpointId: data.id, host: 'hooks.example.com', since: failingSince, stopsAt };
    expect(await opened.eventsOf(webhookFailing, userId)).toMatchObject([{ data: warning }]);
    opened.pass(days(1) - 1);
    await sweep();
    expect(await list()).toMatchObject([{ stop: null }]);
    opened.pass(1);
    await Promise.all([sweep(), sweep()]);
    expect(await list()).toMatchObject([{ stop: 'failing' }]);
    expect(await targets()).toEqual([]);
    expect(await opened.eventsOf(webhookStopped, userId)).toMatchObject([{ data: { stop: 'failing' } }]);
    expect(await entriesOf('webhook.stop')).toMatchObject([{ after: { stop: 'failing' } }]);
  });

  it('is stopped no sooner than a day after its warning, even if that was late', async () => {
    const { data } = await create();
    await tried(data.id, 'failed');
    opened.pass(days(30));
    await sweep();
    expect(await list()).toMatchObject([{ stop: null }]);
    opened.pass(days(1));
    await sweep();
    expect(await list()).toMatchObject([{ stop: 'failing' }]);
  });

  it('but then works is not stopped, and its days are counted anew', async () => {
    const { data } = await create();
    await tried(data.id, 'failed');
    opened.pass(days(WEBHOOK_FAILING_DAYS - 1));
    await sweep();
    await tried(data.id, 'delivered');
    opened.pass(days(1));
    await sweep();
    expect(await list()).toMatchObject([{ stop: null, failingSince: null }]);
    await tried(data.id, 'failed');
    opened.pass(days(WEBHOOK_FAILING_DAYS - 2));
    await sweep();
    expect(await opened.eventsOf(webhookFailing, userId)).toHaveLength(1);
  });

  it('and is turned on again counts as not failing', async () => {
    const { data } = await create();
    await tried(data.id, 'failed');
    opened.pass(days(WEBHOOK_FAILING_DAYS - 1));
    await sweep();
    opened.pass(days(1));
    await sweep();
    await change(data.id, { isOn: true });
    expect(await list()).toMatchObject([{ stop: null, failingSince: null }]);
    await sweep();
    expect(await targets()).toHaveLength(1);
  });

  it('with 410 is stopped at once', async () => {
    const { data } = await create();
    await tried(data.id, 'gone');
    expect(await list()).toMatchObject([{ stop: 'gone' }]);
    await tried(data.id, 'gone');
    expect(await opened.eventsOf(webhookStopped, userId)).toHaveLength(1);
  });
});

describe('a webhook whose URL changed during a try', () => {
  it('is not judged by the response of its former URL', async () => {
    const { data } = await create();
    const began = opened.clock();
    opened.pass(1);
    await change(data.id, { url: 'https://new.example.com/' });
    await tried(data.id, 'failed', began);
    expect(await list()).toMatchObject([{ stop: null, failingSince: null }]);
    await tried(data.id, 'gone', began);
    expect(await list()).toMatchObject([{ stop: null, failingSince: null }]);
    const failingSince = opened.clock().toISOString();
    await tried(data.id, 'failed');
    await tried(data.id, 'delivered', began);
    expect(await list()).toMatchObject([{ stop: null, failingSince }]);
  });
});

describe('the account of a webhook', () => {
  it('has it in its data file, without secrets, and deletes it with itself', async () => {
    const { data, secret } = await create();
    const request = { userId, section: 'webhooks' };
    const file = await opened.ask(dataExportEndpoints.identity, request, asService());
    expect(file.data).toMatchObject([{ id: data.id, url: NEW.url, events: 'credits.low, plan.changed' }]);
    expect(JSON.stringify(file)).not.toContain(secret);
    expect(Object.keys(file.data[0] ?? {})).not.toContain('secret');
    await opened.ask(privacyEndpoints.eraseUser, { id: userId }, admin);
    expect(await opened.db.query('SELECT 1 FROM webhooks WHERE user_id = ?', [userId])).toEqual([]);
    await tried(data.id, 'failed');
    await expect(create()).rejects.toMatchObject({ code: 'identity.user_not_found' });
    const entries = JSON.stringify((await opened.ask(auditEndpoint, { targetId: userId }, admin)).data);
    expect(entries).not.toContain('hooks.example.com');
  });

  it('that is about to be deleted cannot have a new one', async () => {
    const { email } = (await opened.ask(identityEndpoints.email, { id: userId }, asService())).data;
    const request = { id: userId, email, subscription: 'keep' } as const;
    await opened.ask(privacyEndpoints.requestDeletion, request, asUser(userId));
    await expect(create()).rejects.toMatchObject({ code: 'identity.deletion_pending' });
  });

  it('must belong to a user', async () => {
    await expect(create({}, uuidv7())).rejects.toMatchObject({ code: 'identity.user_not_found' });
  });
});
