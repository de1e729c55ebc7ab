import { withTimeout } from '../process/clock.ts';
import { dependencyUp } from '../process/declared-metrics.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { createExpressApp } from './express-app.ts';
import { serve, type Serving } from './serve.ts';

export type Check = () => Promise<unknown>;
export type Health = {
  ready: () => Promise<{ ready: boolean; checks: Record<string, string> }>;
  /** Runs the checks without affecting readiness. Returns the results by name. */
  probe: () => Promise<(readonly [name: string, isUp: boolean])[]>;
};

const CHECK_TIMEOUT_MS = 1_000;
/** Consecutive failures of a check that make the process not ready; a single one does not. */
const MAX_FAILURES = 2;

/** Readiness from named checks, each with a timeout of one second. A check that has never succeeded counts as failing. */
export const createHealth = (checks: Readonly<Record<string, Check>>): Health => {
  const failures = new Map<string, number>(Object.keys(checks).map((name) => [name, MAX_FAILURES]));
  const limited = (check: Check): Promise<unknown> =>
    withTimeout(check(), CHECK_TIMEOUT_MS, () => new Error('timed out'));
  const run = async ([name, check]: [string, Check]): Promise<[string, string]> => {
    try {
      await limited(check);
      failures.set(name, 0);
      return [name, 'ok'];
    } catch (error) {
      failures.set(name, (failures.get(name) ?? 0) + 1);
      return [name, error instanceof Error ? error.message : 'failing'];
    }
  };
  return {
    ready: async () => {
      const results = Object.fromEntries(await Promise.all(Object.entries(checks).map(run)));
      return { ready: [...failures.values()].every((count) => count < MAX_FAILURES), checks: results };
    },
    probe: () =>
      Promise.all(
        Object.entries(checks).map(async ([name, check]) => {
          const isUp = await limited(check).then(
            () => true,
            () => false,
          );
          return [name, isUp] as const;
        }),
      ),
  };
};

type Parts = { log: Log; health: Health; metrics: Metrics; version: string };

/**
 * Serves liveness (the process runs) and readiness (its dependencies respond), each with the version of the running code, and metrics in
 * Prometheus' text format, on a port that no load balancer forwards to.
 */
export const serveOperatorEndpoints = (
  { log, health, metrics, version }: Parts,
  { host, port }: { host: string; port: number },
): Promise<Serving> => {
  metrics.gaugeBy(dependencyUp, async () =>
    (await health.probe()).map(([dependency, isUp]) => [{ dependency }, isUp ? 1 : 0] as const),
  );
  const app = createExpressApp(log, (routes) => {
    routes.get('/health/live', (_request, response) => void response.json({ status: 'live', version }));
    routes.get('/health/ready', async (_request, response) => {
      const { ready, checks } = await health.ready();
      response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready', version, checks });
    });
    routes.get(
      '/metrics',
      async (_request, response) => void response.type(metrics.contentType).send(await metrics.text()),
    );
  });
  return serve(app, { host, port });
};
