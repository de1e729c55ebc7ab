import { Stripe } from 'stripe';

/** The version that the types of the package describe; the webhook endpoint in Stripe's dashboard is pinned to the same. */
export const API_VERSION = '2026-10-28.endive';

/** Limits for a call during a user's request, and for one in the background. */
export const INTERACTIVE = { timeout: 3_000, maxNetworkRetries: 0 };
export const BACKGROUND = { timeout: 10_000, maxNetworkRetries: 2 };

/** Whether a key moves real money. */
export const isLiveKey = (key: string): boolean => /^[sr]k_live_/.test(key);

type Settings = { key: string; apiBase: string | undefined; limits: typeof INTERACTIVE };

/** A client of Stripe's package; `apiBase` points it at the sandbox. */
export const createStripe = ({ key, apiBase, limits }: Settings): Stripe => {
  const base = apiBase === undefined ? null : new URL(apiBase);
  return new Stripe(key, {
    apiVersion: API_VERSION,
    telemetry: false,
    ...limits,
    ...(base && {
      host: base.hostname,
      port: base.port || (base.protocol === 'https:' ? 443 : 80),
      protocol: base.protocol === 'https:' ? 'https' : 'http',
    }),
  });
};
