import {
  type ConsumerName,
  CONSUMERS,
  PROCESSES,
  type ProcessName,
  type SystemStatus,
} from '@shortlist/contracts/api/system';
import { deadLetterOf, deadLetterTopic, listDeadLetters } from '@shortlist/kit/messaging/dead-letters';
import type { RequestReport } from '@shortlist/contracts/api/status';
import { firstKept, halfHourOf } from '@shortlist/kit/process/request-counts.rules';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRequestStore } from '../src/http/request-counts.ts';
import { refuseWith, respondWith, useBff } from './support.ts';

const bff = await useBff();

/** The services that do not respond at all, and those that refuse. */
let requests: RequestReport | undefined;
let hanging: string[];
let away: string[];
beforeEach(() => {
  hanging = [];
  away = [];
});

const audienceOf = (authorization = ''): string => {
  const [, claims = ''] = authorization.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string }).aud;
};

const LETTER = {
  position: '0:4',
  eventId: uuidv7(),
  type: 'billing.PaymentSucceeded.v1',
  subject: uuidv7(),
  topic: 'billing.events',
  cause: 'older',
  time: '2026-11-20T09:33:00.000Z',
  isUnreadable: false,
  hasEarlier: false,
};
let letter = LETTER;
let failedJobs: { queue: string; jobId: string; name: string }[];
beforeEach(() => {
  letter = LETTER;
  failedJobs = [];
});

const REPLIES: Record<string, () => unknown> = {
  '/status': () => ({
    data: { version: '1.2.3', dependencies: [], migration: null, outbox: null, consumption: null, requests },
  }),
  '/stripe/status': () => ({ data: 'of billing' }),
  '/jobs/status': () => ({ data: 'of worker' }),
  '/jobs/failed': () => ({ data: failedJobs }),
  '/dead-letters': () => ({ data: [letter] }),
  '/dead-letters/0%3A4': () => ({ data: { ...letter, content: '{}' } }),
};

bff.upstream.respond = (request, response, body) => {
  const { pathname } = new URL(request.url ?? '', bff.url);
  const service = audienceOf(request.headers.authorization);
  if (hanging.includes(service)) return;
  if (away.includes(service)) return refuseWith('service.unavailable')(request, response, body);
  return respondWith(() => REPLIES[pathname]?.() ?? {})(request, response, body);
};

const check = async (): Promise<SystemStatus> => {
  const { status, json } = await bff.call('systemStatus', { as: 'admin' });
  expect(status).toBe(200);
  return (json as { data: SystemStatus }).data;
};
const silentIn = ({ processes }: SystemStatus): ProcessName[] =>
  processes.filter(({ status }) => status === null).map(({ name }) => name);
/** The changes that services were asked for: their paths, and what they say. */
const changes = () =>
  bff.upstream.requests
    .filter(({ method }) => method === 'POST')
    .map(({ url, body }) => [url, body.toString()] as const);

describe('the state of the system', () => {
  it('has every process, and what billing and worker add', async () => {
    const status = await check();
    expect(status.processes.map(({ name }) => name)).toEqual(PROCESSES);
    expect(silentIn(status)).toEqual([]);
    expect(status).toMatchObject({ stripe: 'of billing', work: 'of worker' });
    const [own] = status.processes;
    expect(own?.status?.dependencies).toMatchObject([
      {
        name: 'sessions',
        isUp: true,
        details: { server: expect.stringMatching(/^(Redis|Valkey) \d/) as string },
      },
      { name: 'kafka', isUp: true, details: { server: null, used: 1, limit: null } },
    ]);
  });

  it('names who does not respond or refuses, with when each last responded', async () => {
    const { checkedAt } = await check();
    hanging = ['credits'];
    away = ['billing'];
    const status = await check();
    expect(silentIn(status)).toEqual(['billing', 'credits']);
    expect(status.stripe).toBeNull();
    const seen = Object.fromEntries(status.processes.map(({ name, seenAt }) => [name, seenAt]));
    expect([seen['credits'], seen['billing']]).toEqual([checkedAt, checkedAt]);
    expect(seen['worker']).toBe(status.checkedAt);
  });

  it('has the requests of each process, those of one that does not respond as it last said', async () => {
    const halfHour = { start: '2026-11-20T09:00:00.000Z', requests: 9, errors: 1, p95: 40, minutesDown: 0 };
    requests = { requests: 9, errors: 1, p95: 40, halfHours: [halfHour] };
    await check();
    hanging = ['credits'];
    requests = undefined;
    const { processes } = await check();
    const said = Object.fromEntries(processes.map((process) => [process.name, process.requests]));
    expect(said).toMatchObject({ credits: { p95: 40, halfHours: [halfHour] }, worker: { p95: 40 } });
  });

  it('has its own requests, which its processes count together', async () => {
    const now = new Date();
    const counts = {
      requests: new Map([
        [5, 2],
        [10, 1],
      ]),
      errors: 1,
      minutes: new Set([0, 1]),
    };
    const stores = [createRequestStore(bff.redis), createRequestStore(bff.redis)];
    await Promise.all(stores.map((store) => store.add(halfHourOf(now), counts)));
    const [own] = (await check()).processes;
    expect(own).toMatchObject({ name: 'bff', requests: { requests: 6, errors: 2 } });
    expect(await stores[0]?.list(firstKept(now))).toMatchObject([{ minutesUp: 2, errors: 2 }]);
    expect(await bff.redis.ttl(`request-counts:${halfHourOf(now).toISOString()}`)).toBeGreaterThan(0);
  });

  it('says when the broker is away', async () => {
    bff.bus.setDown(true);
    // What was read a moment before counts for five seconds.
    await expect
      .poll(async () => (await check()).processes[0]?.status?.dependencies[1], { timeout: 20_000 })
      .toEqual({ name: 'kafka', isUp: false, details: null });
    bff.bus.setDown(false);
  });
});

type Listed = { data: { consumer: ConsumerName }[]; missing: ConsumerName[] };

describe('dead letters', () => {
  it('are listed of every consumer, and those that could not be read are named', async () => {
    const all = (await bff.call('deadLetters', { as: 'admin' })).json as Listed;
    expect(all.data.map(({ consumer }) => consumer)).toEqual(CONSUMERS.filter((name) => name !== 'bff'));
    away = ['worker'];
    const some = (await bff.call('deadLetters', { as: 'admin' })).json as Listed;
    expect(some.missing).toEqual(['worker']);
  });

  it('are recorded by name before they are replayed or discarded', async () => {
    const target = '/api/admin/system/dead-letters/credits/0%3A4';
    expect((await bff.call(`POST ${target}/replay`, { as: 'admin', body: {} })).status).toBe(200);
    const body = { reason: 'Paid back by hand' };
    expect((await bff.call(`POST ${target}/discard`, { as: 'admin', body })).status).toBe(200);
    expect(changes().map(([url]) => url)).toEqual([
      '/audit/system',
      '/dead-letters/0%3A4/replay',
      '/audit/system',
      '/dead-letters/0%3A4/discard',
    ]);
    expect(changes()[2]?.[1]).toContain('Paid back by hand');
  });

  it('are neither replayed before an earlier one of the user, nor discarded without a reason', async () => {
    letter = { ...LETTER, hasEarlier: true };
    const target = '/api/admin/system/dead-letters/credits/0%3A4';
    const replay = await bff.call(`POST ${target}/replay`, { as: 'admin', body: {} });
    expect([replay.status, replay.code]).toEqual([409, 'service.earlier_dead_letter']);
    const discard = await bff.call(`POST ${target}/discard`, { as: 'admin', body: { reason: ' ' } });
    expect(discard.status).toBe(400);
    expect(changes()).toEqual([]);
  });

  it('change nothing while they cannot be recorded', async () => {
    away = ['identity'];
    const target = '/api/admin/system/dead-letters/credits/0%3A4';
    expect((await bff.call(`POST ${target}/replay`, { as: 'admin', body: {} })).status).toBe(503);
    expect(changes().map(([url]) => url)).not.toContain('/dead-letters/0%3A4/replay');
  });

  it('of bff itself are discarded from its own topic', async () => {
    const message = { key: 'x', value: '{ not json', topic: 'identity.events', partition: 0, offset: '1' };
    await bff.bus.publish(deadLetterTopic('bff'), [deadLetterOf(message, 'not JSON')]);
    const [own] = await listDeadLetters(bff.bus, 'bff');
    const target = `/api/admin/system/dead-letters/bff/${encodeURIComponent(own?.position ?? '')}`;
    const body = { reason: 'Not an event' };
    expect((await bff.call(`POST ${target}/discard`, { as: 'admin', body })).status).toBe(200);
    expect(await listDeadLetters(bff.bus, 'bff')).toEqual([]);
  });
});

describe('a failed job', () => {
  const retry = () =>
    bff.call('POST /api/admin/system/jobs/exports/export-1/retry', { as: 'admin', body: {} });

  it('is recorded by name before it is tried again', async () => {
    failedJobs = [{ queue: 'exports', jobId: 'export-1', name: 'export.write' }];
    expect((await retry()).status).toBe(200);
    expect(changes().map(([url]) => url)).toEqual(['/audit/system', '/jobs/exports/export-1/retry']);
    expect(changes()[0]?.[1]).toContain('export.write');
  });

  it('is neither recorded nor tried again once it is not among the failed ones', async () => {
    failedJobs = [{ queue: 'mail', jobId: 'export-1', name: 'mail.send' }];
    const { status, code } = await retry();
    expect([status, code]).toEqual([409, 'worker.job_not_failed']);
    expect(changes()).toEqual([]);
  });
});
