import { inSpan } from '@shortlist/kit/process/trace';
import { Stripe } from 'stripe';
import type { MeasureCall } from './measure-calls.ts';

/** The version that the types of the package describe; the webhook endpoint in Stripe's dashboard is pinned to the same. */
export const API_VERSION = '2026-10-28.endive';

/** Limits for a call during a user's request, which has a deadline of its own (`sync/deadline.ts`), and for one in the background. */
export const INTERACTIVE = { timeout: 8_000, maxNetworkRetries: 0 };
export const BACKGROUND = { timeout: 10_000, maxNetworkRetries: 2 };

/** Whether a key moves real money. */
export const isLiveKey = (key: string): boolean => /^[sr]k_live_/.test(key);

/** The path of a call without its ids and query. */
const templateOf = (path: string): string =>
  path.replace(/\?.*$/, '').replaceAll(/(?<=\/)(?!v\d\/)[^/]*[0-9A-Z][^/]*/g, ':id');

/** A client of Node that records each request in a span and measures it; a repeated request counts again. */
const createObservedClient = (measure: MeasureCall | undefined): Stripe.HttpClient => {
  const client = Stripe.createNodeHttpClient();
  const send = client.makeRequest.bind(client);
  client.makeRequest = (...request) => {
    const [host, , path, method] = request;
    const template = templateOf(path);
    const operation = `${method} ${template}`;
    const attributes = { 'http.request.method': method, 'url.template': template, 'server.address': host };
    return inSpan(`stripe ${operation}`, { kind: 'client', attributes }, async (span) => {
      const startedAt = performance.now();
      const response = await send(...request).catch((error: unknown) => {
        measure?.({ operation, status: null, startedAt });
        throw error;
      });
      const status = response.getStatusCode();
      measure?.({ operation, status, startedAt });
      span.set({ 'http.response.status_code': status });
      if (status >= 400) span.fail(String(status));
      return response;
    });
  };
  return client;
};

type Settings = {
  key: string;
  apiBase: string | undefined;
  limits: typeof INTERACTIVE;
  measure?: MeasureCall;
};

/** A client of Stripe's package; `apiBase` points it at the sandbox. */
export const createStripe = ({ key, apiBase, limits, measure }: Settings): Stripe => {
  const base = apiBase === undefined ? null : new URL(apiBase);
  return new Stripe(key, {
    apiVersion: API_VERSION,
    telemetry: false,
    httpClient: createObservedClient(measure),
    ...limits,
    ...(base && {
      host: base.hostname,
      port: base.port || (base.protocol === 'https:' ? 443 : 80),
      protocol: base.protocol === 'https:' ? 'https' : 'http',
    }),
  });
};
