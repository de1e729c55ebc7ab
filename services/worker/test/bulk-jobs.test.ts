import { type BulkKind, bulkEndpoints, type JobView, type NewJob } from '@shortlist/contracts/api/bulk';
import type { Endpoint } from '@shortlist/contracts/api/endpoint';
import { BULK_OPEN_MAX, DIRECTORY_PAGE_MAX } from '@shortlist/contracts/limits';
import type { ErrorCode } from '@shortlist/contracts/errors';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import { days, hours, minutes } from '@shortlist/contracts/durations';
import { nextMonth } from '@shortlist/contracts/plan-months';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '@shortlist/kit/data/db';
import { listLockWaits } from '@shortlist/kit/testing/databases';
import { until } from '@shortlist/kit/testing/until';
import { timelineEndpoint } from '@shortlist/contracts/api/timeline';
import { lockJob } from '../src/bulk/queries.ts';
import { runBulkJobs } from '../src/bulk/run-jobs.ts';
import { eraseUser } from '../src/erase-user.ts';
import { listMailsOf } from '../src/mail/queries.ts';
import { turnOffMails } from '../src/mail/turned-off-queries.ts';
import { openWorker } from './support.ts';

const worker = await openWorker();
afterAll(() => worker.close());

type Called = { path: string; input: Record<string, unknown>; caller: Caller };

/** The services as far as jobs call them: who is premium by which grant or renews, who exists, and which users match a filter. */
const services = {
  calls: [] as Called[],
  grants: new Map<string, string>(),
  renewing: new Set<string>(),
  version: 7,
  gone: new Set<string>(),
  deleting: new Set<string>(),
  matching: [] as string[],
  refusal: null as ErrorCode | null,
  onCall: (_called: Called): Promise<unknown> => Promise.resolve(),
};

const planOf = (userId: string) => {
  const grantId = services.grants.get(userId);
  const isPremium = grantId !== undefined || services.renewing.has(userId);
  return {
    data: { plan: isPremium ? 'premium' : 'free', renews: services.renewing.has(userId), problem: null },
    planState: {
      version: services.version,
      granted: grantId === undefined ? null : { key: `grant:${grantId}` },
    },
  };
};

const HANDLERS: Record<string, (input: Record<string, string>) => unknown> = {
  'GET /profiles/:id': ({ id = '' }) => ({
    data: { email: `${id}@people.test`, firstName: 'Ada', lastName: 'Byron' },
  }),
  'GET /directory': ({ cursor = '0' }) => {
    const start = Number(cursor);
    const end = start + DIRECTORY_PAGE_MAX;
    const data = services.matching.slice(start, end).map((id) => ({ id }));
    return { data, next: end < services.matching.length ? String(end) : null };
  },
  'GET /subscriptions/:userId': ({ userId = '' }) => planOf(userId),
  'POST /subscriptions/:userId/grant': ({ userId = '', grantId = '' }) => {
    if (!services.grants.has(userId) && !services.renewing.has(userId)) services.grants.set(userId, grantId);
    return planOf(userId);
  },
  'POST /subscriptions/:userId/revoke': ({ userId = '' }) => {
    services.renewing.delete(userId);
    return planOf(userId);
  },
  'POST /subscriptions/:userId/resume': ({ userId = '' }) => {
    services.renewing.add(userId);
    return planOf(userId);
  },
  'POST /subscriptions/:userId/grants/:grantId/end': ({ userId = '', grantId }) => ({
    ended: services.grants.get(userId) === grantId && services.grants.delete(userId),
  }),
  'GET /accounts/:id/deletion': ({ id = '' }) => ({ data: services.deleting.has(id) ? {} : null }),
};

const fake: ServiceClient = async (endpoint, input, { caller }) => {
  const { method, path } = endpoint as Endpoint<never, unknown>;
  const called = { path: `${method} ${path}`, input: input as Record<string, unknown>, caller };
  services.calls.push(called);
  await services.onCall(called);
  if (path === '/admins') return (await worker.identity(endpoint, input, { caller })) as never;
  if (services.refusal !== null) throw createError(services.refusal);
  const { id, userId = id } = called.input as { id?: string; userId?: string };
  if (userId !== undefined && services.gone.has(userId)) throw createError('identity.user_not_found');
  return (HANDLERS[called.path]?.(input as Record<string, string>) ?? {}) as never;
};

const parts = { ...worker, identity: fake, profile: fake, billing: fake, pauseMs: 0 };
const run = (): Promise<void> => runBulkJobs(parts);

const adminId = worker.addAdmin('owner');
const admin = { role: 'admin', userId: adminId, address: '203.0.113.7' } as const;

beforeEach(async () => {
  services.calls.length = 0;
  services.matching = [];
  services.refusal = null;
  services.onCall = () => Promise.resolve();
  worker.addAdmin('owner', adminId);
  await worker.db.query('DELETE FROM bulk_items');
  await worker.db.query('DELETE FROM bulk_jobs');
});

const GRANT_END = new Date(worker.clock().getTime() + days(7)).toISOString();

const usersOf = (count: number): string[] => Array.from({ length: count }, () => uuidv7());

const post = async (order: Partial<NewJob> & { kind: BulkKind }, jobId = uuidv7()): Promise<JobView> => {
  const input = { jobId, reason: 'A week without service', ...order };
  return (await worker.ask(bulkEndpoints.createJob, input, { caller: admin })).data;
};
const create: typeof post = (order, jobId) =>
  post(order.kind === 'grant' ? { until: GRANT_END, ...order } : order, jobId);
const read = async (jobId: string): Promise<JobView> =>
  (await worker.ask(bulkEndpoints.getJob, { jobId }, { caller: admin })).data;
const resultsOf = async (jobId: string): Promise<[string, string | null][]> => {
  const { data } = await worker.ask(bulkEndpoints.listItems, { jobId }, { caller: admin });
  return data.map(({ state, why }) => [state, why]);
};
const step = (name: 'pauseJob' | 'continueJob' | 'cancelJob' | 'undoJob', jobId: string) =>
  worker.ask(bulkEndpoints[name], { jobId }, { caller: admin });
const calledWith = (path: string) => services.calls.filter((called) => called.path === path);

describe('a job that changes many users', () => {
  it('makes the change of one user for each, as its admin from their address, and says what was nothing to do', async () => {
    const [free = '', premium = '', gone = ''] = usersOf(3);
    services.renewing.add(premium);
    services.gone.add(gone);
    const { id } = await create({ kind: 'grant', ids: [free, premium, gone].join(',') });
    await run();
    expect(await read(id)).toMatchObject({ state: 'done', total: 3, done: 1, skipped: 2, failed: 0 });
    expect(await resultsOf(id)).toEqual([
      ['done', null],
      ['skipped', 'already_premium'],
      ['skipped', 'identity.user_not_found'],
    ]);
    const [grant] = calledWith('POST /subscriptions/:userId/grant');
    expect(grant).toMatchObject({ caller: admin, input: { userId: free, reason: 'A week without service' } });
  });

  it('is created once, however often it is sent, with each user once', async () => {
    const [user = ''] = usersOf(1);
    const jobId = uuidv7();
    const order = { kind: 'end_sessions', ids: `${user},${user}` } as const;
    expect([(await create(order, jobId)).total, (await create(order, jobId)).total]).toEqual([1, 1]);
    await run();
    expect(calledWith('POST /accounts/:id/end-sessions')).toHaveLength(1);
  });

  it('is created once by two requests at a time', async () => {
    const [jobId, ids] = [uuidv7(), usersOf(2).join(',')];
    await Promise.all([1, 2, 3].map(() => create({ kind: 'end_sessions', ids }, jobId)));
    expect(await read(jobId)).toMatchObject({ total: 2, isResolved: true });
  });

  it('names its reason for the audit log, or itself where a reason may not stay', async () => {
    const ids = usersOf(1).join(',');
    await create({ kind: 'end_sessions', ids });
    const { id: jobId } = await create({ kind: 'delete', ids, count: 1 });
    await run();
    const [ended] = calledWith('POST /accounts/:id/end-sessions');
    expect(ended?.input).toMatchObject({ reason: 'A week without service' });
    expect(calledWith('DELETE /accounts/:id').map(({ input }) => input)).toEqual([{ id: ids, jobId }]);
  });

  it('finds all users of a filter before it changes the first', async () => {
    services.matching = usersOf(DIRECTORY_PAGE_MAX + 1);
    const { id } = await create({ kind: 'end_sessions', filter: { search: 'lisbon' } });
    await run();
    expect(await read(id)).toMatchObject({ state: 'done', total: DIRECTORY_PAGE_MAX + 1 });
    const kinds = services.calls.map(({ path }) => path).filter((path) => path !== 'GET /admins');
    expect(kinds.lastIndexOf('GET /directory')).toBe(1);
    expect(kinds.filter((path) => path.endsWith('end-sessions'))).toHaveLength(DIRECTORY_PAGE_MAX + 1);
    // What was searched may name a person.
    expect(await worker.db.query('SELECT filter, address FROM bulk_jobs')).toEqual([
      { filter: null, address: '' },
    ]);
  });

  it('finds its own grant when an attempt is repeated whose result was lost', async () => {
    const [user = ''] = usersOf(1);
    const { id } = await create({ kind: 'grant', ids: user });
    await run();
    await worker.db.query("UPDATE bulk_items SET state = 'waiting', why = NULL, undoable = FALSE");
    await worker.db.query("UPDATE bulk_jobs SET state = 'running', done = 0");
    await run();
    expect(await resultsOf(id)).toEqual([['done', null]]);
    const ids = calledWith('POST /subscriptions/:userId/grant').map(({ input }) => input['grantId']);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  it('waits while a service is away, and goes on afterwards', async () => {
    const { id } = await create({ kind: 'end_sessions', ids: usersOf(3).join(',') });
    services.refusal = 'service.unavailable';
    await run();
    expect(await read(id)).toMatchObject({ state: 'running', done: 0, failed: 0 });
    services.refusal = null;
    await run();
    expect(await read(id)).toMatchObject({ state: 'done', done: 3 });
  });

  it('says why a user could not be changed', async () => {
    const [user = ''] = usersOf(1);
    services.renewing.add(user);
    services.onCall = ({ path }) =>
      path.endsWith('/revoke') ? Promise.reject(createError('billing.period_not_paid')) : Promise.resolve();
    const { id } = await create({ kind: 'revoke', when: 'period_end', ids: user });
    await run();
    expect(await resultsOf(id)).toEqual([['failed', 'billing.period_not_paid']]);
  });

  it('sends its message once to each user', async () => {
    const userId = worker.addUser();
    const message = { subject: 'Maintenance on Sunday', text: 'We update.\n\nYou need to do nothing.' };
    await create({ kind: 'message', ids: userId, ...message });
    await run();
    await run();
    await worker.send(userId);
    const sent = await worker.sent(userId);
    expect(sent.map(({ subject }) => subject)).toEqual([message.subject]);
    expect(sent[0]?.text).toContain('You need to do nothing.');
  });

  it('stores its message once, however many users it has', async () => {
    const users = [worker.addUser(), worker.addUser(), worker.addUser()];
    const message = { subject: 'One text for all', text: 'We update on Sunday.' };
    const { id } = await create({ kind: 'message', ids: users.join(','), ...message });
    await run();
    const where = `FROM (SELECT id, data AS content FROM mails UNION ALL SELECT id, data FROM mail_texts
      UNION ALL SELECT id, options FROM bulk_jobs) AS texts WHERE content LIKE '%We update on Sunday.%'`;
    expect(await worker.db.query(`SELECT id ${where}`)).toEqual([{ id }]);
    const [userId = ''] = users;
    const [mail] = await listMailsOf(worker.db.manager, userId, '');
    expect(mail?.data).toEqual(message);
    // The timeline of the user shows its subject.
    const { data } = await worker.ask(
      timelineEndpoint,
      { userId, items: 'email', limit: 5 },
      { caller: admin },
    );
    expect(data).toMatchObject([{ email: { subject: message.subject } }]);
  });

  it('keeps the message for the users whose emails wait while another user is deleted', async () => {
    const [gone, stays] = [worker.addUser(), worker.addUser()];
    const message = { subject: 'Maintenance', text: 'We update on Monday.' };
    await create({ kind: 'message', ids: `${gone},${stays}`, ...message });
    await run();
    await inTransaction(worker.db, (tx) => eraseUser(tx, gone, worker.clock()));
    await worker.send(stays);
    expect((await worker.sent(stays))[0]?.text).toContain('We update on Monday.');
    expect((await listMailsOf(worker.db.manager, gone, '')).map(({ data }) => data)).toEqual([{}]);
  });
});

describe('a job that sends news', () => {
  const NEWS = { kind: 'news', subject: 'Three tips', text: 'Write less.' } as const;

  it('skips who turned them off, with the reason, and no message about the service', async () => {
    const [reads, declines] = [worker.addUser(), worker.addUser()];
    await turnOffMails(worker.db.manager, declines, 'news');
    const { id } = await create({ ...NEWS, ids: `${reads},${declines}` });
    await run();
    expect(await read(id)).toMatchObject({ kind: 'news', state: 'done', done: 1, skipped: 1 });
    expect(await resultsOf(id)).toEqual([
      ['done', null],
      ['skipped', 'turned_off'],
    ]);
    await create({ ...NEWS, kind: 'message', ids: declines, subject: 'Maintenance' });
    await run();
    const kinds = async (userId: string) =>
      (await listMailsOf(worker.db.manager, userId, '')).map(({ template, data }) => [
        template,
        data['subject'],
      ]);
    expect(await kinds(reads)).toEqual([['news', NEWS.subject]]);
    expect(await kinds(declines)).toEqual([['message', 'Maintenance']]);
  });

  it('skips who is about to be deleted, which a message about the service does not', async () => {
    const leaving = worker.addUser();
    services.deleting.add(leaving);
    const { id } = await create({ ...NEWS, ids: leaving });
    const { id: other } = await create({ ...NEWS, kind: 'message', ids: leaving });
    await run();
    services.deleting.clear();
    expect(await resultsOf(id)).toEqual([['skipped', 'leaving']]);
    expect(await resultsOf(other)).toEqual([['done', null]]);
  });

  it('needs a subject and a text without links, like any message', async () => {
    const order = { ...NEWS, ids: usersOf(1).join(',') };
    await expect(create({ ...order, text: 'See evil.example' })).rejects.toMatchObject({
      code: 'worker.message_text',
    });
    const { text: _text, ...without } = order;
    await expect(create(without)).rejects.toHaveProperty('fields.text');
  });

  it('cannot be undone', async () => {
    const { id } = await create({ ...NEWS, ids: worker.addUser() });
    await run();
    await expect(step('undoJob', id)).rejects.toMatchObject({ code: 'worker.job_not_undoable' });
  });
});

it('a message to the admin who sends it is skipped, and none is stored', async () => {
  const { id } = await create({ kind: 'message', ids: adminId, subject: 'Sunday', text: 'We update.' });
  await run();
  expect(await resultsOf(id)).toEqual([['skipped', 'identity.user_not_found']]);
  expect(await worker.rows(adminId)).toEqual([]);
});

it('a job of a kind that only a newer release knows waits for it, and holds up no other', async () => {
  const users = [worker.addUser(), worker.addUser()];
  const { id } = await create({
    kind: 'message',
    ids: users.join(','),
    subject: 'Sunday',
    text: 'We update.',
  });
  await worker.db.query("UPDATE bulk_jobs SET kind = 'of_tomorrow' WHERE id = ?", [id]);
  const { id: other } = await create({ kind: 'end_sessions', ids: usersOf(1).join(',') });
  await run();
  const states = await worker.db.query('SELECT id, state, done, skipped, failed FROM bulk_jobs ORDER BY id');
  const nothing = { state: 'running', done: 0, skipped: 0, failed: 0 };
  expect(states).toEqual(
    [
      { id, ...nothing },
      { id: other, ...nothing, state: 'done', done: 1 },
    ].toSorted((one, next) => (one.id < next.id ? -1 : 1)),
  );
});

describe('a job that grants premium', () => {
  const endOf = (until: string) =>
    post({ kind: 'grant', ids: usersOf(1).join(','), ...(until === '' ? {} : { until }) }).catch(
      ({ code, fields }: { code: string; fields?: object }) => [code, Object.keys(fields ?? {})],
    );

  it('needs an end within twelve months, by the rule for one user', async () => {
    const over = new Date(worker.clock().getTime() - 1).toISOString();
    expect(await endOf('')).toEqual(['request.invalid', ['until']]);
    for (const until of [over, '2099-01-01T00:00:00.000Z'])
      expect(await endOf(until)).toEqual(['billing.grant_end', ['until']]);
    expect(await worker.db.query('SELECT id FROM bulk_jobs')).toEqual([]);
  });

  it('ends for all of its users at the same time', async () => {
    await create({ kind: 'grant', ids: usersOf(3).join(',') });
    await run();
    const ends = calledWith('POST /subscriptions/:userId/grant').map(({ input }) => input['until']);
    expect(ends).toEqual([GRANT_END, GRANT_END, GRANT_END]);
  });

  it('until the last day that is offered ends a month from when it was started', async () => {
    const latest = nextMonth(worker.clock());
    await create({
      kind: 'grant',
      ids: usersOf(1).join(','),
      until: new Date(latest.getTime() + hours(20)).toISOString(),
    });
    await run();
    const [grant] = calledWith('POST /subscriptions/:userId/grant');
    expect(Math.abs(Date.parse(String(grant?.input['until'])) - latest.getTime())).toBeLessThan(minutes(1));
  });

  it('that goes on after its end grants nothing', async () => {
    services.onCall = ({ path }) =>
      path.endsWith('/grant') ? Promise.reject(createError('billing.grant_end')) : Promise.resolve();
    const { id } = await create({ kind: 'grant', ids: usersOf(1).join(',') });
    const over = () => new Date(Date.parse(GRANT_END) + 1);
    await runBulkJobs({ ...parts, clock: over });
    expect(await resultsOf(id)).toEqual([['skipped', 'grant_over']]);
  });

  it('of several months waits for a billing that grants no more than one yet', async () => {
    let isOld = true;
    services.onCall = ({ path }) =>
      isOld && path.endsWith('/grant') ? Promise.reject(createError('billing.grant_end')) : Promise.resolve();
    const until = new Date(worker.clock().getTime() + days(200)).toISOString();
    const { id } = await create({ kind: 'grant', ids: usersOf(1).join(','), until });
    await run();
    expect(await resultsOf(id)).toEqual([['waiting', null]]);
    isOld = false;
    await run();
    expect(await resultsOf(id)).toEqual([['done', null]]);
    expect(calledWith('POST /subscriptions/:userId/grant').at(-1)?.input['until']).toBe(until);
  });
});

describe('the admin of a job', () => {
  it('loses it with the role: the users in hand are the last ones', async () => {
    const { id } = await create({ kind: 'delete', ids: usersOf(25).join(','), count: 25 });
    services.onCall = ({ path }) => {
      if (path === 'DELETE /accounts/:id') worker.addAdmin('support', adminId);
      return Promise.resolve();
    };
    await run();
    expect(await read(id)).toMatchObject({ state: 'canceled', problem: 'permission', done: 10 });
  });

  it('pauses it: the users in hand are the last ones, until it goes on', async () => {
    const { id } = await create({ kind: 'end_sessions', ids: usersOf(30).join(',') });
    services.onCall = async ({ path }) => {
      if (path.endsWith('end-sessions') && (await read(id)).state === 'running') await step('pauseJob', id);
    };
    await run();
    expect(await read(id)).toMatchObject({ state: 'paused', done: 10 });
    services.onCall = () => Promise.resolve();
    await step('continueJob', id);
    await run();
    expect(await read(id)).toMatchObject({ state: 'done', done: 30 });
  });

  it('is not one of its users, whatever ids are sent', async () => {
    const kinds = ['grant', 'revoke', 'end_sessions', 'delete'] as const;
    for (const kind of kinds) await create({ kind, ids: adminId, count: 1 });
    await run();
    const { data } = await worker.ask(bulkEndpoints.listJobs, {}, { caller: admin });
    expect(data.map(({ skipped, done }) => [skipped, done])).toEqual(kinds.map(() => [1, 0]));
    expect(services.calls.filter(({ path }) => path !== 'GET /admins')).toEqual([]);
  });

  it('is the one who continues it: from then on by their right and in their name', async () => {
    const other = worker.addAdmin('support');
    const { id } = await create({ kind: 'delete', ids: usersOf(2).join(','), count: 2 });
    await step('pauseJob', id);
    const caller = { role: 'admin', userId: other, address: '203.0.113.9' } as const;
    await worker.ask(bulkEndpoints.continueJob, { jobId: id }, { caller });
    await run();
    expect(await read(id)).toMatchObject({ state: 'canceled', problem: 'permission', createdBy: other });
    expect(calledWith('DELETE /accounts/:id')).toEqual([]);
  });

  it('cancels it while another pauses it, and it stays canceled', async () => {
    const { id } = await create({ kind: 'end_sessions', ids: usersOf(2).join(',') });
    const holder = worker.db.createQueryRunner();
    await holder.startTransaction();
    await lockJob(holder.manager, id);
    const steps: Promise<unknown>[] = [];
    for (const name of ['cancelJob', 'pauseJob'] as const) {
      steps.push(step(name, id));
      await until(`${name} waits`, async () => (await listLockWaits(worker.db)).length >= steps.length);
    }
    await holder.commitTransaction();
    await holder.release();
    await Promise.allSettled(steps);
    await Promise.allSettled([step('continueJob', id), step('pauseJob', id)]);
    expect((await read(id)).state).toBe('canceled');
    await run();
    expect(await read(id)).toMatchObject({ state: 'canceled', done: 0 });
  });

  it('pauses it during its last users, and it ends only once it goes on', async () => {
    const { id } = await create({ kind: 'end_sessions', ids: usersOf(1).join(',') });
    let isEnding = false;
    services.onCall = async ({ path }) => {
      // The run that finds no more users asks for the admins first.
      if (path.endsWith('end-sessions')) isEnding = true;
      else if (isEnding && path === 'GET /admins') await step('pauseJob', id);
    };
    await run();
    expect(await read(id)).toMatchObject({ state: 'paused', done: 1 });
    services.onCall = () => Promise.resolve();
    await step('continueJob', id);
    await run();
    expect(await read(id)).toMatchObject({ state: 'done', done: 1 });
  });

  it('pauses it while its users are found, and none are stored until it goes on', async () => {
    services.matching = usersOf(3);
    const { id } = await create({ kind: 'end_sessions', filter: { plan: 'free' } });
    services.onCall = async ({ path }) => {
      if (path === 'GET /directory') await step('pauseJob', id);
    };
    await run();
    expect(await read(id)).toMatchObject({ state: 'paused', total: 0, isResolved: false });
    services.onCall = () => Promise.resolve();
    await step('continueJob', id);
    await run();
    expect(await read(id)).toMatchObject({ state: 'done', total: 3, done: 3 });
  });

  it('cancels it for good', async () => {
    const { id } = await create({ kind: 'end_sessions', ids: usersOf(2).join(',') });
    await step('cancelJob', id);
    await run();
    expect(await read(id)).toMatchObject({ state: 'canceled', done: 0 });
    await expect(step('continueJob', id)).rejects.toMatchObject({ code: 'worker.job_ended' });
  });
});

describe('two processes with a job at once', () => {
  it('count each of its users once', async () => {
    const { id } = await create({ kind: 'end_sessions', ids: usersOf(25).join(',') });
    await Promise.all([run(), run()]);
    expect(await read(id)).toMatchObject({ state: 'done', total: 25, done: 25 });
  });

  /** A run that reads the first page of the filter, and stores it only after `meanwhile`. */
  const runLate = async (meanwhile: () => Promise<void>): Promise<void> => {
    let isLate = false;
    services.onCall = async ({ path }) => {
      if (path !== 'GET /directory' || isLate) return;
      isLate = true;
      await meanwhile();
      services.matching = usersOf(1); // the filter matches another user by now
    };
    await run();
  };

  it('find its users once: a late page adds none after the job has begun', async () => {
    services.matching = usersOf(2);
    const { id } = await create({ kind: 'end_sessions', filter: { plan: 'free' } });
    await runLate(async () => {
      const { onCall } = services;
      services.onCall = ({ path }) =>
        path.endsWith('end-sessions')
          ? Promise.reject(createError('service.unavailable'))
          : Promise.resolve();
      await run();
      services.onCall = onCall;
    });
    expect(await read(id)).toMatchObject({ state: 'done', total: 2, done: 2 });
  });

  it('find its users in one order: a late page ends no search that is further', async () => {
    services.matching = usersOf(DIRECTORY_PAGE_MAX + 1);
    const { id } = await create({ kind: 'end_sessions', filter: { plan: 'free' } });
    let pages = 0;
    await runLate(async () => {
      const { onCall } = services;
      services.onCall = ({ path }) =>
        path === 'GET /directory' && (pages += 1) === 2
          ? Promise.reject(createError('service.unavailable'))
          : Promise.resolve();
      await run();
      services.onCall = onCall;
    });
    const { total } = await read(id);
    // What the late run finds after that is its own next page.
    expect(total).toBe(DIRECTORY_PAGE_MAX);
  });
});

describe('a job that deletes', () => {
  it('is refused for all users, and with another number than that of the selection', async () => {
    await expect(create({ kind: 'delete', count: 2 })).rejects.toMatchObject({
      code: 'worker.job_without_users',
    });
    const ids = usersOf(2).join(',');
    for (const count of [{}, { count: 3 }])
      await expect(create({ kind: 'delete', ids, ...count })).rejects.toMatchObject({
        fields: { count: 'This is not the number of users' },
      });
  });

  it('deletes nobody when other than the typed number of users match by now', async () => {
    services.matching = usersOf(3);
    const { id } = await create({ kind: 'delete', filter: { country: 'Norway' }, count: 2 });
    await run();
    expect(await read(id)).toMatchObject({ state: 'canceled', problem: 'count', total: 3, done: 0 });
    expect(calledWith('DELETE /accounts/:id')).toEqual([]);
  });
});

describe('an undo', () => {
  it('takes back the grants of the job that are still in force, and no others', async () => {
    const [granted = '', paid = '', changed = ''] = usersOf(3);
    services.renewing.add(paid);
    const { id } = await create({ kind: 'grant', ids: [granted, paid, changed].join(',') });
    await expect(step('undoJob', id)).rejects.toMatchObject({ code: 'worker.job_not_undoable' });
    await run();
    services.grants.set(changed, uuidv7()); // by an admin, after the job's grant was revoked
    expect((await read(id)).canUndo).toBe(true);
    const { data: undo } = await step('undoJob', id);
    expect((await step('undoJob', id)).data.id).toBe(undo.id);
    await run();
    expect(await read(undo.id)).toMatchObject({ kind: 'take_back', state: 'done', done: 1, skipped: 1 });
    expect([services.grants.has(granted), services.grants.has(changed)]).toEqual([false, true]);
    expect((await read(id)).canUndo).toBe(false);
  });

  it('lets the subscriptions renew again that the job has set to end', async () => {
    const [renewing = '', ending = ''] = usersOf(2);
    services.renewing.add(renewing);
    services.grants.set(ending, uuidv7());
    const { id } = await create({ kind: 'revoke', when: 'period_end', ids: `${renewing},${ending}` });
    await run();
    expect(await resultsOf(id)).toEqual([
      ['done', null],
      ['skipped', 'already_ending'],
    ]);
    await step('undoJob', id);
    await run();
    expect(services.renewing.has(renewing)).toBe(true);
    // Only while the plan is as the job left it.
    expect(calledWith('POST /subscriptions/:userId/resume').map(({ input }) => input)).toEqual([
      { userId: renewing, reason: 'A week without service', version: 7 },
    ]);
  });

  it('is not offered while the job runs, is paused, or has changed nobody', async () => {
    const { id } = await create({ kind: 'grant', ids: usersOf(6).join(',') });
    const refused = { code: 'worker.job_not_undoable' };
    await expect(step('undoJob', id)).rejects.toMatchObject(refused);
    services.onCall = async ({ path }) => {
      if (path.endsWith('/grant') && (await read(id)).done === 1) await step('pauseJob', id);
    };
    await run();
    expect(await read(id)).toMatchObject({ state: 'paused', done: 2, canUndo: false });
    await expect(step('undoJob', id)).rejects.toMatchObject(refused);
    await step('cancelJob', id);
    await step('undoJob', id);
    const { id: other } = await create({ kind: 'grant', ids: usersOf(1).join(',') });
    await step('cancelJob', other);
    await expect(step('undoJob', other)).rejects.toMatchObject(refused);
  });

  it('is one job, whoever asks for it at once', async () => {
    const { id } = await create({ kind: 'grant', ids: usersOf(2).join(',') });
    await run();
    const undos = await Promise.all([1, 2, 3].map(() => step('undoJob', id)));
    expect(new Set(undos.map(({ data }) => data.id)).size).toBe(1);
  });

  it('renews no subscription of a user who is about to be deleted, or whose plan has changed since', async () => {
    const [leaving = '', changed = ''] = usersOf(2);
    services.renewing.add(leaving).add(changed);
    const { id } = await create({ kind: 'revoke', when: 'period_end', ids: `${leaving},${changed}` });
    await run();
    services.deleting.add(leaving);
    services.onCall = ({ path, input }) =>
      path.endsWith('/resume') && input['version'] === 7 && input['userId'] === changed
        ? Promise.reject(createError('billing.plan_changed'))
        : Promise.resolve();
    const { data: undo } = await step('undoJob', id);
    await run();
    expect(await resultsOf(undo.id)).toEqual([
      ['skipped', 'identity.deletion_requested'],
      ['skipped', 'billing.plan_changed'],
    ]);
    expect([leaving, changed].filter((user) => services.renewing.has(user))).toEqual([]);
    services.deleting.clear();
  });

  it('of a stop whose result was lost still finds that the job made it', async () => {
    const [user = ''] = usersOf(1);
    services.renewing.add(user);
    services.grants.set(user, uuidv7()); // premium until the end of the period
    let isLost = true;
    services.onCall = ({ path }) => {
      if (!path.endsWith('/revoke') || !isLost) return Promise.resolve();
      isLost = false;
      services.renewing.delete(user);
      return Promise.reject(createError('service.unavailable'));
    };
    const { id } = await create({ kind: 'revoke', when: 'period_end', ids: user });
    await run();
    await run();
    expect(await read(id)).toMatchObject({ state: 'done', done: 1, canUndo: true });
  });

  it('does not exist for sessions', async () => {
    const { id } = await create({ kind: 'end_sessions', ids: usersOf(1).join(',') });
    await run();
    await expect(step('undoJob', id)).rejects.toMatchObject({ code: 'worker.job_not_undoable' });
  });
});

it('I6 a message with a link, an email or a telephone number is refused', async () => {
  const order = { kind: 'message', ids: usersOf(1).join(','), subject: 'News' } as const;
  for (const text of ['See evil.example', 'Write to a@b.co', 'Call 030 1234567'])
    await expect(create({ ...order, text: `Hello\n${text}` })).rejects.toMatchObject({
      code: 'worker.message_text',
    });
});

describe(`of no more than ${BULK_OPEN_MAX} open jobs`, () => {
  const open = (jobId?: string) => create({ kind: 'end_sessions', ids: usersOf(1).join(',') }, jobId);
  const resultOf = (request: Promise<unknown>): Promise<string | undefined> =>
    request.then(
      () => 'created',
      ({ code }: { code?: string }) => code,
    );
  const openMany = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) await open();
  };

  it('the next one is refused', async () => {
    await openMany(BULK_OPEN_MAX);
    await expect(open()).rejects.toMatchObject({ code: 'worker.jobs_full' });
  });

  it('the last one is opened by one of the requests that come at once', async () => {
    await openMany(BULK_OPEN_MAX - 1);
    const results = await Promise.all([1, 2, 3, 4].map(() => resultOf(open())));
    expect(results.toSorted()).toEqual(['created', ...Array<string>(3).fill('worker.jobs_full')]);
  });

  it('the last one may be an undo, which keeps out what comes with it', async () => {
    const { id } = await create({ kind: 'grant', ids: usersOf(1).join(',') });
    await run();
    await openMany(BULK_OPEN_MAX - 1);
    const results = await Promise.all([step('undoJob', id), open(), open()].map(resultOf));
    expect(results.toSorted()).toEqual(['created', 'worker.jobs_full', 'worker.jobs_full']);
  });

  it('the last one is created by a request that arrives twice', async () => {
    await openMany(BULK_OPEN_MAX - 1);
    const jobId = uuidv7();
    expect(await Promise.all([1, 2, 3].map(() => resultOf(open(jobId))))).toEqual(Array(3).fill('created'));
  });
});
