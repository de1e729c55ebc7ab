import type { RequestListener } from 'node:http';
import { createRouter } from '@shortlist/kit/http/router';
import type { Health } from '@shortlist/kit/http/health';
import { createHttp } from '@shortlist/kit/http/http';
import type { Metrics } from '@shortlist/kit/process/metrics';
import type { Log } from '@shortlist/kit/process/log';
import type { Redis } from '@shortlist/kit/data/redis';
import type { TokenSigner } from '@shortlist/kit/http/service-token';
import type { Express, RequestHandler } from 'express';
import type { Config } from './config.ts';
import { createFront } from './front/front.ts';
import { pathsOf } from './front/paths.ts';
import { API_HEADERS } from './front/reply.ts';
import type { LiveUpdates } from './live/live-pages.ts';
import { addAuditEndpoint } from './pages/audit.ts';
import { addConfigEndpoint, presentConfig } from './pages/config.ts';
import { addCreditsEndpoint } from './pages/credits.ts';
import { createAddressLimit } from './pages/address-limit.ts';
import { addEditUserEndpoint } from './pages/edit-user.ts';
import { addEmailAvailabilityEndpoint } from './pages/email-availability.ts';
import { addSignupEndpoint } from './pages/signup.ts';
import { createSignupLimit } from './pages/signup-limit.ts';
import { addSubscriptionEndpoints } from './pages/subscription.ts';
import { addUserEndpoints } from './pages/users.ts';
import { createForward } from './pass/forward.ts';
import { createProxies } from './pass/proxy.ts';
import { createServices, type Services, serviceUrls } from './services.ts';
import { createCheckAdmin, createCheckUser } from './session/checks.ts';
import { createIdentify } from './session/identify.ts';
import { createLoginLimits } from './session/login-limits.ts';
import { addSessionEndpoints } from './session/routes.ts';
import type { Sessions } from './session/sessions.ts';
import { createXsrf, type Xsrf } from './session/xsrf.ts';
import { addSpa } from './static/spa.ts';

export type BffParts = {
  config: Config;
  log: Log;
  health: Health;
  metrics: Metrics;
  redis: Redis;
  sessions: Sessions;
  sign: TokenSigner;
  pages: LiveUpdates;
};

const guard =
  (xsrf: Xsrf): RequestHandler =>
  (request, response, next) => {
    for (const [name, value] of Object.entries(API_HEADERS)) response.setHeader(name, value);
    xsrf.assert(request);
    next();
  };

const createExpress = (parts: BffParts, { xsrf, services }: { xsrf: Xsrf; services: Services }): Express => {
  const { config, log, redis, sessions } = parts;
  return createHttp(parts, {
    before: (app) => {
      app.set('trust proxy', config.TRUSTED_PROXIES);
      app.use(guard(xsrf));
    },
    routes: (app) => {
      const router = createRouter(app, { identify: createIdentify(sessions), pathsOf });
      addSessionEndpoints(router, { services, sessions, xsrf, limits: createLoginLimits(redis) });
      addSignupEndpoint(router, { services, log, limit: createSignupLimit(redis) });
      addEmailAvailabilityEndpoint(router, { services, limit: createAddressLimit(redis) });
      addEditUserEndpoint(router, { services, sessions });
      addUserEndpoints(router, { services, sessions, log });
      addSubscriptionEndpoints(router, { services, log, xsrf });
      addAuditEndpoint(router, services);
      addCreditsEndpoint(router, services);
      addConfigEndpoint(router, { shown: presentConfig(config), xsrf });
      addSpa(app, { webRoot: config.WEB_ROOT, secure: config.PUBLIC_URL.startsWith('https:'), xsrf });
      router.close(); // after the pages: /login is a screen to look at and a door to post to
    },
  });
};

/** bff: sessions, the doors of the browser, and the pages themselves. */
export const createBff = (parts: BffParts): RequestListener => {
  const { config, log, sessions, sign, pages } = parts;
  const xsrf = createXsrf({ key: config.XSRF_KEY, publicUrl: config.PUBLIC_URL });
  const services = createServices(config, sign);
  return createFront({
    log,
    express: createExpress(parts, { xsrf, services }),
    forward: createForward({
      sessions,
      sign,
      xsrf,
      proxies: createProxies(serviceUrls(config)),
    }),
    checkUser: createCheckUser(sessions, services),
    checkAdmin: createCheckAdmin(sessions),
    openLive: pages.open,
  });
};
