import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '@shortlist/local/system';
import type { Secrets } from '@shortlist/local/host/secrets';
import { KAFKA_PORT } from './target.ts';

/** A port of this machine that leads to a port of a deployment. */
export type Forward = { name: string; port: number; to: number };

/** The ports that lead to what the auditor reads. */
export const AUDITED = [
  { name: 'mariadb', port: 13_306, to: 3306 },
  { name: 'redis-sessions', port: 16_379, to: 6379 },
  { name: 'kafka', port: KAFKA_PORT, to: 9094 },
] as const satisfies readonly Forward[];

/** The addresses of the forwarded ports. */
export const forwardedBacking = ({ DB_ROOT_PASSWORD }: Secrets): Installation['backing'] => ({
  databaseAdminUrl: `mysql://root:${DB_ROOT_PASSWORD}@127.0.0.1:${AUDITED[0].port}`,
  sessionsRedisUrl: `redis://127.0.0.1:${AUDITED[1].port}`,
  kafkaBrokers: `127.0.0.1:${AUDITED[2].port}`,
});

/** Forwards a port until the signal aborts. A forward ends with its pod and is then begun again. */
const forward = async (
  namespace: string,
  { name, port, to }: Forward,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const args = ['--namespace', namespace, 'port-forward', `deployment/${name}`, `${port}:${to}`];
    const child: ChildProcess = spawn('kubectl', args, { stdio: 'ignore' });
    const end = (): void => void child.kill();
    signal.addEventListener('abort', end, { once: true });
    await new Promise((resolve) => child.once('close', resolve));
    signal.removeEventListener('abort', end);
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
