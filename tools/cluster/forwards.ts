import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '@shortlist/local/system';
import type { Secrets } from '@shortlist/local/secrets';
import { NAMESPACE } from './commands.ts';
import { KAFKA_PORT } from './target.ts';

/** The ports of this machine that lead to what the auditor reads. */
const FORWARDS = [
  { name: 'mariadb', port: 13_306, to: 3306 },
  { name: 'redis-sessions', port: 16_379, to: 6379 },
  { name: 'kafka', port: KAFKA_PORT, to: 9094 },
] as const;

/** The addresses of the forwarded ports. */
export const forwardedBacking = ({ DB_ROOT_PASSWORD }: Secrets): Installation['backing'] => ({
  databaseAdminUrl: `mysql://root:${DB_ROOT_PASSWORD}@127.0.0.1:${FORWARDS[0].port}`,
  sessionsRedisUrl: `redis://127.0.0.1:${FORWARDS[1].port}`,
  kafkaBrokers: `127.0.0.1:${FORWARDS[2].port}`,
});

type Forward = (typeof FORWARDS)[number];

/** Forwards a port until the signal aborts. A forward ends with its pod and is then begun again. */
const forward = async ({ name, port, to }: Forward, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const args = ['--namespace', NAMESPACE, 'port-forward', `deployment/${name}`, `${port}:${to}`];
    const child: ChildProcess = spawn('kubectl', args, { stdio: 'ignore' });
    const end = (): void => void child.kill();
    signal.addEventListener('abort', end, { once: true });
    await new Promise((resolve) => child.once('close', resolve));
    signal.removeEventListener('abort', end);
    await sleep(1_000, undefined, { signal }).catch(() => undefined);
  }
};

/** Forwards all ports. The result ends it. */
export const startForwards = (): (() => Promise<void>) => {
  const end = new AbortController();
  const running = FORWARDS.map((one) => forward(one, end.signal));
  return async () => {
    end.abort();
    await Promise.all(running);
  };
};
