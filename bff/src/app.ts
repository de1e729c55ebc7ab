import type { RequestListener } from 'node:http';
import type { Redis } from '@shortlist/kit/data/redis';
import { createExpressApp } from '@shortlist/kit/http/express-app';
import type { TokenSigner } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import proxyaddr from 'proxy-addr';
import type { LiveUpdates } from './browser/live-updates.ts';
import { addSpa } from './browser/spa.ts';
import { type Config, serviceUrls } from './config.ts';
import { createEndpoints } from './endpoints.ts';
import { createRefusalLimit } from './limits/refusal-limit.ts';
import { livePages } from './metrics.ts';
import { createLogInCounter } from './pages/record-sign-in.ts';
import { createEndpointTable } from './pipeline/endpoint-table.ts';
import { createHostCheck } from './pipeline/host.ts';
import { createPipeline } from './pipeline/pipeline.ts';
import { createProxied } from './pipeline/proxied.ts';
import { createProofs } from './proofs/proofs.ts';
import type { FindPlace } from './places/places.ts';
import { createBinding } from './session/binding.ts';
import type { Sessions } from './session/sessions.ts';
import { createXsrf } from './session/xsrf.ts';
import type { ProxyLimits } from './upstream/proxy-limits.ts';
import { createProxies } from './upstream/proxy.ts';
import { createReadProxies } from './upstream/read-proxy.ts';
import { createServices } from './upstream/services.ts';

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
  proxyLimits?: ProxyLimits | undefined;
};

/** The endpoints of the public API, with what the pipeline shares with them. */
export const composeEndpoints = (parts: BffParts) => {
  const { config, metrics, redis, sign, clock, proxyLimits } = parts;
  const xsrf = createXsrf({ key: config.XSRF_KEY, publicUrl: config.PUBLIC_URL });
  const binding = createBinding(config.PUBLIC_URL);
  const urls = serviceUrls(config);
  const services = createServices(urls, sign);
  const [proxies, reads] = [createProxies(urls, proxyLimits), createReadProxies(urls, proxyLimits)];
  const proxied = createProxied({ sign, proxies, reads });
  const proofs = createProofs(redis, config, clock);
  const countLogIn = createLogInCounter(metrics);
  const endpoints = createEndpoints({ ...parts, services, proxied, xsrf, binding, proofs, countLogIn });
  return { endpoints, xsrf, binding };
};

/** The request listener of bff: the public API, and the pages of the single-page application. */
export const createBff = (parts: BffParts): RequestListener => {
  const { config, log, metrics, sessions, clock } = parts;
  metrics.gauge(livePages, () => Promise.resolve(parts.liveUpdates.countPages()));
  const { endpoints, xsrf, binding } = composeEndpoints(parts);
  const table = createEndpointTable(endpoints);
  const isHttps = config.PUBLIC_URL.startsWith('https:');
  const express = createExpressApp(log, (app) => {
    addSpa(app, { webRoot: config.WEB_ROOT, isHttps, xsrf });
    // After the pages: GET /login is a screen, POST /login an endpoint.
    app.use((request, response, next) => {
      const allowed = table.methodsOf(request.path);
      if (allowed.length === 0) return next();
      response.setHeader('allow', allowed.join(', '));
      throw createError('request.method_not_allowed');
    });
  });
  const trust = proxyaddr.compile(config.TRUSTED_PROXIES);
  const addressOf: Parameters<typeof createPipeline>[0]['addressOf'] = (request) => proxyaddr(request, trust);
  const assertHost = createHostCheck(config.PUBLIC_URL, config.ALLOWED_HOSTS);
  return createPipeline({
    log,
    metrics,
    sessions,
    xsrf,
    binding,
    table,
    clock,
    addressOf,
    assertHost,
    limitRefusals: createRefusalLimit(parts.redis, 2 * config.LOGIN_LIMIT),
    express,
  });
};
