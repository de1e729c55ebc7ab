import { dependencyUp } from '../process/declared-metrics.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { createExpressApp } from './express-app.ts';
import type { Health } from './health.ts';
import { serve, type Serving } from './serve.ts';

type Parts = { log: Log; health: Health; metrics: Metrics };

/**
 * Serves liveness (the process runs), readiness (its dependencies respond) and metrics in Prometheus' text format, on a port that
 * no load balancer forwards to.
 */
export const serveOperatorEndpoints = (
  { log, health, metrics }: Parts,
  { host, port }: { host: string; port: number },
): Promise<Serving> => {
  metrics.gaugeBy(dependencyUp, async () =>
    (await health.probe()).map(([dependency, isUp]) => [{ dependency }, isUp ? 1 : 0] as const),
  );
  const app = createExpressApp(log, (routes) => {
    routes.get('/health/live', (_request, response) => void response.json({ status: 'live' }));
    routes.get('/health/ready', async (_request, response) => {
      const { ready, checks } = await health.ready();
      response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready', checks });
    });
    routes.get(
      '/metrics',
      async (_request, response) => void response.type(metrics.contentType).send(await metrics.text()),
    );
  });
  return serve(app, { host, port });
};
