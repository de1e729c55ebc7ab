import type { Redis } from '@shortlist/kit/data/redis';
import { readJson } from '@shortlist/kit/http/express-app';
import type { PoolLimits } from '@shortlist/kit/http/service-pool';
import type { TokenSigner } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import type { Express } from 'express';
import { type Config, serviceUrls } from './config.ts';
import { createEndpoints } from './endpoints.ts';
import type { LiveUpdates } from './handlers/live-updates.ts';
import { assertAccess, identify } from './http/access.ts';
import type { Step } from './http/endpoint.ts';
import { nameRoute, observe, respondToError, setHeaders } from './http/observe.ts';
import { createForward } from './http/proxied.ts';
import { assertBodySize, assertHost, assertSameSite, parseTarget } from './http/request-checks.ts';
import { addEndpoints, createApp, refuseOtherMethods, refuseUnknown, respond } from './http/routes.ts';
import { addSpa } from './http/spa.ts';
import { createRefusalLimit } from './limits/attempt-limit.ts';
import { createLogInCounter, type FindPlace } from './log-in/begin-session.ts';
import { livePages } from './metrics.ts';
import { createProofs } from './proofs/proofs.ts';
import { createBinding } from './session/credentials.ts';
import type { Sessions } from './session/sessions.ts';
import { createXsrf } from './session/xsrf.ts';
import { createProxies, createReadProxies } from './upstream/proxy.ts';
import { createPools, createServices } from './upstream/services.ts';

export type BffParts = {
  config: Config;
  log: Log;
  metrics: Metrics;
  redis: Redis;
  sessions: Sessions;
  sign: TokenSigner;
  liveUpdates: LiveUpdates;
  clock: Clock;
  findPlace: FindPlace;
  /** Other limits than those of production, for tests that reach them. */
  poolLimits?: PoolLimits | undefined;
};

/** The endpoints of the public API, with what the middleware shares with them. */
const composeEndpoints = (parts: BffParts) => {
  const { config, metrics, redis, sign, clock, poolLimits } = parts;
  const xsrf = createXsrf({ key: config.XSRF_KEY, publicUrl: config.PUBLIC_URL });
  const binding = createBinding(config.PUBLIC_URL);
  const urls = serviceUrls(config);
  const pools = createPools(urls, poolLimits);
  const services = createServices(pools, sign);
  const proxies = createProxies(urls, poolLimits);
  const forward = createForward({ sign, proxies, reads: createReadProxies(pools) });
  const proofs = createProofs(redis, config, clock);
  const countLogIn = createLogInCounter(metrics);
  metrics.gauge(livePages, () => Promise.resolve(parts.liveUpdates.countPages()));
  const endpoints = createEndpoints({
    ...parts,
    services,
    forward,
    xsrf,
    binding,
    proofs,
    countLogIn,
  });
  return { endpoints, xsrf, binding };
};

/** The application: every request of bff takes this list from the top. */
export const createBff = (parts: BffParts): Express => {
  const { config, log, metrics, sessions, clock } = parts;
  const { endpoints, xsrf, binding } = composeEndpoints(parts);
  const app = createApp(config.TRUSTED_PROXIES);

  app.use(observe({ log, metrics }));
  app.use(setHeaders);
  app.use(assertHost(config.PUBLIC_URL, config.ALLOWED_HOSTS));
  app.use(parseTarget);

  addEndpoints(app, endpoints, (endpoint) => [
    nameRoute(endpoint.path),
    ...(endpoint.crossSiteCheck === false ? [] : [assertSameSite(xsrf)]),
    assertBodySize(endpoint.bodyBytes),
    identify({ sessions, binding }, endpoint),
    assertAccess(endpoint, clock),
    ...(endpoint.body === 'json' ? [readJson(endpoint.bodyBytes) as Step] : []),
    respond(endpoint),
  ]);

  app.use(nameRoute('pages'));
  app.use(assertSameSite(xsrf));
  addSpa(app, { webRoot: config.WEB_ROOT, isHttps: config.PUBLIC_URL.startsWith('https:'), xsrf });
  refuseOtherMethods(app, endpoints); // after the pages: GET /login is a screen, POST /login an endpoint
  app.use(refuseUnknown);
  app.use(respondToError(log, createRefusalLimit(parts.redis, 2 * config.LOGIN_LIMIT)));
  return app;
};
