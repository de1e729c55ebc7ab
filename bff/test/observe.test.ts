import { createLog } from '@shortlist/kit/process/log';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { publicPaths } from '@shortlist/contracts/api/public';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { loadConfig, PACKAGE_VERSION } from '@shortlist/kit/process/config';
import { startTracing, tracingVariables } from '@shortlist/kit/process/tracing';
import { type Collector, openCollector } from '@shortlist/kit/testing/collector';
import { accountOf, refuseWith, respondWith, useBff } from './support.ts';
import { bearer, openRequest, send } from './requests.ts';

type Line = { msg: string; route: string; status: number; userId?: string; actorId?: string };

const lines: Line[] = [];
const log = createLog('bff', 'info', {
  destination: { write: (text) => void lines.push(JSON.parse(text) as Line) },
});
const bff = await useBff({}, { log });
beforeEach(() => {
  bff.upstream.respond = respondWith(() => ({ data: [] }));
});

const lineOf = async (path: string, token?: string): Promise<Line | undefined> => {
  lines.length = 0;
  await bff.call(`GET ${path}`, token === undefined ? {} : { token });
  await until('the line', () => Promise.resolve(lines.some(({ msg }) => msg === 'request')));
  return lines.find(({ msg }) => msg === 'request');
};
/** An endpoint of users that anyone may call, and one of admins. */
const [OPEN, GUARDED] = ['/api/config', '/api/admin/system'];

it('the access log names the user of a session by id, also one who was refused, and nothing of the token', async () => {
  const userId = uuidv7();
  const token = await bff.begin('user', userId);
  for (const [path, status] of [
    [OPEN, 200],
    [GUARDED, 403],
  ] as const) {
    expect(await lineOf(path, token)).toMatchObject({ status, userId });
    expect(JSON.stringify(lines)).not.toContain(token.slice(0, 10));
  }
});

it('the access log names no user without a session', async () => {
  for (const path of [OPEN, '/']) expect(await lineOf(path)).not.toHaveProperty('userId');
});

it('D7 the access log names the user and the admin who views the product as the user', async () => {
  const [userId, adminId] = [uuidv7(), uuidv7()];
  const admin = await bff.sessions.begin(accountOf(adminId, 'admin'));
  expect(await lineOf(OPEN, admin.token)).not.toHaveProperty('actorId');
  const { token } = await bff.sessions.beginViewing(userId, { id: adminId, token: admin.token, binding: '' });
  expect(await lineOf('/api/privacy/export', token)).toMatchObject({ status: 403, userId, actorId: adminId });
});

it('health and the System screen of admins state the version of the running code', async () => {
  const health = await fetch(`http://127.0.0.1:${bff.operatorPort}/health/live`);
  expect(await health.json()).toEqual({ status: 'live', version: PACKAGE_VERSION });
  const { body } = await bff.call(`GET ${GUARDED}`, { as: 'admin' });
  expect(JSON.parse(body)).toMatchObject({ data: { version: PACKAGE_VERSION } });
});

const metricsText = async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${bff.operatorPort}/metrics`)).text();
const count = async (labels: string): Promise<number> => {
  const line = `^http_request_duration_seconds_count\\{service="bff",${labels}\\} (\\d+)$`;
  return Number(new RegExp(line, 'm').exec(await metricsText())?.[1] ?? 0);
};
const countIs = (labels: string, value: number): Promise<void> =>
  until(`${value} × ${labels}`, async () => (await count(labels)) === value);
const labelsOf = (method: string, route: string, status: number): string =>
  `method="${method}",route="${route}",status="${status}"`;

it('a proxied request is counted by its public path, with the status of the service', async () => {
  const [id, token] = [uuidv7(), await bff.begin('user')];
  await bff.call('commitReservation', { token, id });
  bff.upstream.respond = refuseWith('credits.reservation_not_found');
  await bff.call('commitReservation', { token, id });
  const route = '/api/credits/reservations/:\\w+/commit';
  await countIs(labelsOf('POST', route, 200), 1);
  await countIs(labelsOf('POST', route, 404), 1);
  expect(await metricsText()).not.toContain(id);
});

it('pages, files and unknown paths share one label, and no path is in the metrics', async () => {
  const paths = ['/', '/assets/none.js', `/users-of/${uuidv7()}`, '/api/unknown/7f3a'];
  const countPages = async (): Promise<number> => {
    const counts = await Promise.all([200, 404].map((status) => count(labelsOf('GET', 'pages', status))));
    return counts.reduce((sum, one) => sum + one, 0);
  };
  const before = await countPages();
  for (const path of paths) await send(bff.port, path);
  await until('four requests', async () => (await countPages()) === before + paths.length);
  expect(await metricsText()).not.toMatch(/users-of|none\.js|7f3a/);
});

it('a request for an unknown host, and one with a malformed path, is counted without a route', async () => {
  await send(bff.port, '/api/config', { headers: { host: 'elsewhere.test' } });
  await send(bff.port, '/api//config');
  await until('both', async () => (await metricsText()).match(/route="other",status="4\d\d"/) !== null);
});

it('a log-in whose client leaves before the response ends at identity too, and counts as 499', async () => {
  bff.upstream.respond = () => undefined;
  const body = JSON.stringify({ email: 'gone@talent.test', password: 'open sesame' });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const socket = openRequest(bff.port, 'POST /login', headers, body);
  await until('the request at identity', () => bff.upstream.requests.length === 1);
  expect(bff.upstream.requests[0]?.aborted).toBe(false);
  socket.destroy();
  await until('its end at identity', () => bff.upstream.requests[0]?.aborted === true);
  await countIs(labelsOf('POST', '/login', 499), 1);
});

it('live updates are counted when they open, and open pages are a gauge', async () => {
  const controller = new AbortController();
  const headers = bearer(await bff.begin('user'));
  await fetch(`${bff.url}${publicPaths.live}`, { headers, signal: controller.signal });
  await countIs(labelsOf('GET', publicPaths.live, 200), 1);
  expect(await metricsText()).toMatch(/^live_pages\{.*\} 1$/m);
  controller.abort();
  await until('its end', async () => /^live_pages\{.*\} 0$/m.test(await metricsText()));
  expect(await count(labelsOf('GET', publicPaths.live, 200))).toBe(1);
});

const CLICK = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) };

let collector: Collector;
beforeEach(async () => {
  collector = await openCollector();
});
afterEach(() => collector.close());

/** Reads credits as a page does that traces the click, while bff traces this share of the requests. */
const readTraced = async (share: number, flags: '00' | '01'): Promise<void> => {
  let stopTracing: () => unknown = () => undefined;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: String(share) };
  await startTracing({
    name: 'bff',
    lifecycle: { log: createLog('bff', 'silent'), onStop: (_, stop) => void (stopTracing = stop) },
    config: loadConfig(tracingVariables, env),
    metrics: createMetrics('bff'),
  });
  const traceparent = `00-${CLICK.traceId}-${CLICK.spanId}-${flags}`;
  const headers = { ...bearer(await bff.begin('user')), traceparent };
  await send(bff.port, '/api/credits/history?why=secret-query', { headers });
  await stopTracing();
};

it('K5 a proxied request continues the trace of the page, through a span of bff and one of its call', async () => {
  await readTraced(1, '00');
  const [call, request] = ['client', 'server'].map((side) =>
    collector.spans.find(({ parentSpanId }) => (parentSpanId === CLICK.spanId) === (side === 'server')),
  );
  expect(request).toMatchObject({ service: 'bff', traceId: CLICK.traceId, failure: null });
  expect(request?.name).toBe('GET /api/credits/history');
  expect(call).toMatchObject({ traceId: CLICK.traceId, parentSpanId: request?.spanId, failure: null });
  expect(bff.upstream.requests[0]?.headers.traceparent).toBe(`00-${CLICK.traceId}-${call?.spanId}-01`);
  expect(collector.bodies.join()).not.toContain('secret-query');
});

it('K5 a client cannot have its requests recorded', async () => {
  await readTraced(0, '01');
  expect(bff.upstream.requests[0]?.headers.traceparent).toBe(`00-${CLICK.traceId}-${CLICK.spanId}-00`);
  expect(collector.bodies).toEqual([]);
});

it('K5 a failed request has the code of its error', async () => {
  bff.upstream.respond = respondWith(() => ({}), 401);
  await readTraced(1, '00');
  const request = collector.spans.find(({ parentSpanId }) => parentSpanId === CLICK.spanId);
  expect(request?.failure).toBe('service.unavailable');
});
