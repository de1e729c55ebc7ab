// Renders the chart with helm and starts every process with exactly the variables that its container has.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventCatalogue } from '@shortlist/contracts/events/catalogue';
import { until } from '@shortlist/kit/testing/until';
import { findFreePorts } from '@shortlist/local/host/ports';
import { WORKSPACES } from '@shortlist/local/system/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Container, containersOf, environmentOf, renderChart, type Resource } from './rendered-chart.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEY = 'k'.repeat(32);
const LIMIT_MS = 120_000;

/** Valid secrets of servers that are away: a process is live without them. */
const secretOf = (_secret: string, key: string): string => {
  if (key === 'DATABASE_URL') return 'mysql://one:password@127.0.0.1:9/one';
  if (key.endsWith('_REDIS_URL')) return 'redis://127.0.0.1:9';
  return key.endsWith('_TOKEN_KEYS') ? `one:${KEY}` : KEY;
};

const scriptOf = ({ image }: Container): string => {
  const [name = ''] = image.split(':');
  return join(ROOT, WORKSPACES[name as keyof typeof WORKSPACES], 'src/main.ts'); // an image has the name of its process
};

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'chart-'));
  await mkdir(join(directory, 'web/dist'), { recursive: true });
  await writeFile(
    join(directory, 'web/dist/index.html'),
    '<!doctype html><html><head></head><body></body></html>',
  );
});
afterAll(() => rm(directory, { recursive: true }));

const spawnOnFreePorts = async (container: Container, env: Record<string, string>) => {
  const [port = 0, operatorPort = 0] = await findFreePorts(2);
  const child = spawn(process.execPath, [scriptOf(container)], {
    cwd: directory,
    env: { ...env, HOST: '127.0.0.1', PORT: String(port), OPS_PORT: String(operatorPort) },
  });
  return { child, port, operatorPort };
};

/** Starts a process on free ports and returns what it printed, once it is live or has ended. */
const start = async (container: Container, env: Record<string, string>): Promise<string> => {
  const { child, operatorPort } = await spawnOnFreePorts(container, env);
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'exit');
  const isLive = async (): Promise<boolean> => {
    if (child.exitCode !== null) return true;
    return fetch(`http://127.0.0.1:${operatorPort}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await until(`${container.name} is live`, isLive, LIMIT_MS);
  const code = child.exitCode;
  child.kill('SIGKILL');
  await ended;
  return code === null ? 'live' : (await printed).join('');
};

it('every process starts with the variables that the defaults give its container', async () => {
  const resources = await renderChart();
  const containers = containersOf(resources);
  expect(containers.length).toBe(10);
  const states = await Promise.all(
    containers.map(async (container) => {
      const state = await start(container, environmentOf(container, resources, secretOf));
      return `${container.name}: ${state}`;
    }),
  );
  expect(states).toEqual(containers.map(({ name }) => `${name}: live`));
}, 300_000);

it('B12 a pod of bff that is being stopped serves on for the drain of the chart', async () => {
  const resources = await renderChart();
  const bff = containersOf(resources).find(({ name }) => name === 'bff');
  if (bff === undefined) throw new Error('the chart has no bff');
  const { child, port } = await spawnOnFreePorts(bff, environmentOf(bff, resources, secretOf));
  const ended = once(child, 'exit');
  const printed = text(child.stdout);
  const read = (): Promise<Response> => fetch(`http://127.0.0.1:${port}/api/config`);
  const responds = (): Promise<boolean> =>
    read().then(
      () => true,
      () => false,
    );
  await until('a response', responds, LIMIT_MS);
  const stoppedAt = performance.now();
  child.kill('SIGTERM');
  const announces = async (): Promise<boolean> => (await read()).headers.get('connection') === 'close';
  await until('the drain', announces, 2_000);
  expect(await ended, await printed).toEqual([0, null]);
  expect(performance.now() - stoppedAt).toBeGreaterThan(4_900);
}, 120_000);

describe('a trial', () => {
  let resources: Resource[];
  beforeAll(async () => {
    resources = await renderChart({ 'trial.enabled': 'true', 'audit.enabled': 'true', 'ingress.host': '' });
  });

  const generated = (secret: string, key: string): string | undefined =>
    resources.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === secret)?.stringData?.[key];
  const generatedOrEmpty = (secret: string, key: string): string => generated(secret, key) ?? '';

  it('has every secret of every container, and servers for every address', () => {
    const names = resources.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
    for (const container of containersOf(resources)) {
      for (const { name, valueFrom } of container.env ?? []) {
        if (!valueFrom || valueFrom.secretKeyRef.optional === true) continue;
        const value = generatedOrEmpty(valueFrom.secretKeyRef.name, valueFrom.secretKeyRef.key);
        expect(value, `${container.name} ${name}`).not.toBe('');
        if (value.includes('://')) expect(names).toContain(new URL(value).hostname);
      }
    }
    expect(resources.some(({ kind }) => kind === 'Ingress')).toBe(false);
  });

  it('starts its sandbox with the variables of the container', async () => {
    const sandbox = containersOf(resources).find(({ name }) => name === 'sandbox');
    if (sandbox === undefined) throw new Error('the trial has no sandbox');
    const env = environmentOf(sandbox, resources, generatedOrEmpty);
    const state = { SANDBOX_STATE_FILE: join(directory, 'state.json') };
    const { child, port } = await spawnOnFreePorts(sandbox, { ...env, ...state });
    const ended = once(child, 'exit');
    const printed = Promise.all([text(child.stdout), text(child.stderr)]);
    const responds = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => child.exitCode !== null,
      );
    await until('the sandbox responds', responds, LIMIT_MS);
    const code = child.exitCode;
    child.kill('SIGKILL');
    await ended;
    expect(code, code === null ? '' : (await printed).join('')).toBeNull();
  }, 120_000);

  it('lets its sandbox reach bff with webhooks', () => {
    const containers = containersOf(resources);
    const variable = (container: string, name: string): string => {
      const found = containers.find((one) => one.name === container);
      return found === undefined ? '' : (environmentOf(found, resources, generatedOrEmpty)[name] ?? '');
    };
    const { hostname, pathname } = new URL(variable('sandbox', 'WEBHOOK_URL'));
    expect(pathname).toBe('/api/webhooks/stripe');
    expect(variable('bff', 'ALLOWED_HOSTS').split(',')).toContain(hostname);
  });

  it('gives a service and its callers the same keys', () => {
    for (const name of ['identity', 'profile', 'billing', 'credits']) {
      const key = `${name.toUpperCase()}_TOKEN_KEYS`;
      expect(generated('shortlist-bff', key)).toBe(generated(`shortlist-${name}`, key));
    }
  });

  it('cannot be combined with jobs that migrate ahead of the release', async () => {
    await expect(renderChart({ 'trial.enabled': 'true', 'migrations.enabled': 'true' })).rejects.toThrow(
      /choose one/,
    );
  });
});

it('a workload with consumers scales by lag where it is set, the others by processor time', async () => {
  const resources = await renderChart({
    'workloads.default.autoscaling.enabled': 'true',
    'workloads.default.autoscaling.lag': '100',
    databaseConnections: '1000',
  });
  const byLag = resources.filter(({ kind }) => kind === 'ScaledObject');
  const triggers = byLag.flatMap(({ spec }) => spec?.triggers ?? []).map(({ metadata }) => metadata);
  const consumed = eventCatalogue.flatMap(({ event: { topic }, consumedBy }) =>
    consumedBy.filter((name) => name !== 'bff').map((group) => `${group} ${topic}`),
  );
  expect(triggers.map(({ consumerGroup, topic }) => `${consumerGroup} ${topic}`).toSorted()).toEqual(
    [...new Set(consumed)].toSorted(),
  );
  expect(new Set(triggers.map(({ offsetResetPolicy }) => offsetResetPolicy))).toEqual(new Set(['earliest']));
  expect(resources.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toHaveLength(6);
});
