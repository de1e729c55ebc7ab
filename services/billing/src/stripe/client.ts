import { Stripe } from 'stripe';

/** Typed against this version of the provider's interface; the endpoint in their dashboard is pinned to the same. */
const API_VERSION = '2026-10-28.endive';

/** How long the provider may take: a person waits for the one, only we for the other. */
export const INTERACTIVE = { timeout: 3_000, maxNetworkRetries: 0 };
export const BACKGROUND = { timeout: 10_000, maxNetworkRetries: 2 };

/** Whether a key moves real money. */
export const isLiveKey = (key: string): boolean => /^[sr]k_live_/.test(key);

type Settings = { key: string; apiBase: string | undefined; limits: typeof INTERACTIVE };

/** The provider's own package; `apiBase` points it at the sandbox. */
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
