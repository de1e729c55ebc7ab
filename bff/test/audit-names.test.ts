import { type AuditEntry, type AuditView, SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { refuseWith, respondWith, useBff } from './support.ts';

const bff = await useBff();

const INES = '0198a0b0-0000-7000-8000-00000000000a';
const LUKASZ = '0198a0b0-0000-7000-8000-00000000000e';
const MARTA = '0198a0b0-0000-7000-8000-00000000000b';
const DELETED = '0198a0b0-0000-7000-8000-00000000000c';
const GONE = '0198a0b0-0000-7000-8000-00000000000d';

const entry = (change: Partial<AuditEntry>): AuditEntry => ({
  id: uuidv7(),
  at: '2026-11-21T09:12:00.000Z',
  actorId: INES,
  address: '192.0.2.7',
  action: 'account.view',
  targetId: MARTA,
  before: null,
  after: null,
  ...change,
});

const ADMINS = [
  { userId: INES, email: 'ines@shortlist.test', name: 'Inês Carvalho', role: 'owner' },
  { userId: LUKASZ, email: 'l.b@xn--mnchen-3ya.test', name: 'Łukasz Bjørnstad', role: 'finance' },
];
const NAMED = [{ id: MARTA, name: 'Marta Lindqvist', email: 'marta@people.test' }];

/** identity has these entries, and the other services none. Identity knows Ines, profile knows Marta and that one was deleted. */
const stubServices = (pages: AuditEntry[][], users: { id: string }[] = []): void => {
  const left = [...pages];
  let calls = 0;
  bff.upstream.respond = respondWith(({ url = '' }) => {
    if (url.startsWith('/admins')) return { data: ADMINS };
    if (url.startsWith('/directory/names')) return { data: NAMED, deleted: [DELETED] };
    if (url.startsWith('/directory'))
      return { data: users, total: users.length, isCapped: false, next: null };
    if (url.startsWith('/audit?')) return { data: (calls += 1) % 4 === 1 ? (left.shift() ?? []) : [] };
    return {};
  });
};

const requested = (path: string) => bff.upstream.requests.filter(({ url }) => url.startsWith(path));
const queryOf = (index = 0) =>
  Object.fromEntries(new URL(requested('/audit?')[index]?.url ?? '', bff.url).searchParams);

const readLog = async (query = '') => {
  const { status, code, json } = await bff.call('audit', { as: 'admin', userId: INES, query });
  return { status, code, data: (json as { data: AuditView[] }).data };
};
const download = (query = '') => bff.call('exportAudit', { as: 'admin', userId: INES, query });

describe('the audit log names', () => {
  const named = async (change: Partial<AuditEntry>) => {
    stubServices([[entry(change)]]);
    const [first] = (await readLog()).data;
    return { actor: first?.actor, target: first?.target };
  };

  it('an admin with the role, and a user', async () => {
    const { userId: _, ...ines } = ADMINS[0] as (typeof ADMINS)[0];
    expect(await named({})).toEqual({
      actor: { kind: 'admin', ...ines },
      target: { kind: 'user', name: 'Marta Lindqvist', email: 'marta@people.test', role: null },
    });
  });

  type Naming = [change: Partial<AuditEntry>, expected: object];
  const byMarta = (action: string): Naming => [
    { action, actorId: MARTA },
    { actor: { kind: 'user', name: 'Marta Lindqvist' } },
  ];
  const BOT = 'Automation bot';
  it.each<Naming>([
    // A user is named as such, and not as a former admin.
    ...['factor.add', 'factor.renew_codes', 'account.request_deletion'].map(byMarta),
    [{ action: 'account.delete', targetId: DELETED }, { target: { kind: 'deleted_user', name: null } }],
    [{ actorId: DELETED, targetId: DELETED }, { actor: { kind: 'deleted_user' } }],
    [{ actorId: SYSTEM_ACTOR_ID, action: 'payment.refund' }, { actor: { kind: 'system' } }],
    [{ action: 'alert.resolve', targetId: SYSTEM_ACTOR_ID }, { target: { kind: 'none' } }],
    [{ action: 'users.export', targetId: INES }, { target: { kind: 'none' } }],
    [{ actorId: GONE }, { actor: { kind: 'former_admin', name: null } }],
    [{ actorId: GONE, targetId: GONE, action: 'terms.accept' }, { actor: { kind: 'user', name: null } }],
    [
      { action: 'tool.disable', targetId: GONE, before: { name: BOT, disabled: false } },
      { target: { kind: 'tool', name: BOT, email: null } },
    ],
    [
      { action: 'team.remove', targetId: GONE, before: { email: 'rachel@shortlist.test' } },
      { target: { kind: 'former_admin', name: 'rachel@shortlist.test' } },
    ],
    [
      { action: 'team.invite', targetId: GONE, after: { email: 'new@shortlist.test' } },
      { target: { kind: 'invited', name: 'new@shortlist.test' } },
    ],
  ])('%j as %j', async (change, expected) => {
    expect(await named(change)).toMatchObject(expected);
  });

  it('nobody where no id was recorded, for which no service is called', async () => {
    expect(await named({ actorId: '' })).toMatchObject({
      actor: { kind: 'none' },
      target: { kind: 'user', name: 'Marta Lindqvist' },
    });
    const [{ url } = { url: '' }] = requested('/directory/names');
    expect(new URL(url, bff.url).searchParams.get('ids')).toBe(MARTA);
  });

  it('J4 with a constant number of calls for a page, and none for an empty one', async () => {
    stubServices([Array.from({ length: 200 }, () => entry({ actorId: uuidv7(), targetId: uuidv7() }))]);
    expect((await readLog('?limit=200')).data).toHaveLength(200);
    expect(requested('/admins')).toHaveLength(1);
    expect(requested('/directory/names')).toHaveLength(2);
    bff.upstream.requests.length = 0;
    stubServices([]);
    expect((await readLog()).data).toEqual([]);
    expect(requested('/admins')).toEqual([]);
  });
});

describe('the audit log is searched', () => {
  it.each([
    ['?by=CARV', { actors: INES }],
    ['?by=shortlist%20ines', { actors: INES }],
    ['?by=lukasz', { actors: LUKASZ }],
    [`?by=${encodeURIComponent('Łukasz Bjørn')}`, { actors: LUKASZ }],
    [`?by=${encodeURIComponent('in\u00eas')}`, { actors: INES }],
    [`?by=${encodeURIComponent('l.b@münchen.test')}`, { actors: LUKASZ }],
    ['?by=munchen', { actors: LUKASZ }],
    ['?by=l.b%40xn--mnchen-3ya.test', { actors: LUKASZ }],
    ['?by=auto', { actors: SYSTEM_ACTOR_ID }],
    [`?about=${MARTA.toUpperCase()}`, { targets: MARTA }],
    ['?by=ines&action=account.view', { actors: INES, action: 'account.view' }],
  ])('by %s', async (query, expected) => {
    stubServices([[entry({})]]);
    expect((await readLog(query)).data).toHaveLength(1);
    expect(queryOf()).toEqual({ ...expected, limit: '50' });
  });

  it('by the users whom the directory finds', async () => {
    stubServices([[entry({})]], [{ id: MARTA }]);
    await readLog('?about=marta%20lind');
    expect(queryOf()).toEqual({ targets: MARTA, limit: '50' });
    expect(requested('/directory?')[0]?.url).toContain('search=marta+lind');
  });

  it.each(['?by=nobody', '?about=%2B%2B', '?by=ines&about=nobody'])(
    'and %s, which names nobody, finds nothing rather than everything',
    async (query) => {
      stubServices([[entry({})]]);
      expect((await readLog(query)).data).toEqual([]);
      expect(requested('/audit?')).toEqual([]);
    },
  );

  it('and a search that names too many people is refused', async () => {
    const found = Array.from({ length: 51 }, () => ({ id: uuidv7() }));
    stubServices([[entry({})]], found);
    expect(await readLog('?about=a')).toMatchObject({ status: 400, code: 'audit.search_too_wide' });
  });
});

describe('a page of the audit log', () => {
  it('continues after the time and the id of the last entry', async () => {
    const page = Array.from({ length: 2 }, () => entry({}));
    stubServices([page, [entry({})]]);
    const { json } = await bff.call('audit', { as: 'admin', userId: INES, query: '?limit=2' });
    const { next } = json as { next: string };
    const last = page.map(({ id }) => id).toSorted()[0];
    expect(next).toBe(`${Date.parse('2026-11-21T09:12:00.000Z')}.${last}`);
    await readLog(`?before=${next}`);
    expect(queryOf(4)).toEqual({ before: last, beforeAt: '2026-11-21T09:12:00.000Z', limit: '50' });
  });

  it('continues after the id alone for a browser that has the page of the release before', async () => {
    stubServices([[entry({})]]);
    await readLog(`?before=${MARTA}`);
    expect(queryOf()).toEqual({ before: MARTA, limit: '50' });
  });
});

describe('the export of the audit log', () => {
  /** Has the services fail at targets with this text. */
  const failAt = (part: string): void => {
    const { respond } = bff.upstream;
    bff.upstream.respond = (request, ...rest) =>
      (request.url?.includes(part) ? refuseWith('service.unavailable') : respond)(request, ...rest);
  };

  it('has every page in words, without a cell that a spreadsheet evaluates', async () => {
    const first = Array.from({ length: 200 }, () => entry({}));
    stubServices([first, [entry({ action: 'plan.pause_now', address: '=1+1', targetId: DELETED })]]);
    const { status, headers, body } = await download();
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    const lines = body.trim().split('\r\n');
    expect(lines).toHaveLength(202);
    expect(lines[1]).toMatch(
      /^2026-11-21T09:12:00.000Z,Inês Carvalho,Owner,.*,Account viewed by support,account.view,Marta Lindqvist,/,
    );
    expect(lines.at(-1)).toContain("'=1+1,Plan: pause now,plan.pause_now,A deleted user,");
    expect(queryOf(4)).toMatchObject({
      before: first.map(({ id }) => id).toSorted()[0],
      beforeAt: '2026-11-21T09:12:00.000Z',
    });
  });

  it('is recorded before it is sent, without the searched names', async () => {
    stubServices([[entry({})]]);
    await download('?by=ines&action=account.view');
    const record = requested('/audit/exports')[0];
    expect(record?.json).toEqual({ action: 'account.view', isSearch: true });
    expect(await bff.callerOf('identity', record)).toMatchObject({ role: 'admin', userId: INES });
    const urls = bff.upstream.requests.map(({ url }) => url.split('?')[0]);
    expect(urls.indexOf('/audit/exports')).toBeLessThan(urls.indexOf('/audit'));
  });

  it('that is not recorded is not sent', async () => {
    stubServices([[entry({})]]);
    failAt('/audit/exports');
    expect((await download()).status).toBe(503);
    expect(requested('/audit?')).toEqual([]);
  });

  it('breaks off rather than ending early when a service fails on the way', async () => {
    stubServices([Array.from({ length: 200 }, () => entry({}))]);
    failAt('before=');
    await expect(download()).rejects.toThrow(/aborted|hang up/);
  });
});
