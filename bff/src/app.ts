import { V1_PATH } from '@shortlist/contracts/api/v1';
import type { Redis } from '@shortlist/kit/data/redis';
import type { Health } from '@shortlist/kit/http/health';
import type { PoolLimits } from '@shortlist/kit/http/service-pool';
import type { TokenSigner } from '@shortlist/kit/http/service-token';
import type { Bus } from '@shortlist/kit/messaging/bus';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import type { Express, Router } from 'express';
import { type CheckKey, createCheckKey } from './api-keys/check-key.ts';
import type { KeyStore } from './api-keys/key-store.ts';
import { type Config, serviceUrls } from './config.ts';
import { createEndpoints } from './endpoints.ts';
import type { LiveUpdates } from './handlers/live-updates.ts';
import { assertAccess, identify } from './http/access.ts';
import { createChangeLimit } from './http/change-limit.ts';
import type { ClientRoute } from './http/endpoint.ts';
import { nameRoute, observe, respondToError, setHeaders } from './http/observe.ts';
import { createPassOn, createProxies, createReadProxies } from './http/proxied.ts';
import { assertBodySize, assertHost, assertSameSite, parseTarget, readBody } from './http/request-checks.ts';
import {
  addEndpoints,
  createApp,
  createRouter,
  refuseOtherMethods,
  refuseUnknown,
  respond,
} from './http/routes.ts';
import { createPools, createServices } from './services.ts';
import { addSpa } from './http/spa.ts';
import { createRefusalLimit } from './limits/attempt-limit.ts';
import { createDeviceCookie } from './limits/login-limits.ts';
import { createLogInCounter } from './log-in/begin-session.ts';
import type { FindPlace } from './http/sign-in-origin.ts';
import { livePages } from './metrics.ts';
import { createProofs } from './proofs/proofs.ts';
import { createBinding } from './session/credentials.ts';
import type { Sessions } from './session/sessions.ts';
import { createXsrf } from './session/xsrf.ts';
import { v1Routes } from './v1/endpoints.ts';
import { addReference, REFERENCE_PATHS } from './v1/reference.ts';
import { addPreflights, allowOrigin, identifyClient } from './v1/steps.ts';

export type BffParts = {
  config: Config;
  log: Log;
  metrics: Metrics;
  redis: Redis;
  sessions: Sessions;
  keyStore: KeyStore;
  sign: TokenSigner;
  liveUpdates: LiveUpdates;
  bus: Bus;
  health: Health;
  clock: Clock;
  findPlace: FindPlace;
  /** Other limits than those of production, for tests that reach them. */
  poolLimits?: PoolLimits | undefined;
  bodyMs?: number | undefined;
};

/** The endpoints of the public API, with what the middleware shares with them. */
const composeEndpoints = (parts: BffParts) => {
  const { config, log, metrics, redis, sessions, keyStore, sign, liveUpdates, bus, health, clock } = parts;
  const { XSRF_KEY: keys, PUBLIC_URL: publicUrl } = config;
  const urls = serviceUrls(config);
  const pools = createPools(urls, parts.poolLimits);
  const services = createServices(pools, sign);
  const proxies = createProxies(urls, parts.poolLimits);
  const passOn = createPassOn({ sign, proxies, reads: createReadProxies(pools) });
  const access = {
    sessions,
    keyStore,
    xsrf: createXsrf({ keys, publicUrl }),
    binding: createBinding(publicUrl),
    deviceCookie: createDeviceCookie({ redis, keys, publicUrl, clock }),
    proofs: createProofs(redis, config, clock),
  };
  metrics.gauge(livePages, () => Promise.resolve(liveUpdates.countPages()));
  const endpoints = createEndpoints(
    { config, log, clock, redis, liveUpdates, bus, health },
    { services, passOn, pool: pools.identity, sign },
    access,
    { findPlace: parts.findPlace, countLogIn: createLogInCounter(metrics) },
  );
  const checkKey = createCheckKey({
    keyStore,
    services,
    redis,
    environment: config.API_KEY_ENVIRONMENT,
    limits: { ofKey: config.API_KEY_LIMIT, ofUser: config.API_USER_LIMIT, ofTool: config.API_TOOL_LIMIT },
    clock,
    log,
  });
  return { endpoints, tools: v1Routes(services), checkKey, access };
};

type ToolParts = Pick<BffParts, 'config' | 'clock' | 'bodyMs'> & {
  tools: readonly ClientRoute[];
  checkKey: CheckKey;
};

/** The API for apps, which have a key and no session. */
const routeTools = ({ tools, checkKey, config, clock, bodyMs }: ToolParts): Router => {
  const { origin } = new URL(config.PUBLIC_URL);
  const router = createRouter();
  addEndpoints(router, tools, (endpoint) => [
    nameRoute(endpoint.path),
    allowOrigin(endpoint, origin),
    assertBodySize(endpoint.bodyBytes),
    readBody(endpoint.bodyBytes, bodyMs),
    identifyClient(checkKey, endpoint),
    assertAccess(endpoint, clock),
    respond(endpoint),
  ]);
  addPreflights(router, tools, origin);
  addReference(router, { webRoot: config.WEB_ROOT, publicUrl: config.PUBLIC_URL });
  return router;
};

/** The application: every request passes this list from the top. */
export const createBff = (parts: BffParts): Express => {
  const { config, log, metrics, sessions, clock, bodyMs } = parts;
  const { endpoints, tools, checkKey, access } = composeEndpoints(parts);
  const { xsrf, binding } = access;
  const limitChanges = createChangeLimit(parts.redis);
  const app = createApp(config.TRUSTED_PROXIES);

  app.use(
    observe({ log, metrics }),
    setHeaders,
    assertHost(config.PUBLIC_URL, config.ALLOWED_HOSTS),
    parseTarget,
  );

  // Separate, because Express compares a request with each path that has a parameter, and apps send the most requests.
  const toolRouter = routeTools({ tools, checkKey, config, clock, bodyMs });
  app.use((request, response, next) => {
    if (request.path.startsWith(V1_PATH)) toolRouter(request, response, next);
    else next();
  });

  addEndpoints(app, endpoints, (endpoint) => [
    nameRoute(endpoint.path),
    ...(endpoint.crossSiteCheck === false ? [] : [assertSameSite(xsrf)]),
    assertBodySize(endpoint.bodyBytes),
    ...(endpoint.body === 'json' ? [readBody(endpoint.bodyBytes, bodyMs)] : []),
    identify({ sessions, binding, clock }, endpoint),
    assertAccess(endpoint, clock),
    limitChanges(endpoint),
    respond(endpoint),
  ]);

  app.use(nameRoute('pages'));
  app.use(assertSameSite(xsrf));
  addSpa(app, { webRoot: config.WEB_ROOT, isHttps: config.PUBLIC_URL.startsWith('https:'), xsrf });
  const pages = REFERENCE_PATHS.map((path) => ({ path, method: 'GET' as const }));
  refuseOtherMethods(app, [...endpoints, ...tools, ...pages]); // after the pages: GET /login is a screen, POST /login an endpoint
  app.use(refuseUnknown);
  app.use(respondToError(log, createRefusalLimit(parts.redis, 2 * config.LOGIN_LIMIT)));
  return app;
};
