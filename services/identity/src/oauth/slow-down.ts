import { seconds } from '@shortlist/contracts/durations';
import type { Db, SharedClock } from '@shortlist/kit/data/db';
import { hashOfToken } from '@shortlist/kit/http/access-token';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { findArtifact, markPolled } from './queries.ts';

type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>;

/** What a tool waits between two polls, of which RFC 8628 (3.2) is the default; a little less, for what the network adds. */
const INTERVAL_MS = seconds(5);
const TOLERANCE_MS = 500;

/**
 * Turns `authorization_pending` into `slow_down` for a tool that polls faster than the interval (RFC 8628, 3.5), which the library leaves to
 * us.
 */
export const slowDown =
  ({ db, sharedClock }: { db: Db; sharedClock: SharedClock }): Middleware =>
  async (ctx, next) => {
    await next();
    const { error } = (ctx.body ?? {}) as { error?: unknown };
    if (error !== 'authorization_pending') return;
    const key = { model: 'DeviceCode', idHash: hashOfToken(String(ctx.oidc.params?.['device_code'])) };
    const row = await findArtifact(db.manager, key);
    const now = await sharedClock(db.manager);
    await markPolled(db.manager, key, now);
    const polledAt = row?.polledAt?.getTime() ?? 0;
    if (now.getTime() - polledAt >= INTERVAL_MS - TOLERANCE_MS) return;
    ctx.body = { error: 'slow_down', error_description: 'wait five seconds longer between two requests' };
  };
