import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@shortlist/kit/testing/until';
import type { System } from '@shortlist/local/system';
import { stringify } from 'yaml';

const RULES = join(import.meta.dirname, '../../deploy/k8s/observability/alerts.yaml');
const PROCESSES = ['bff', 'identity', 'profile', 'billing', 'credits', 'worker'] as const;

/** Replaces a text of one alert's expression. */
export type Shortened = Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>;

export type Prometheus = {
  /** The alerts that fire now. */
  firing: () => Promise<Set<string>>;
  /** The alerts that have fired at any time since `startWatch`. */
  fired: () => Promise<Set<string>>;
  /** The sum of what an expression selects; 0 without a series. */
  sum: (selector: string) => Promise<number>;
  startWatch: () => void;
  stop: () => Promise<void>;
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** The rules, with `for` and ranges of seconds: a test does not wait for minutes. The expressions stay what they are otherwise. */
const shorten = (text: string, shortened: Shortened): string => {
  const alerts = text.split(/(?=^ {6}- alert: )/m);
  return alerts
    .map((alert) => {
      const name = /- alert: (\w+)/.exec(alert)?.[1] ?? '';
      const changes = shortened[name] ?? [];
      for (const [from] of changes) if (!alert.includes(from)) throw new Error(`${name} has no ${from}`);
      return changes.reduce((changed, [from, to]) => changed.replaceAll(from, to), alert);
    })
    .join('')
    .replace(/for: \d+m/g, 'for: 0s')
    .replace(/\[\d+[mh]\]/g, '[30s]');
};

const writeConfig = async (directory: string, system: System, shortened: Shortened): Promise<string> => {
  await writeFile(join(directory, 'alerts.yaml'), shorten(await readFile(RULES, 'utf8'), shortened));
  const targets = PROCESSES.map((name) => new URL(system.operatorUrls[name]).host);
  const file = join(directory, 'prometheus.yml');
  const config = {
    global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
    rule_files: ['alerts.yaml'],
    scrape_configs: [{ job_name: 'shortlist', static_configs: [{ targets }] }],
  };
  await writeFile(file, stringify(config));
  return file;
};

type QueryResult = { data: { result: { metric: { alertname: string }; value: [number, string] }[] } };

/** Starts Prometheus with the alerts of the product against a running system. */
export const startPrometheus = async (system: System, shortened: Shortened): Promise<Prometheus> => {
  const directory = await mkdtemp(join(tmpdir(), 'shortlist-prometheus-'));
  const file = await writeConfig(directory, system, shortened);
  const url = `http://127.0.0.1:${await freePort()}`;
  const args = [`--config.file=${file}`, `--storage.tsdb.path=${join(directory, 'data')}`];
  const child = spawn('prometheus', [...args, `--web.listen-address=${new URL(url).host}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (text: Buffer) => void (output = (output + text.toString()).slice(-4_000)));
  const ended = once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT';
    output = isMissing
      ? 'prometheus is missing on this machine: install the package prometheus'
      : error.message;
  });
  await until('Prometheus', async () => {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(output);
    return (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true;
  });
  const read = async (query: string): Promise<QueryResult['data']['result']> => {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`);
    return ((await response.json()) as QueryResult).data.result;
  };
  const alertsOf = async (query: string): Promise<Set<string>> =>
    new Set((await read(query)).map(({ metric }) => metric.alertname));
  let watchedFrom = performance.now();
  return {
    sum: async (selector) => Number((await read(`sum(${selector})`))[0]?.value[1] ?? 0),
    startWatch: () => void (watchedFrom = performance.now()),
    firing: () => alertsOf('ALERTS{alertstate="firing"}'),
    fired: () => {
      const seconds = Math.max(1, Math.floor((performance.now() - watchedFrom) / 1_000));
      return alertsOf(`max_over_time(ALERTS{alertstate="firing"}[${seconds}s])`);
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
};
