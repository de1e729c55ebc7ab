// What acts for a user besides the sessions: listed together, ended with the sessions, and individually by support.
import {
  accessEndpoints,
  apiKeyEndpoints,
  connectionEndpoints,
} from '@shortlist/contracts/api/connected-apps';
import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { webhookEndpoints } from '@shortlist/contracts/api/webhooks';
import { days } from '@shortlist/contracts/durations';
import { apiKeyRevoked, connectionEnded, webhookStopped } from '@shortlist/contracts/events/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { admin, asUser } from './open-api-keys.ts';
import { versionOfNow } from './open-identity.ts';
import { type OpenedOauth, openOauth } from './open-oauth.ts';

const REASON = 'It was in a public repository';
const NOTHING = { apiKeys: [], connections: [], webhooks: [] };

let opened: OpenedOauth;
let userId = '';
beforeAll(async () => {
  opened = await openOauth();
});
afterAll(() => opened.close());
beforeEach(async () => {
  userId = await opened.addUser();
});

const readAccess = async () => (await opened.ask(accessEndpoints.getAccess, { userId }, asUser(userId))).data;
const addWebhook = async () => {
  const order = { userId, url: 'https://hooks.example.com/secret', events: ['plan.changed' as const] };
  return (await opened.ask(webhookEndpoints.createWebhook, order, asUser(userId))).data.id;
};
/** A key, a connected app and a webhook. */
const addAll = async () => {
  const key = await opened.create(userId);
  await opened.connect(await opened.addTool(), userId);
  await addWebhook();
  const { connections } = await readAccess();
  return { keyId: key.id, connectionId: connections[0]?.id ?? '' };
};
const endSessions = (withAccess: boolean, caller: typeof admin | ReturnType<typeof asUser>) =>
  opened.ask(identityEndpoints.endSessions, { id: userId, withAccess }, caller);
const endsOf = async () => ({
  keys: (await opened.eventsOf(apiKeyRevoked, userId)).length,
  connections: (await opened.eventsOf<{ reason: string }>(connectionEnded, userId)).map(
    ({ data }) => data.reason,
  ),
  webhooks: (await opened.eventsOf<{ stop: string }>(webhookStopped, userId)).map(({ data }) => data.stop),
});
const entries = async () =>
  (await opened.ask(auditEndpoint, { targetId: userId }, admin)).data
    .filter(({ action }) => /end|revoke|stop/.test(action))
    .map(({ action, actorId, after }) => ({ action, actorId, after }))
    .toSorted((one, other) => one.action.localeCompare(other.action));

describe('what acts for a user', () => {
  it('is listed together, for the user and for admins, only while it works', async () => {
    await addAll();
    expect(await readAccess()).toMatchObject({
      apiKeys: [{ name: 'Zapier', detail: 'sl_live_4k…x7Qa' }],
      connections: [{ name: 'Automation bot' }],
      webhooks: [{ name: 'hooks.example.com', detail: '' }],
    });
    expect((await opened.ask(accessEndpoints.getAccess, { userId }, admin)).data).toEqual(await readAccess());
    const { id: revoked } = await opened.create(userId);
    await opened.revoke(userId, revoked);
    await opened.create(userId, { expiresInDays: 1 });
    const off = await addWebhook();
    const change = {
      userId,
      endpointId: off,
      url: 'https://off.example.com/',
      events: ['plan.changed' as const],
    };
    await opened.ask(webhookEndpoints.changeWebhook, { ...change, isOn: false }, asUser(userId));
    opened.pass(days(2));
    const { apiKeys, webhooks } = await readAccess();
    expect([apiKeys.length, webhooks.length]).toEqual([1, 1]);
  });
});

describe('the end of all sessions', () => {
  it('B3 keeps it unless the user chooses to end it', async () => {
    await addAll();
    const before = await readAccess();
    await endSessions(false, asUser(userId));
    expect(await readAccess()).toEqual(before);
    expect(await endsOf()).toEqual({ keys: 0, connections: [], webhooks: [] });
  });

  it('B3 ends it if the user chooses so, as if each were ended individually', async () => {
    await addAll();
    expect(await endSessions(true, asUser(userId))).toEqual({ generation: versionOfNow() });
    expect(await readAccess()).toEqual(NOTHING);
    expect(await endsOf()).toEqual({ keys: 1, connections: ['user'], webhooks: ['user'] });
    const actions = (await entries()).map(({ action, actorId }) => [action, actorId]);
    expect(actions).toEqual([
      ['connection.end', userId],
      ['key.revoke', userId],
      ['webhook.stop', userId],
    ]);
    expect(await endSessions(true, asUser(userId))).toEqual({ generation: versionOfNow() });
    expect((await entries()).length, 'repeated, it records nothing').toBe(3);
  });

  it('B3 by an admin also ends it, and the admin is in the audit log', async () => {
    await addAll();
    await endSessions(true, admin);
    expect(await readAccess()).toEqual(NOTHING);
    expect(await endsOf()).toEqual({ keys: 1, connections: ['support'], webhooks: ['support'] });
    const { userId: actorId } = admin.caller;
    expect((await entries()).map((entry) => [entry.action, entry.actorId])).toEqual([
      ['account.end_sessions', actorId],
      ['connection.end', actorId],
      ['key.revoke', actorId],
      ['webhook.stop', actorId],
    ]);
  });

  it('B3 ends nothing of another user', async () => {
    await addAll();
    const other = userId;
    userId = await opened.addUser();
    await endSessions(true, asUser(userId));
    userId = other;
    expect(Object.values(await readAccess()).map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  it('B3 leaves no key or webhook that was created before or concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const made = await Promise.all([
        ...Array.from({ length: 3 }, () => opened.create(userId)),
        endSessions(true, asUser(userId)),
      ]);
      expect(made).toHaveLength(4);
      const { apiKeys } = await readAccess();
      const revoked = await opened.eventsOf(apiKeyRevoked, userId);
      // Each is ended or came later; none is lost.
      expect(apiKeys.length + revoked.length).toBe(3);
      userId = await opened.addUser();
    }
  });
});

describe('support', () => {
  const endKey = (keyId: string) =>
    opened.ask(apiKeyEndpoints.revokeApiKey, { userId, keyId, reason: REASON }, admin);
  const endConnection = (connectionId: string) =>
    opened.ask(connectionEndpoints.endConnection, { userId, connectionId, reason: REASON }, admin);
  const entry = { actorId: admin.caller.userId, after: { reason: REASON } };

  it('D6 ends one key of a user for a reason, once, and keeps the rest', async () => {
    const { keyId } = await addAll();
    await endKey(keyId);
    await endKey(keyId);
    const left = await readAccess();
    expect([left.apiKeys.length, left.connections.length, left.webhooks.length]).toEqual([0, 1, 1]);
    expect(await endsOf()).toEqual({ keys: 1, connections: [], webhooks: [] });
    expect(await entries()).toEqual([{ action: 'key.revoke', ...entry }]);
  });

  it('D6 ends one connected app of a user for a reason, once, and keeps the rest', async () => {
    const { connectionId } = await addAll();
    await endConnection(connectionId);
    await endConnection(connectionId);
    const left = await readAccess();
    expect([left.apiKeys.length, left.connections.length, left.webhooks.length]).toEqual([1, 0, 1]);
    expect(await endsOf()).toEqual({ keys: 0, connections: ['support'], webhooks: [] });
    expect(await entries()).toEqual([{ action: 'connection.end', ...entry }]);
  });

  it('D6 ends nothing if another user is named', async () => {
    const { keyId, connectionId } = await addAll();
    userId = await opened.addUser();
    await expect(endKey(keyId)).rejects.toMatchObject({ code: 'identity.api_key_not_found' });
    await expect(endConnection(connectionId)).rejects.toMatchObject({
      code: 'identity.connection_not_found',
    });
    await expect(endKey(uuidv7())).rejects.toMatchObject({ code: 'identity.api_key_not_found' });
  });
});
