// Renders the chart with helm and starts every process with exactly the variables that its container has.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PACKAGE_VERSION } from '@shortlist/kit/process/config';
import { until } from '@shortlist/kit/testing/until';
import { WORKSPACES } from '@shortlist/local/system/processes';
import { findFreePorts } from '@shortlist/local/host/ports';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Container, containersOf, environmentOf, renderChart } from './rendered-chart.ts';

const ROOT = join(import.meta.dirname, '../..');
const LIMIT_MS = 120_000;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'chart-'));
  await mkdir(join(directory, 'web/dist'), { recursive: true });
  const page = '<!doctype html><html><head></head><body></body></html>';
  await writeFile(join(directory, 'web/dist/index.html'), page);
});
afterAll(() => rm(directory, { recursive: true }));

/** Starts the program of a container on free ports and waits for a response at a path. */
const start = async ({ name, image }: Container, env: Record<string, string>, path: string) => {
  const [port = 0, operatorPort = 0] = await findFreePorts(2);
  const workspace = WORKSPACES[image.split(':')[0] as keyof typeof WORKSPACES]; // an image has the name of its process
  const child = spawn(process.execPath, [join(ROOT, workspace, 'src/main.ts')], {
    cwd: directory,
    env: { ...env, HOST: '127.0.0.1', PORT: String(port), OPS_PORT: String(operatorPort) },
  });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'exit');
  const isHealth = path === '/health/live';
  const askedPort = isHealth ? operatorPort : port;
  const read = (): Promise<Response> => fetch(`http://127.0.0.1:${askedPort}${path}`);
  const responds = (): Promise<boolean> =>
    read().then(
      ({ ok }) => ok || !isHealth,
      () => child.exitCode !== null,
    );
  await until(`${name} responds`, responds, LIMIT_MS);
  if (child.exitCode !== null) throw new Error(`${name}: ${(await printed).join('')}`);
  return { child, ended, read };
};

it('every process starts with the variables that the defaults give its container, and states its version', async () => {
  const resources = await renderChart();
  const containers = containersOf(resources);
  expect(containers.length).toBe(10);
  const startAndKill = async (container: Container): Promise<void> => {
    const env = environmentOf(container, resources);
    const { child, ended, read } = await start(container, env, '/health/live');
    expect(await (await read()).json()).toEqual({ status: 'live', version: PACKAGE_VERSION });
    child.kill('SIGKILL');
    await ended;
  };
  await Promise.all(containers.map(startAndKill));
}, 300_000);

it('B12 a pod of bff that is being stopped serves on for the drain of the chart', async () => {
  const resources = await renderChart();
  const bff = containersOf(resources).find(({ name }) => name === 'bff') as Container;
  const { child, ended, read } = await start(bff, environmentOf(bff, resources), '/api/config');
  const stoppedAt = performance.now();
  child.kill('SIGTERM');
  await until('the drain', async () => (await read()).headers.get('connection') === 'close', 2_000);
  expect(await ended).toEqual([0, null]);
  expect(performance.now() - stoppedAt).toBeGreaterThan(4_900);
}, 120_000);
