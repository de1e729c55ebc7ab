import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditEndpoint, SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { toolEndpoints } from '@shortlist/contracts/api/connected-apps';
import { connectionEnded } from '@shortlist/contracts/events/identity';
import { asService } from '@shortlist/kit/http/http-client';
import { runInProcess } from '@shortlist/operator/testing/run-in-process';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { program } from '../src/operator.ts';
import { findTool, listTools } from '../src/tools/queries.ts';
import { admin } from './open-api-keys.ts';
import { type OpenedOauth, openOauth, REDIRECT } from './open-oauth.ts';

let opened: OpenedOauth;
let folder = '';
beforeAll(async () => {
  opened = await openOauth();
  folder = await mkdtemp(join(tmpdir(), 'tools-'));
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => {
  const { database } = opened.db.options as { database: string };
  const url = new URL(inject('databaseAdminUrl'));
  url.pathname = `/${database}`;
  return runInProcess(program, ['tool', ...args], { env: { DATABASE_URL: url.href }, clock: opened.clock });
};
const PNG = Buffer.from('89504e470d0a1a0a00', 'hex');

describe('shortlist tool', () => {
  it('registers an app, which users then see with its name and logo', async () => {
    const logo = join(folder, 'logo.png');
    await writeFile(logo, PNG);
    const options = [
      '--scopes',
      'credits:charge,credits:read',
      '--redirects',
      REDIRECT,
      '--logo',
      logo,
      '--verified',
    ];
    const { code, stdout } = await run('register', ' Contact finder ', ...options);
    expect(code).toBe(0);
    expect(await findTool(opened.db.manager, stdout.trim())).toEqual({
      id: stdout.trim(),
      name: 'Contact finder',
      logo: `data:image/png;base64,${PNG.toString('base64')}`,
      redirectUris: [REDIRECT],
      scopes: ['credits:read', 'credits:charge'],
      isVerified: true,
      createdAt: opened.clock(),
      disabledAt: null,
      generation: 0,
    });
    expect((await run('list')).stdout).toContain(
      `${stdout.trim()}  Contact finder  credits:read,credits:charge  ${REDIRECT}  verified  enabled`,
    );
  });

  it.each([
    ['no name', ['register', ' ', '--scopes', 'credits:read']],
    ['no scope', ['register', 'Tool']],
    ['an unknown scope', ['register', 'Tool', '--scopes', 'credits:read,admin']],
    [
      'a foreign address',
      ['register', 'Tool', '--scopes', 'credits:read', '--redirects', 'http://evil.example/'],
    ],
  ])('refuses %s, and registers nothing', async (_, args) => {
    const before = await listTools(opened.db.manager);
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/\S/)]);
    expect(await listTools(opened.db.manager)).toEqual(before);
  });

  it('disables an app, which disconnects all its users, and enables it for new connections', async () => {
    const tool = await opened.addTool();
    const kept = await opened.addTool();
    const userId = await opened.addUser();
    const { access } = await opened.connect(tool, userId);
    const { access: other } = await opened.connect(kept, userId);
    expect((await run('disable', tool.id)).stdout).toBe(`tool ${tool.id} disabled, 1 users disconnected\n`);
    await expect(opened.ownerOfToken(access)).rejects.toMatchObject({ code: 'identity.token_not_found' });
    expect(await opened.ownerOfToken(other)).toMatchObject({ userId });
    expect((await opened.startDevice(tool)).body['error']).toBe('invalid_client');
    await opened.ask(toolEndpoints.endDisabledConnections, {}, asService());
    expect(await opened.eventsOf(connectionEnded, userId)).toMatchObject([{ data: { reason: 'disabled' } }]);
    expect((await run('enable', tool.id)).code).toBe(0);
    await expect(opened.ownerOfToken(access)).rejects.toMatchObject({ code: 'identity.token_not_found' });
    await opened.connect(tool, userId);
    expect((await run('disable', 'unknown')).code).toBe(1);
  });

  it('is recorded as the operator', async () => {
    const id = (await run('register', 'Contact finder', '--scopes', 'credits:read')).stdout.trim();
    await run('disable', id);
    await run('enable', id);
    const { data } = await opened.ask(auditEndpoint, { targetId: id }, admin);
    const name = 'Contact finder';
    const reason = 'By the operator';
    expect(data.toReversed()).toMatchObject([
      { action: 'tool.register', after: { name, scopes: 'credits:read', redirects: '', verified: false } },
      { action: 'tool.disable', after: { name, disabled: true, disconnectedUsers: 0, reason } },
      { action: 'tool.enable', after: { name, disabled: false, reason } },
    ]);
    for (const { actorId } of data) expect(actorId).toBe(SYSTEM_ACTOR_ID);
  });
});
