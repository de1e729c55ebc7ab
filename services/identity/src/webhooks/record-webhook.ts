import { actorOf, recordAction, recordSystemChange } from '@shortlist/audit/audit-log';
import type { WebhookStop } from '@shortlist/contracts/api/webhooks';
import type { AuditAction } from '@shortlist/contracts/audit-log';
import { webhookCreated, webhookFailing, webhookStopped } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import type { WebhookRow } from './queries.ts';

type By = { caller: Caller; clock: Clock };

/** The path and the query of an address may have a secret of the receiver, so records and events have only its host. */
const hostOf = ({ url }: WebhookRow): string => new URL(url).host;

const stateOf = (row: WebhookRow) => ({
  host: hostOf(row),
  events: row.events.join(', '),
  stop: row.stop ?? 'none',
});

/** Records what a user does with a webhook, and emits that there is a new one. */
export const recordWebhook = async (
  tx: Tx,
  {
    action,
    before,
    after,
    caller,
    clock,
  }: By & { action: AuditAction; before?: WebhookRow; after?: WebhookRow },
): Promise<void> => {
  const row = after ?? before;
  if (row === undefined) throw new TypeError('a record of nothing');
  const { id: endpointId, userId, events } = row;
  if (action === 'webhook.create')
    await emit(tx, webhookCreated, {
      subject: userId,
      data: { endpointId, host: hostOf(row), events },
      clock,
    });
  const states = { before: before ? stateOf(before) : null, after: after ? stateOf(after) : null };
  await recordAction(tx, { action, targetId: userId, ...states, ...actorOf(caller, userId), clock });
};

/** Records and emits that nothing more is sent to a webhook. */
export const recordStop = async (
  tx: Tx,
  row: WebhookRow,
  { stop, caller, clock }: By & { stop: WebhookStop },
): Promise<void> => {
  const { id: endpointId, userId } = row;
  await emit(tx, webhookStopped, { subject: userId, data: { endpointId, host: hostOf(row), stop }, clock });
  const states = { before: stateOf(row), after: stateOf({ ...row, stop }) };
  const entry = { action: 'webhook.stop', targetId: userId, ...states, clock } as const;
  if (caller.role === 'service') await recordSystemChange(tx, entry);
  else await recordAction(tx, { ...entry, ...actorOf(caller, userId) });
};

/** Emits that a webhook has failed for days, and is about to be stopped. */
export const emitFailing = async (
  tx: Tx,
  row: WebhookRow,
  { since, stopsAt, clock }: { since: Date; stopsAt: Date; clock: Clock },
): Promise<void> => {
  const data = {
    endpointId: row.id,
    host: hostOf(row),
    since: since.toISOString(),
    stopsAt: stopsAt.toISOString(),
  };
  await emit(tx, webhookFailing, { subject: row.userId, data, clock });
};
