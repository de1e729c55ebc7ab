import type { TryOutcome } from '@shortlist/contracts/api/webhooks';
import { days } from '@shortlist/contracts/durations';
import { webhookFailing } from '@shortlist/contracts/events/identity';
import { WEBHOOK_FAILING_DAYS, WEBHOOK_WARNING_DAYS } from '@shortlist/contracts/limits';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { SERVICE_CALLER } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { hostOf, stopWebhook } from './change-webhook.ts';
import { listUnwarned, listWarned, lockWebhook, updateWebhook, type WebhookRow } from './queries.ts';

type Ref = { id: string; userId: string };
const BY_PRODUCT = { caller: SERVICE_CALLER };

const lockOn = async (tx: Tx, ref: Ref): Promise<WebhookRow | null> => {
  const row = await lockWebhook(tx, ref);
  return row?.stop === null ? row : null;
};

/**
 * Records the result of a try. A webhook that responds "gone" (410) is stopped at once, as Standard Webhooks requires. A try from before the
 * last change is ignored, because it may have gone to another URL.
 */
export const recordTry = async (
  tx: Tx,
  { at, outcome, clock, ...ref }: Ref & { at: Date; outcome: TryOutcome; clock: Clock },
): Promise<void> => {
  const row = await lockOn(tx, ref);
  if (row === null || at < row.changedAt) return;
  if (outcome === 'gone') await stopWebhook(tx, row, { stop: 'gone', ...BY_PRODUCT, clock });
  else if (outcome === 'delivered' && row.failingSince !== null)
    await updateWebhook(tx, row.id, { failingSince: null, warnedAt: null });
  else if (outcome === 'failed' && row.failingSince === null)
    await updateWebhook(tx, row.id, { failingSince: at });
};

/** Webhooks per run. */
const DUE_MAX = 100;

const warn = (db: Db, ref: Ref, clock: Clock): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const row = await lockOn(tx, ref);
    const since = row?.failingSince;
    if (!row || !since || row.warnedAt !== null) return false;
    const now = clock();
    await updateWebhook(tx, row.id, { warnedAt: now });
    const data = {
      endpointId: row.id,
      host: hostOf(row),
      since: since.toISOString(),
      stopsAt: new Date(now.getTime() + days(WEBHOOK_WARNING_DAYS)).toISOString(),
    };
    await emit(tx, webhookFailing, { subject: row.userId, data, clock });
    return true;
  });

const stop = (db: Db, ref: Ref, clock: Clock): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const row = await lockOn(tx, ref);
    // A try may have succeeded since the list was read.
    if (!row?.failingSince || !row.warnedAt) return false;
    await stopWebhook(tx, row, { stop: 'failing', ...BY_PRODUCT, clock });
    return true;
  });

/**
 * Warns about webhooks that have failed for days, and stops those that still fail a day after the warning. Both are found by time, so a missed
 * or repeated run makes no difference.
 */
export const stopFailing = async (db: Db, clock: Clock): Promise<{ warned: number; stopped: number }> => {
  const before = (count: number): Date => new Date(clock().getTime() - days(count));
  const done = { warned: 0, stopped: 0 };
  const due = {
    since: before(WEBHOOK_FAILING_DAYS),
    warnedBy: before(WEBHOOK_WARNING_DAYS),
    limit: DUE_MAX,
  };
  for (const ref of await listWarned(db.manager, due)) if (await stop(db, ref, clock)) done.stopped += 1;
  const warnFrom = before(WEBHOOK_FAILING_DAYS - WEBHOOK_WARNING_DAYS);
  for (const ref of await listUnwarned(db.manager, warnFrom, DUE_MAX))
    if (await warn(db, ref, clock)) done.warned += 1;
  return done;
};
