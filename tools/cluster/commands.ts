import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

type Options = { input?: string; timeoutMs?: number; cwd?: string };

const LIMIT_MS = 120_000;

/** The end of what a failed command printed. */
const ending = (output: string): string => output.trim().split('\n').slice(-8).join('\n');

/** Runs a command and returns what it printed. Throws with the end of its error output when it fails or exceeds its time limit. */
export const run = async (command: string, args: string[], options: Options = {}): Promise<string> => {
  const { input = '', timeoutMs = LIMIT_MS, cwd } = options;
  const child = spawn(command, args, { timeout: timeoutMs, ...(cwd === undefined ? {} : { cwd }) });
  child.stdin.on('error', () => undefined); // it may end before it has read everything
  child.stdin.end(input);
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  if (code === 0) return output;
  const reason = signal === null ? `failed (${code})` : `was ended after ${timeoutMs / 1000} s`;
  throw new Error(`${command} ${args.slice(0, 6).join(' ')} ${reason}\n${ending(errors || output)}`);
};

export const NAMESPACE = 'shortlist-test';
export const RELEASE = 'shortlist';

/** kubectl in a namespace. */
export const kubectlIn =
  (namespace: string) =>
  (args: string[], options: Options = {}): Promise<string> =>
    run('kubectl', ['--namespace', namespace, ...args], options);

/** kubectl in the namespace of the test. */
export const kubectl = kubectlIn(NAMESPACE);

/** Deletes a namespace, if it exists, with all that is in it. */
export const deleteNamespace = (namespace: string): Promise<string> =>
  run('kubectl', ['delete', 'namespace', namespace, '--ignore-not-found'], { timeoutMs: 300_000 });

export const apply = (manifests: string): Promise<string> =>
  kubectl(['apply', '-f', '-'], { input: manifests });

/** Waits until a deployment runs in its current version, on all pods. */
export const rolledOut = (name: string, seconds = 300): Promise<string> =>
  kubectl(['rollout', 'status', `deployment/${name}`, `--timeout=${seconds}s`], {
    timeoutMs: (seconds + 10) * 1000,
  });

/** The names of the deployments of the chart, or of the backing services. */
export const deploymentsOf = async (part: 'product' | 'backing'): Promise<string[]> => {
  const selector = part === 'product' ? `app.kubernetes.io/instance=${RELEASE}` : 'part=backing';
  const names = await kubectl(['get', 'deployments', '-l', selector, '-o', 'name']);
  return names
    .trim()
    .split('\n')
    .map((name) => name.replace('deployment.apps/', ''));
};
