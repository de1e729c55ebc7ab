import { type AdminRole, may } from '@shortlist/contracts/admin-permissions';
import { BULK_KINDS, type BulkKind, JOB_PERMISSIONS, type JobView } from '@shortlist/contracts/api/bulk';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { respondUnless, useBff } from './support.ts';

const bff = await useBff();

const JOB: JobView = {
  id: uuidv7(),
  kind: 'grant',
  state: 'running',
  problem: null,
  reason: 'A week without service',
  createdBy: uuidv7(),
  createdAt: '2026-11-20T09:41:00.000Z',
  finishedAt: null,
  isResolved: true,
  total: 2,
  done: 0,
  skipped: 0,
  failed: 0,
  undoOf: null,
  canUndo: false,
};

const beginAs = async (role: AdminRole): Promise<string> => {
  const access = { role, version: 0 } as const;
  return (await bff.sessions.begin({ userId: uuidv7(), role: 'admin', generation: 0, access })).token;
};

const respond = (kind: JobView['kind'] = 'grant'): void => {
  bff.upstream.respond = respondUnless(
    () => ({}),
    ({ url = '' }) =>
      url === '/admins' || url.includes('/items') ? { data: [], next: null } : { data: { ...JOB, kind } },
  );
};

const urls = (): (string | undefined)[] => bff.upstream.requests.map(({ url }) => url);

describe('a change of many users', () => {
  it.each(
    BULK_KINDS.flatMap((kind) =>
      (['owner', 'support', 'finance', 'read_only'] as const).map((role): [BulkKind, AdminRole] => [
        kind,
        role,
      ]),
    ),
  )('%s needs the permission for one user: %s', async (kind, role) => {
    respond();
    const body = { kind, reason: 'Asked by legal', ids: uuidv7(), subject: 'News', text: 'Hello', count: 1 };
    const { status } = await bff.call('createBulkJob', { id: JOB.id, token: await beginAs(role), body });
    const isAllowed = may(role, JOB_PERMISSIONS[kind]);
    expect([status, urls().length > 0]).toEqual(isAllowed ? [200, true] : [403, false]);
  });

  it('is recorded before it begins', async () => {
    respond();
    const body = { kind: 'grant', reason: 'Asked by legal', ids: uuidv7() };
    await bff.call('createBulkJob', { id: JOB.id, token: await beginAs('owner'), body });
    expect(urls().slice(0, 2)).toEqual([`/bulk-jobs/${JOB.id}/steps`, `/bulk-jobs/${JOB.id}`]);
  });

  it('is recorded before its results are exported', async () => {
    respond();
    const { status } = await bff.call('exportBulkItems', { id: JOB.id, token: await beginAs('owner') });
    expect([status, urls().indexOf(`/bulk-jobs/${JOB.id}/steps`)]).toEqual([200, 1]);
  });

  it.each(['owner', 'support', 'finance', 'read_only'] as const)(
    'is undone by a role that may make the change back: %s',
    async (role) => {
      respond('grant');
      const { status } = await bff.call('undoBulkJob', { id: JOB.id, token: await beginAs(role) });
      const isAllowed = may(role, JOB_PERMISSIONS.take_back);
      expect(status).toBe(isAllowed ? 200 : 403);
      expect(urls().includes(`/bulk-jobs/${JOB.id}/steps`)).toBe(isAllowed);
    },
  );

  it('is not undone if nothing undoes it, and that is not recorded', async () => {
    respond('message');
    const { status } = await bff.call('undoBulkJob', { id: JOB.id, token: await beginAs('owner') });
    expect([status, urls().includes(`/bulk-jobs/${JOB.id}/steps`)]).toEqual([409, false]);
  });

  it('is paused, continued and canceled only by a role that may make it', async () => {
    respond('delete');
    const token = await beginAs('support');
    for (const name of ['pauseBulkJob', 'continueBulkJob', 'cancelBulkJob'] as const)
      expect((await bff.call(name, { id: JOB.id, token })).status).toBe(403);
    expect(urls().filter((url) => url?.endsWith('/steps'))).toEqual([]);
  });
});
