import { actorOf, recordAction } from '@shortlist/audit/audit-log';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import type { RemovedFactors } from '@shortlist/contracts/api/email';
import { type Factor, FACTORS } from '@shortlist/contracts/api/factors';
import { factorAdded, factorRemoved } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { beginGeneration } from '../accounts/end-right.ts';
import {
  deletePasskey,
  deletePasskeys,
  deletePendingTotp,
  deleteRecoveryCodes,
  deleteTotp,
} from './queries.ts';

type Change = { accountId: string; factor: Factor; caller: Caller; clock: Clock };

/** The operator's command acts as the product itself. */
const byWhom = (caller: Caller, accountId: string) =>
  actorOf(caller, caller.role === 'service' ? SYSTEM_ACTOR_ID : accountId);

const entryOf = ({ accountId, factor, caller, clock }: Change) => ({
  targetId: accountId,
  ...byWhom(caller, accountId),
  clock,
  state: { factor },
});

/** Emits and records a new factor. Users' changes of factors are in the audit log too, so that support can explain them. */
export const recordAddedFactor = async (tx: Tx, change: Change): Promise<void> => {
  const { state, ...entry } = entryOf(change);
  const data = { factor: change.factor, by: entry.actorId };
  await emit(tx, factorAdded, { subject: change.accountId, data, clock: change.clock });
  await recordAction(tx, { ...entry, action: 'factor.add', after: state });
};

const recordRemovedFactor = async (tx: Tx, change: Change & { reason?: string }): Promise<void> => {
  const { state, ...entry } = entryOf(change);
  const { reason = '' } = change;
  const isOwn = entry.actorId === change.accountId;
  // The lost device may still be logged in.
  const generation = isOwn ? 0 : await beginGeneration(tx, change.accountId, change.clock);
  const data = { factor: change.factor, by: entry.actorId, reason, generation };
  await emit(tx, factorRemoved, { subject: change.accountId, data, clock: change.clock });
  const after = reason === '' ? null : { reason };
  await recordAction(tx, { ...entry, action: 'factor.remove', before: state, after });
};

const ALL_KINDS: ReadonlySet<Factor | 'recovery_codes'> = new Set(FACTORS);

type Removal = { accountId: string; caller: Caller; clock: Clock; reason?: string };

/** Turns two-step verification off. The recovery codes stop working with it. Throws `identity.totp_off`. */
export const removeTotp = async (tx: Tx, removal: Removal): Promise<void> => {
  if (!(await deleteTotp(tx, removal.accountId))) throw createError('identity.totp_off');
  await deleteRecoveryCodes(tx, removal.accountId);
  await recordRemovedFactor(tx, { ...removal, factor: 'totp' });
};

export const removePasskey = async (
  tx: Tx,
  { passkeyId, ...removal }: Removal & { passkeyId: string },
): Promise<void> => {
  if (!(await deletePasskey(tx, { accountId: removal.accountId, id: passkeyId })))
    throw createError('identity.passkey_not_found');
  await recordRemovedFactor(tx, { ...removal, factor: 'passkey' });
};

/** Removes the authenticator app, recovery codes and passkeys that were added at `since` or later. Returns which. */
export const removeFactorsSince = async (
  tx: Tx,
  { since, ...removal }: Removal & { since: Date },
): Promise<RemovedFactors> => {
  const { accountId } = removal;
  await deletePendingTotp(tx, accountId);
  const twoStep = await deleteTotp(tx, accountId, since);
  if (twoStep) await recordRemovedFactor(tx, { ...removal, factor: 'totp' });
  // Codes that were renewed since are known to whoever renewed them; older ones are useless without an app.
  const recoveryCodes = await deleteRecoveryCodes(tx, accountId, twoStep ? undefined : since);
  const passkeys = await deletePasskeys(tx, accountId, since);
  if (passkeys > 0) await recordRemovedFactor(tx, { ...removal, factor: 'passkey' });
  return { twoStep, recoveryCodes: recoveryCodes && !twoStep, passkeys };
};

/** Removes every factor except the password, or those of some kinds. Returns whether there was one. */
export const removeAllFactors = async (
  tx: Tx,
  removal: Removal,
  kinds: ReadonlySet<Factor | 'recovery_codes'> = ALL_KINDS,
): Promise<boolean> => {
  const { accountId } = removal;
  const hadTotp = kinds.has('totp') && (await deleteTotp(tx, accountId));
  if (kinds.has('totp') || kinds.has('recovery_codes')) await deleteRecoveryCodes(tx, accountId);
  const passkeys = kinds.has('passkey') ? await deletePasskeys(tx, accountId) : 0;
  if (hadTotp) await recordRemovedFactor(tx, { ...removal, factor: 'totp' });
  if (passkeys > 0) await recordRemovedFactor(tx, { ...removal, factor: 'passkey' });
  return hadTotp || passkeys > 0;
};
