import { request } from 'node:http';
import { afterEach, beforeEach, it } from 'vitest';
import { createExpressApp, observe } from '../src/http/express-app.ts';
import { serve, type Serving } from '../src/http/serve.ts';
import { createMetrics, type Metrics } from '../src/process/metrics.ts';
import { until } from '../src/testing/until.ts';
import { silent } from './notes-table.ts';

let serving: Serving;
let metrics: Metrics;
let arrived: string[];
beforeEach(async () => {
  metrics = createMetrics('notes');
  arrived = [];
  const app = createExpressApp(silent, (routes) => {
    routes.use(observe({ log: silent, metrics }));
    routes.get('/notes/:id', (_request, response) => void response.json({}));
    routes.get('/never', () => void arrived.push('never'));
    routes.get('/broken', () => {
      throw new Error('broken');
    });
  });
  serving = await serve(app, { host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  serving.server.closeAllConnections();
  await serving.close();
});

const counted = async (): Promise<string[]> =>
  (await metrics.text())
    .split('\n')
    .map((line) =>
      /duration_seconds_count\{service="notes",method="(\w+)",route="(.*)",status="(\d+)"\} (\d+)$/.exec(
        line,
      ),
    )
    .filter((match) => match !== null)
    .map(([, method, route, status, count]) => `${method} ${route} ${status} ${count}`)
    .toSorted();
const countedAre = (...lines: string[]): Promise<void> =>
  until(lines.join(), async () => JSON.stringify(await counted()) === JSON.stringify(lines.toSorted()));
const send = (path: string, method = 'GET'): Promise<Response> =>
  fetch(`http://127.0.0.1:${serving.port}${path}`, { method });
/** Sends a request and leaves when `isTime` says so. */
const sendAndLeave = async (path: string, isTime: () => boolean): Promise<void> => {
  const outgoing = request({ port: serving.port, host: '127.0.0.1', path });
  outgoing.on('error', () => undefined).on('response', (response) => response.resume());
  outgoing.end();
  await until('the request', isTime);
  outgoing.destroy();
};

it('requests are counted by declared path, method and status, whatever the path', async () => {
  for (const id of ['1', '2?page=3', 'a%20b']) await send(`/notes/${id}`);
  await send('/broken');
  await countedAre('GET /notes/:id 200 3', 'GET /broken 500 1');
});

it('a request that matches no route has no path label, and a rare method no label of its own', async () => {
  await send('/unknown/1');
  await send('/unknown/2');
  await send('/notes/1', 'PATCH');
  await countedAre('GET other 404 2', 'other other 404 1');
});

it('a request whose client leaves before the response counts as a 499 of its endpoint', async () => {
  await sendAndLeave('/never', () => arrived.length === 1);
  await countedAre('GET /never 499 1');
});
