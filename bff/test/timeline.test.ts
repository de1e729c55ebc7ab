import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import type { AuditEntry } from '@shortlist/contracts/api/audit';
import {
  type TIMELINE_KINDS,
  type TimelineEntry,
  type TimelineSource,
  type TimelineView,
} from '@shortlist/contracts/api/timeline';
import { seconds } from '@shortlist/contracts/durations';
import { readNewest } from '@shortlist/kit/data/newest-first';
import { uuidv7 } from 'uuidv7';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { refuseWith, respondWith, useBff } from './support.ts';

const bff = await useBff();

const SOURCES: readonly TimelineSource[] = ['identity', 'profile', 'billing', 'credits', 'worker'];
const USER = uuidv7();
const INES = uuidv7();
const AT = '2026-11-21T09:12:00.000Z';

/** What each service has. */
let stored: Record<TimelineSource, TimelineEntry[]>;
/** The services that refuse, and those that do not respond at all. */
let away: TimelineSource[];
let hanging: TimelineSource[];
beforeEach(() => {
  stored = { identity: [], profile: [], billing: [], credits: [], worker: [] };
  away = [];
  hanging = [];
});

const audienceOf = (authorization = ''): TimelineSource => {
  const [, claims = ''] = authorization.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: TimelineSource }).aud;
};
const pageOf = (source: TimelineSource, query: URLSearchParams): Promise<TimelineEntry[]> => {
  const before = query.get('before');
  const request = { limit: Number(query.get('limit')), ...(before !== null && { before }) };
  return readNewest({ all: () => Promise.resolve(stored[source]) }, ['all'], request);
};

bff.upstream.respond = (request, response, body) => {
  const url = new URL(request.url ?? '', bff.url);
  const source = audienceOf(request.headers.authorization);
  if (hanging.includes(source)) return;
  if (away.includes(source)) return refuseWith('service.unavailable')(request, response, body);
  const reply = (value: unknown): void => respondWith(() => value)(request, response, body);
  if (url.pathname === '/admins')
    return reply({ data: [{ userId: INES, email: 'ines@shortlist.test', name: 'Inês', role: 'support' }] });
  if (url.pathname === '/directory/names')
    return reply({ data: [{ id: USER, name: 'Marta', email: 'marta@people.test' }], deleted: [] });
  void pageOf(source, url.searchParams).then((data) => reply({ data }));
};

const call = async (query = '', role: AdminRole = 'owner') => {
  const account = { userId: INES, role: 'admin', generation: 0, access: { role, version: 0 } } as const;
  const { token } = await bff.sessions.begin(account);
  const { status, code, json } = await bff.call('timeline', { id: USER, token, query });
  const reply = json as { data: TimelineView[]; next: string | null; missing: string[]; error?: object };
  return { status, code, ...reply };
};
/** The items for which each service was called. */
const asked = (): Record<string, string> =>
  Object.fromEntries(
    bff.upstream.requests
      .filter(({ url }) => url.startsWith(`/users/${USER}/timeline`))
      .map(({ url, headers }) => [
        audienceOf(headers.authorization),
        new URL(url, bff.url).searchParams.get('items') ?? '',
      ]),
  );

const registered = (id: string, at = AT): TimelineEntry => ({ id, at, account: { what: 'registered' } });
const changed = (entry: Partial<AuditEntry> = {}): TimelineEntry => ({
  id: `change:${uuidv7()}`,
  at: AT,
  change: {
    ...{ id: uuidv7(), at: AT, actorId: INES, address: '192.0.2.7', action: 'plan.grant', targetId: USER },
    ...{ before: null, after: null },
    ...entry,
  },
});
const idsOf = ({ data }: { data: readonly { id: string }[] }): string[] => data.map(({ id }) => id);

describe('the timeline of a user', () => {
  it('has the entries of all services once, in one order over its pages, also of one millisecond', async () => {
    const at = fc.integer({ min: 0, max: 3 }).map((ms) => new Date(ms).toISOString());
    const key = fc.record({ key: fc.stringMatching(/^[a-z]{1,2}$/), at });
    const entries = fc.uniqueArray(key, { maxLength: 8, selector: (entry) => entry.key });
    const all = fc.tuple(entries, entries, entries, entries, entries);
    await fc.assert(
      fc.asyncProperty(all, fc.integer({ min: 1, max: 9 }), async (lists, limit) => {
        for (const [index, source] of SOURCES.entries())
          stored[source] = (lists[index] ?? []).map((entry) =>
            registered(`${source}:${entry.key}`, entry.at),
          );
        const sorted = Object.values(stored)
          .flat()
          .toSorted((one, other) => (one.at + one.id < other.at + other.id ? 1 : -1));
        const read: string[] = [];
        let next: string | null = '';
        while (next !== null) {
          const reply: Awaited<ReturnType<typeof call>> = await call(`?limit=${limit}&before=${next}`);
          expect(reply).toMatchObject({ status: 200, missing: [] });
          const isLast = reply.next === null;
          expect(reply.data).toHaveLength(isLast ? sorted.length - read.length : limit);
          read.push(...idsOf(reply));
          ({ next } = reply);
        }
        expect(read).toEqual(idsOf({ data: sorted }));
      }),
      { numRuns: 25 },
    );
  });

  it('has 25 entries unless a limit is given, and of a full last page no next one', async () => {
    stored.worker = Array.from({ length: 50 }, () => registered(`email:${uuidv7()}`));
    const first = await call();
    expect(first.data).toHaveLength(25);
    expect(await call(`?before=${first.next}`)).toMatchObject({ next: null, data: { length: 25 } });
  });

  it.each(['before=yesterday', 'before=1', 'limit=0', 'limit=101', 'limit=1e1', 'kind=mails', 'items=email'])(
    'is refused for %s',
    async (query) => {
      expect(await call(`?${query}`)).toMatchObject({ status: 400, code: 'request.invalid' });
      expect(bff.upstream.requests).toEqual([]);
    },
  );
});

describe('what the role of an admin may not read', () => {
  const MONEY = 'payment,refund,dispute,subscription';
  it.each<[AdminRole, Record<string, string>]>([
    ['owner', { identity: 'account,signIn,change', billing: `${MONEY},change`, profile: 'change,note' }],
    ['read_only', { identity: 'account,signIn,change', billing: `${MONEY},change` }],
    ['support', { identity: 'account,signIn,change', billing: 'change', credits: 'credits,change' }],
    ['finance', { identity: 'account,signIn', billing: MONEY, credits: 'credits', profile: 'note' }],
  ])('is not read for %s', async (role, expected) => {
    expect((await call('', role)).status).toBe(200);
    expect(asked()).toMatchObject({ ...expected, worker: 'email' });
  });

  it.each<[(typeof TIMELINE_KINDS)[number], AdminRole, Record<string, string>]>([
    ['emails', 'owner', { worker: 'email' }],
    ['payments', 'support', { identity: 'change', profile: 'change', billing: 'change', credits: 'change' }],
    ['payments', 'finance', { billing: MONEY }],
    ['support', 'finance', { identity: 'signIn', profile: 'note' }],
  ])(
    'and of the kind %s, %s causes calls of the services that have it alone',
    async (kind, role, expected) => {
      await call(`?kind=${kind}`, role);
      expect(asked()).toEqual(expected);
    },
  );
});

describe('a service that does not respond', () => {
  it.each(SOURCES)('costs its own entries alone: %s', async (source) => {
    for (const each of SOURCES) stored[each] = [registered(`${each}:1`)];
    away = [source];
    const reply = await call();
    expect(reply).toMatchObject({ status: 200, next: null, missing: [source] });
    expect(idsOf(reply).toSorted()).toEqual(
      SOURCES.filter((each) => each !== source)
        .map((each) => `${each}:1`)
        .toSorted(),
    );
  });

  it('is waited for two seconds, and its entries are there when the page is read again', async () => {
    stored.worker = [registered('email:2', AT)];
    stored.credits = [registered('ledger:1'), registered('ledger:2'), registered('ledger:3')];
    hanging = ['worker'];
    const started = Date.now();
    const before = await call('?limit=2');
    expect(Date.now() - started).toBeGreaterThanOrEqual(seconds(2) - 50);
    expect(Date.now() - started).toBeLessThan(seconds(4));
    expect([idsOf(before), before.missing]).toEqual([['ledger:3', 'ledger:2'], ['worker']]);
    hanging = [];
    const again = await call('?limit=3');
    expect([idsOf(again), again.missing]).toEqual([['ledger:3', 'ledger:2', 'ledger:1'], []]);
    expect(idsOf(await call(`?limit=3&before=${again.next}`))).toEqual(['email:2']);
  });

  it('nor any other is 503', async () => {
    away = [...SOURCES];
    expect(await call()).toMatchObject({ status: 503, code: 'service.unavailable' });
    away = ['worker'];
    expect(await call('?kind=emails')).toMatchObject({ status: 503 });
  });
});

describe('the persons of a timeline', () => {
  it('are named: who changed something, and who wrote a note', async () => {
    const note = { id: uuidv7(), authorId: INES, text: 'Called back', createdAt: AT };
    stored.billing = [changed()];
    stored.profile = [
      { id: `note:${note.id}`, at: AT, note },
      { id: 'note:x', at: AT, note: { ...note, authorId: uuidv7() } },
    ];
    const { authorId: _, ...shown } = note;
    expect((await call()).data).toMatchObject([
      { note: { author: '', isOwn: false } },
      { note: { ...shown, author: 'Inês', isOwn: true } },
      { change: { actor: { kind: 'admin', name: 'Inês' }, target: { kind: 'user', name: 'Marta' } } },
    ]);
  });

  it.each<[TimelineSource, object]>([
    ['identity', { actor: { kind: 'none', name: null }, target: { kind: 'user', name: 'Marta' } }],
    ['profile', { actor: { kind: 'admin', name: 'Inês' }, target: { kind: 'none', name: null } }],
  ])('are left open while %s does not respond', async (source, change) => {
    stored.billing = [changed()];
    away = [source];
    expect(await call()).toMatchObject({ status: 200, missing: [source], data: [{ change }] });
  });

  it('are not looked up for entries that name none', async () => {
    stored.worker = [registered('email:1')];
    await call();
    expect(bff.upstream.requests.map(({ url }) => url).filter((url) => !url.includes('/timeline'))).toEqual(
      [],
    );
  });
});
