import { auditEndpoint, type AuditEntry, SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { type RegisteredTool, toolEndpoints } from '@shortlist/contracts/api/connected-apps';
import { days } from '@shortlist/contracts/durations';
import {
  connectionEnded,
  type ConnectionEnded,
  toolDisabled,
  type ToolDisabled,
} from '@shortlist/contracts/events/identity';
import { CONNECTION_DAYS, CONNECTIONS_MAX } from '@shortlist/contracts/limits';
import { inTransaction } from '@shortlist/kit/data/db';
import { asService } from '@shortlist/kit/http/http-client';
import { untilLockWait } from '@shortlist/kit/testing/databases';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectionRow, insertConnection } from '../src/tools/connection-queries.ts';
import { endDisabledConnections } from '../src/tools/change-tool.ts';
import { lockTool, type ToolRow, updateTool } from '../src/tools/queries.ts';
import { admin } from './open-api-keys.ts';
import { versionOfNow } from './open-identity.ts';
import { type OpenedOauth, openOauth } from './open-oauth.ts';

let opened: OpenedOauth;
beforeAll(async () => {
  opened = await openOauth();
});
afterAll(() => opened.close());

let tool: ToolRow;
let userId: string;
beforeEach(async () => {
  tool = await opened.addTool();
  userId = await opened.addUser();
  await endDisabledConnections(opened.db, opened.clock); // those of the test before
});

const listed = async (id = tool.id): Promise<RegisteredTool | undefined> =>
  (await opened.ask(toolEndpoints.listTools, {}, admin)).data.find((each) => each.id === id);
const disable = (toolId = tool.id) => opened.ask(toolEndpoints.disableTool, { toolId }, admin);
const enable = (toolId = tool.id) => opened.ask(toolEndpoints.enableTool, { toolId }, admin);
const sweep = () => opened.ask(toolEndpoints.endDisabledConnections, {}, asService());
const entries = async (): Promise<AuditEntry[]> =>
  (await opened.ask(auditEndpoint, { targetId: tool.id }, admin)).data;
const isRefused = (access: string): Promise<boolean> =>
  opened.ownerOfToken(access).then(
    () => false,
    (error: unknown) => (error as { code?: string }).code === 'identity.token_not_found',
  );
const ends = async (): Promise<string[]> =>
  (await opened.eventsOf<ConnectionEnded>(connectionEnded, userId)).map(({ data }) => data.reason);

describe('the list of apps', () => {
  it('has the registered apps, with the number of users who have connected each', async () => {
    await opened.connect(tool, userId);
    await opened.connect(tool, userId);
    await opened.connect(tool, await opened.addUser());
    expect(await listed()).toEqual({
      id: tool.id,
      name: tool.name,
      logo: null,
      isVerified: true,
      scopes: tool.scopes,
      redirectUris: tool.redirectUris,
      users: 2,
      createdAt: tool.createdAt.toISOString(),
      disabledAt: null,
    });
    for (const { id } of await opened.connections(userId)) await opened.disconnect(userId, id);
    expect((await listed())?.users).toBe(1);
  });

  it('does not count users whose connection has expired', async () => {
    const other = await openOauth();
    const old = await other.addTool();
    await other.connect(old, await other.addUser());
    other.pass(days(CONNECTION_DAYS));
    const { data } = await other.ask(toolEndpoints.listTools, {}, admin);
    expect(data.map(({ users }) => users)).toEqual([0]);
    await other.close();
  });
});

describe('D9 an app that an admin disables', () => {
  it('loses every token at once, before the row of its connection is ended', async () => {
    const { access, refresh } = await opened.connect(tool, userId);
    const { access: kept } = await opened.connect(await opened.addTool(), userId);
    expect(await disable()).toEqual({ data: { generation: versionOfNow() } });
    expect(await ends()).toEqual([]);
    expect(await isRefused(access)).toBe(true);
    expect((await opened.refresh(tool, refresh)).body['error']).toBe('invalid_client');
    expect((await opened.startDevice(tool)).body['error']).toBe('invalid_client');
    expect(await listed()).toMatchObject({ users: 0, disabledAt: opened.clock().toISOString() });
    const shown = (await opened.connections(userId)).map(({ endedAt }) => endedAt);
    expect(shown).toEqual([null, opened.clock().toISOString()]);
    expect(await isRefused(kept)).toBe(false);
    const events = await opened.eventsOf<ToolDisabled>(toolDisabled, tool.id);
    expect(events.map(({ data }) => data)).toEqual([{ generation: versionOfNow(), by: admin.caller.userId }]);
  });

  it('has its connections ended afterwards, each once', async () => {
    await opened.connect(tool, userId);
    await disable();
    expect((await sweep()).ended).toBe(1);
    expect((await sweep()).ended).toBe(0);
    expect(await ends()).toEqual(['disabled']);
  });

  it('regains no earlier connection when it is enabled, whether the row is ended or not', async () => {
    const { access, refresh } = await opened.connect(tool, userId);
    const { code, verifier } = await opened.getCode(tool, userId);
    await disable();
    await enable();
    expect(await isRefused(access)).toBe(true);
    expect((await opened.refresh(tool, refresh)).body['error']).toBe('invalid_grant');
    expect((await opened.redeem(tool, { code, code_verifier: verifier })).body['error']).toBe(
      'invalid_grant',
    );
    const { access: again } = await opened.connect(tool, userId);
    expect(await opened.ownerOfToken(again)).toMatchObject({ userId, toolGeneration: versionOfNow() });
    expect((await listed())?.users).toBe(1);
    await sweep();
    expect(await isRefused(again)).toBe(false);
    expect(await isRefused(access)).toBe(true);
    expect((await opened.connections(userId)).filter(({ endedAt }) => endedAt === null)).toHaveLength(1);
  });

  it('does not count among a user’s apps', async () => {
    const now = opened.clock();
    const row: Omit<ConnectionRow, 'id'> = {
      userId,
      tool,
      toolGeneration: 0,
      scopes: tool.scopes,
      device: '',
      browser: '',
      system: '',
      createdAt: now,
      expiresAt: new Date(now.getTime() + days(1)),
      endedAt: null,
      lastUsedDay: null,
      lastUsedNetwork: '',
    };
    for (let index = 0; index < CONNECTIONS_MAX; index += 1)
      await insertConnection(opened.db.manager, { ...row, id: uuidv7() });
    await disable();
    expect((await opened.connect(await opened.addTool(), userId)).access).not.toBe('');
  });

  it('is disabled once by repeated requests, and an unknown one never', async () => {
    await disable();
    expect(await disable()).toEqual({ data: { generation: versionOfNow() } });
    await enable();
    await enable();
    expect(await opened.eventsOf(toolDisabled, tool.id)).toHaveLength(1);
    expect((await entries()).map(({ action }) => action)).toEqual(['tool.enable', 'tool.disable']);
    for (const change of [disable, enable])
      await expect(change(uuidv7())).rejects.toMatchObject({ code: 'identity.tool_not_found' });
  });

  it('is recorded with the admin, the network address and the number of disconnected users', async () => {
    await opened.connect(tool, userId);
    await disable();
    expect((await entries())[0]).toMatchObject({
      actorId: admin.caller.userId,
      before: { name: tool.name, disabled: false },
      after: { name: tool.name, disabled: true, disconnectedUsers: 1 },
    });
    await enable();
    expect((await entries())[0]).toMatchObject({
      actorId: admin.caller.userId,
      before: { disabled: true },
      after: { disabled: false },
    });
    expect((await entries()).some(({ actorId }) => actorId === SYSTEM_ACTOR_ID)).toBe(false);
  });

  it('is not connected by a concurrent approval', async () => {
    const { body } = await opened.startDevice(tool);
    const request = { source: 'device', request: body['user_code'] ?? '' } as const;
    const approval = inTransaction(opened.db, async (tx) => {
      await lockTool(tx, tool.id);
      const waiting = opened.approve(userId, request).then(
        () => 'approved',
        (error: unknown) => (error as { code: string }).code,
      );
      await untilLockWait(opened.db, /tools.*LOCK IN SHARE MODE/s);
      await updateTool(tx, tool.id, { disabledAt: opened.clock(), generation: 1 });
      return { waiting };
    });
    expect(await (await approval).waiting).toBe('identity.tool_disabled');
    expect(await opened.connections(userId)).toEqual([]);
  });

  it('has thousands of connections ended in batches, a thousand per call', async () => {
    await opened.connect(tool, userId);
    await opened.db.query(
      `INSERT INTO connections (id, user_id, tool_id, scopes, device, browser, operating_system, created_at, expires_at)
       SELECT UUID(), user_id, tool_id, scopes, device, browser, operating_system, created_at, expires_at
       FROM connections CROSS JOIN (SELECT 1 FROM information_schema.columns LIMIT 1140) AS copies WHERE tool_id = ?`,
      [tool.id],
    );
    await disable();
    expect(await sweep()).toEqual({ ended: 1_000, more: true });
    expect(await sweep()).toEqual({ ended: 141, more: false });
    expect((await opened.connections(userId)).every(({ endedAt }) => endedAt !== null)).toBe(true);
  });
});
