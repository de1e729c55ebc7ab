import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { minutes } from '@shortlist/contracts/durations';

type Options = { input?: string; timeoutMs?: number };

export const NAMESPACE = 'shortlist-test';
export const RELEASE = 'shortlist';
const LIMIT_MS = minutes(2);

/** Runs a command and returns what it printed. Throws with the end of its error output when it fails or exceeds its time limit. */
export const run = async (command: string, args: string[], options: Options = {}): Promise<string> => {
  const { input = '', timeoutMs = LIMIT_MS } = options;
  const child = spawn(command, args, { timeout: timeoutMs });
  child.stdin.on('error', () => undefined); // it may end before it has read everything
  child.stdin.end(input);
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code === 0) return output;
  const reason = code === null ? `was ended after ${timeoutMs / 1000} s` : `failed (${code})`;
  const ending = (errors || output).trim().split('\n').slice(-8).join('\n');
  throw new Error(`${command} ${args.slice(0, 6).join(' ')} ${reason}\n${ending}`);
};

/** kubectl in the namespace of the test. */
export const kubectl = (args: string[], options: Options = {}): Promise<string> =>
  run('kubectl', ['--namespace', NAMESPACE, ...args], options);

export const deleteNamespace = (namespace: string): Promise<string> =>
  run('kubectl', ['delete', 'namespace', namespace, '--ignore-not-found'], { timeoutMs: 300_000 });

export const apply = (manifests: string): Promise<string> =>
  kubectl(['apply', '-f', '-'], { input: manifests });

/** Waits until these deployments run in their current version, on all pods. */
export const rolledOut = async (...names: string[]): Promise<void> => {
  for (const name of names)
    await kubectl(['rollout', 'status', `deployment/${name}`, '--timeout=300s'], { timeoutMs: 310_000 });
};

/** Runs a CronJob of the chart now, and returns the end of what it printed. Throws with that unless the job completes. */
export const runCronJob = async (name: string, limitMs: number): Promise<string> => {
  const job = `job/${name}-now`;
  await kubectl(['create', 'job', `${name}-now`, `--from=cronjob/${RELEASE}-${name}`]);
  const endsAt = Date.now() + limitMs;
  let conditions = '';
  while (!/Complete|Failed/.test(conditions) && Date.now() < endsAt) {
    await sleep(2_000);
    conditions = await kubectl(['get', job, '-o', 'jsonpath={.status.conditions[*].type}']);
  }
  const output = await kubectl(['logs', job, '--tail=20']).catch(String);
  if (!conditions.includes('Complete'))
    throw new Error(`${job} ${conditions || 'is still running'}: ${output}`);
  return output;
};

const linesOf = (output: string): string[] => output.trim().split('\n');

/** The names of the deployments of the chart, or of the backing services. */
export const deploymentsOf = async (part: 'product' | 'backing'): Promise<string[]> => {
  const selector = part === 'product' ? `app.kubernetes.io/instance=${RELEASE}` : 'part=backing';
  const names = await kubectl(['get', 'deployments', '-l', selector, '-o', 'name']);
  return linesOf(names).map((name) => name.replace('deployment.apps/', ''));
};

/** The names of the pods of the product; those of jobs come and go. */
export const listPods = async (...more: string[]): Promise<string[]> => {
  const selector = `app.kubernetes.io/instance=${RELEASE},!batch.kubernetes.io/job-name`;
  return linesOf(await kubectl(['get', 'pods', '-l', selector, '-o', 'name', ...more]));
};

/** A port of this machine that leads to a port of a deployment. */
export type Forward = { name: string; port: number; to: number };

/** Forwards a port until the signal aborts. A forward ends with its pod and is then begun again. */
const forward = async (
  namespace: string,
  { name, port, to }: Forward,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const args = ['--namespace', namespace, 'port-forward', `deployment/${name}`, `${port}:${to}`];
    const child = spawn('kubectl', args, { stdio: 'ignore', signal });
    await once(child, 'close').catch(() => undefined); // an error: the signal has aborted
    await sleep(1_000, undefined, { signal }).catch(() => undefined);
  }
};

/** Forwards the ports. The result ends it. */
export const startForwards = (namespace: string, forwards: readonly Forward[]): (() => Promise<void>) => {
  const end = new AbortController();
  const running = forwards.map((one) => forward(namespace, one, end.signal));
  return async () => {
    end.abort();
    await Promise.all(running);
  };
};
