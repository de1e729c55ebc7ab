import { connect } from 'node:net';
import { publicPaths } from '@shortlist/contracts/api/public';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { beforeEach, expect, it } from 'vitest';
import { bearer } from './requests.ts';
import { refuseWith, respondWith, send, useBff } from './support.ts';

const bff = await useBff();
beforeEach(() => {
  bff.upstream.respond = respondWith(() => ({ data: [] }));
});

const metricsText = async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${bff.operatorPort}/metrics`)).text();
const count = async (labels: string): Promise<number> =>
  Number(
    new RegExp(`^http_request_duration_seconds_count\\{service="bff",${labels}\\} (\\d+)$`, 'm').exec(
      await metricsText(),
    )?.[1] ?? 0,
  );
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
  for (const path of paths) await send(bff.port, path);
  await until('four requests', async () => {
    const counts = await Promise.all([200, 404].map((status) => count(labelsOf('GET', 'pages', status))));
    return counts.reduce((sum, one) => sum + one, 0) === paths.length;
  });
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
  const head = ['POST /login HTTP/1.1', 'host: localhost', 'content-type: application/json'];
  const socket = connect(bff.port, '127.0.0.1');
  socket.write([...head, `content-length: ${body.length}`, '', body].join('\r\n'));
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
