import { actorOf, recordAction, recordSystemChange } from '@shortlist/audit/audit-log';
import type {
  NewWebhookEndpoint,
  WebhookEndpointChange,
  WebhookStop,
} from '@shortlist/contracts/api/webhooks';
import type { AuditAction } from '@shortlist/contracts/audit-log';
import { webhookCreated, webhookStopped } from '@shortlist/contracts/events/identity';
import { WEBHOOKS_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { mayBePublic } from '@shortlist/kit/http/public-address';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { findDeletion } from '../accounts/deletion-queries.ts';
import { lockAccount } from '../accounts/queries.ts';
import type { FactorKeys } from '../factors/factor-keys.ts';
import {
  countWebhooks,
  deleteWebhook,
  insertWebhook,
  lockOn,
  lockWebhook,
  updateWebhook,
  type WebhookRow,
} from './queries.ts';
import { firstSecret, nextSecret } from './webhook-secrets.ts';

/** `any`: also plain HTTP and private networks, only for trying out the product. */
export type WebhookTargets = 'public' | 'any';
export type WebhookParts = { clock: Clock; keys: FactorKeys; targets: WebhookTargets };
type By = { caller: Caller; clock: Clock };
type Order = WebhookParts & By;
type Ref = { userId: string; endpointId: string };
type WithSecret = { row: WebhookRow; secret: string };

/** Records and events contain only the host, because path and query may contain a secret of the receiver. */
export const hostOf = ({ url }: WebhookRow): string => new URL(url).host;

const stateOf = (row: WebhookRow) => ({
  host: hostOf(row),
  events: row.events.join(', '),
  stop: row.stop ?? 'none',
});

/** Records a user's change of a webhook, and emits an event for a new one. */
const recordWebhook = async (
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

/** Throws `identity.webhook_not_https` and `identity.webhook_not_public`. worker checks the resolved addresses at each try. */
const assertTarget = (text: string, targets: WebhookTargets): void => {
  const url = new URL(text);
  if (targets === 'any') return;
  if (url.protocol !== 'https:') throw createFieldError('identity.webhook_not_https', 'url');
  if (!mayBePublic(url)) throw createFieldError('identity.webhook_not_public', 'url');
};

/** The account of a user, locked so that concurrently created webhooks count each other. */
const lockUser = async (tx: Tx, userId: string): Promise<void> => {
  const account = await lockAccount(tx, userId);
  if (account?.role !== 'user') throw createError('identity.user_not_found');
};

/** Throws `identity.webhooks_full`, `identity.deletion_pending`, and what `assertTarget` throws. */
export const createWebhook = async (
  tx: Tx,
  { userId, url, events, ...by }: Order & NewWebhookEndpoint & { userId: string },
): Promise<WithSecret> => {
  assertTarget(url, by.targets);
  await lockUser(tx, userId);
  if ((await findDeletion(tx, userId)) !== null) throw createError('identity.deletion_pending');
  if ((await countWebhooks(tx, userId)) >= WEBHOOKS_MAX) throw createError('identity.webhooks_full');
  const id = uuidv7();
  const { shown, columns } = firstSecret(by.keys, id);
  const state = { stop: null, failingSince: null, warnedAt: null };
  const now = by.clock();
  const row: WebhookRow = { id, userId, url, events, createdAt: now, changedAt: now, ...state, ...columns };
  await insertWebhook(tx, row);
  await recordWebhook(tx, { action: 'webhook.create', after: row, ...by });
  return { row, secret: shown };
};

const lockOwn = async (tx: Tx, { userId, endpointId: id }: Ref): Promise<WebhookRow> => {
  const row = await lockWebhook(tx, { id, userId });
  if (row === null) throw createError('identity.webhook_not_found');
  return row;
};

/** A webhook that is turned on again counts as not failing. */
const nextStop = ({ stop }: WebhookRow, isOn: boolean): Partial<WebhookRow> => {
  if (isOn) return stop === null ? {} : { stop: null, failingSince: null, warnedAt: null };
  return { stop: stop ?? 'user' };
};

export const changeWebhook = async (
  tx: Tx,
  { url, events, isOn, userId, endpointId, ...by }: Order & Ref & WebhookEndpointChange,
): Promise<WebhookRow> => {
  assertTarget(url, by.targets);
  const before = await lockOwn(tx, { userId, endpointId });
  const moved = url === before.url ? {} : { failingSince: null, warnedAt: null };
  const change = { url, events, changedAt: by.clock(), ...moved, ...nextStop(before, isOn) };
  const after = { ...before, ...change };
  await updateWebhook(tx, before.id, change);
  await recordWebhook(tx, { action: 'webhook.change', before, after, ...by });
  return after;
};

export const removeWebhook = async (tx: Tx, { userId, endpointId, ...by }: Order & Ref): Promise<void> => {
  const before = await lockOwn(tx, { userId, endpointId });
  await deleteWebhook(tx, before.id);
  await recordWebhook(tx, { action: 'webhook.delete', before, ...by });
};

export const renewSecret = async (
  tx: Tx,
  { userId, endpointId, ...by }: Order & Ref,
): Promise<WithSecret> => {
  const before = await lockOwn(tx, { userId, endpointId });
  const now = by.clock();
  const { shown, columns } = nextSecret(by.keys, before, now);
  await updateWebhook(tx, before.id, { ...columns, changedAt: now });
  await recordWebhook(tx, { action: 'webhook.renew_secret', after: before, ...by });
  return { row: { ...before, ...columns }, secret: shown };
};

/** Stops a webhook that its user has not turned off. */
export const stopWebhook = async (
  tx: Tx,
  row: WebhookRow,
  { stop, caller, clock }: By & { stop: WebhookStop },
): Promise<void> => {
  const { id: endpointId, userId } = row;
  await updateWebhook(tx, endpointId, { stop });
  await emit(tx, webhookStopped, { subject: userId, data: { endpointId, host: hostOf(row), stop }, clock });
  const states = { before: stateOf(row), after: stateOf({ ...row, stop }) };
  const entry = { action: 'webhook.stop', targetId: userId, ...states, clock } as const;
  if (caller.role === 'service') await recordSystemChange(tx, entry);
  else await recordAction(tx, { ...entry, ...actorOf(caller, userId) });
};

/** Stops every webhook of an account. Returns how many were on. */
export const stopWebhooks = async (
  tx: Tx,
  { accountId, ...stopping }: By & { accountId: string; stop: WebhookStop },
): Promise<number> => {
  const rows = await lockOn(tx, accountId);
  for (const row of rows) await stopWebhook(tx, row, stopping);
  return rows.length;
};
