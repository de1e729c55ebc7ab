import type { Balance, Entitlements } from './replies.ts';
import { isUnreachable } from './retry.rules.ts';
import type { CallOptions, Send } from './send.ts';
import { ShortlistError } from './shortlist-error.ts';
import { stored, type Storage } from './storage.ts';

/** `isStale`: the server could not be reached, and this is its last reply, less the charges that wait in the queue. */
export type EntitlementsView = Entitlements & { isStale: boolean; receivedAt: string };

type Known = { entitlements: Entitlements; etag: string | null; receivedAt: number; staleMs: number };
type KnownBalance = Balance & { at: number };

export type LastEntitlements = {
  /** Asks the server. Throws when it cannot be reached and no reply is young enough. */
  read: (pendingCredits: () => Promise<number>, options?: CallOptions) => Promise<EntitlementsView>;
  remember: (balance: Balance) => Promise<void>;
  /** The credits that were available at last; null when nobody knows. */
  available: () => Promise<number | null>;
};

type Parts = {
  send: Send;
  storage: Storage;
  name: (part: string) => () => Promise<string>;
  now: () => number;
};

/** Unless the server says another. */
const STALE_SECONDS = 24 * 60 * 60;

const staleMsOf = (headers: Headers): number => {
  const seconds = /stale-if-error=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1];
  return Number(seconds ?? STALE_SECONDS) * 1_000;
};

const viewOf = ({ entitlements, receivedAt }: Known, isStale: boolean): EntitlementsView => ({
  ...entitlements,
  isStale,
  receivedAt: new Date(receivedAt).toISOString(),
});

type Bucket = Entitlements['credits']['buckets'][number];

/** The buckets once all but `rest` credits are charged, the first ones first. */
const withRest = (buckets: readonly Bucket[], rest: number): Bucket[] => {
  let charged = Math.max(0, buckets.reduce((sum, { available }) => sum + available, 0) - rest);
  return buckets.map((bucket) => {
    const taken = Math.min(charged, bucket.available);
    charged -= taken;
    return { ...bucket, available: bucket.available - taken };
  });
};

const staleView = (known: Known, { used, available, limit }: Balance, pending: number): EntitlementsView => {
  const rest = Math.max(0, available - pending);
  const last = known.entitlements.credits;
  const credits = {
    ...last,
    // What is charged beyond the limit is not of the plan.
    used: Math.min(limit, used + available - rest),
    available: rest,
    limit,
    buckets: withRest(last.buckets ?? [], rest), // a reply of an earlier server has none
  };
  return viewOf({ ...known, entitlements: { ...known.entitlements, credits } }, true);
};

export const createLastEntitlements = ({ send, storage, name, now }: Parts): LastEntitlements => {
  const cell = stored<Known | null>(storage, name('entitlements'), null);
  const balanceCell = stored<KnownBalance | null>(storage, name('balance'), null);
  const isYoung = (at: number, staleMs: number): boolean => now() - at <= staleMs;

  const ask = async (known: Known | null, options: CallOptions): Promise<Known> => {
    const headers = known?.etag ? { 'if-none-match': known.etag } : {};
    const reply = await send<Entitlements>({ method: 'GET', path: '/api/v1/entitlements', headers }, options);
    return {
      entitlements: reply.status === 304 && known !== null ? known.entitlements : reply.body,
      etag: reply.headers.get('etag'),
      receivedAt: now(),
      staleMs: staleMsOf(reply.headers),
    };
  };

  const remember: LastEntitlements['remember'] = ({ used, available, limit }) =>
    balanceCell.write({ used, available, limit, at: now() });

  return {
    read: async (pendingCredits, options = {}) => {
      const known = await cell.read();
      try {
        const fresh = await ask(known, options);
        await cell.write(fresh);
        await remember(fresh.entitlements.credits);
        return viewOf(fresh, false);
      } catch (error) {
        const isKnown = known !== null && isYoung(known.receivedAt, known.staleMs);
        if (!isKnown || !(error instanceof ShortlistError) || !isUnreachable(error)) throw error;
        const balance = (await balanceCell.read()) ?? known.entitlements.credits;
        return staleView(known, balance, await pendingCredits());
      }
    },
    remember,
    available: async () => {
      const balance = await balanceCell.read();
      return balance !== null && isYoung(balance.at, STALE_SECONDS * 1_000) ? balance.available : null;
    },
  };
};
