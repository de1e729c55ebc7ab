import { recordAction, recordAdminChange } from '@shortlist/audit/audit-log';
import type { NewSignIn } from '@shortlist/contracts/api/authentication';
import { endOf } from '@shortlist/contracts/api/endpoint';
import type { SignInMethod, SignInOrigin } from '@shortlist/contracts/api/sessions';
import { days } from '@shortlist/contracts/durations';
import {
  loginLocked,
  newDeviceUsed,
  secondFactorsRefused,
  sessionsEnded,
} from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { endAccess } from '../access/end-access.ts';
import { beginGeneration, endRight } from '../accounts/end-right.ts';
import { type AccountRow, lockAccount } from '../accounts/queries.ts';
import {
  deleteBeyondLimit,
  findLatest,
  hasSucceeded,
  insertSignIn,
  listSignIns,
  markWarned,
  updateSignIn,
  wasWarnedSince,
} from './sign-in-queries.ts';

/** A device without a cookie is new, unless the same kind of device was used in the same network, or this is the first log-in. */
const isNew = async (tx: Tx, { id, isKnownDevice, browser, system, network }: NewSignIn): Promise<boolean> =>
  !isKnownDevice &&
  (await hasSucceeded(tx, id, {})) &&
  !(await hasSucceeded(tx, id, { browser, system, network }));

/** Adds a log-in to the history of its account; an admin's is added to the audit log too. */
export const recordSignIn = async (
  tx: Tx,
  { role }: Pick<AccountRow, 'role'>,
  { signIn, address, clock }: { signIn: NewSignIn; address: string; clock: Clock },
): Promise<void> => {
  const { id: accountId, isKnownDevice: _, sessionId, method, ...origin } = signIn;
  const isNewDevice = await isNew(tx, signIn);
  await insertSignIn(tx, {
    id: uuidv7(),
    accountId,
    at: clock(),
    outcome: 'succeeded',
    method,
    attempts: 1,
    ...origin,
    sessionId,
    isNewDevice,
    warnedAt: null,
  });
  await deleteBeyondLimit(tx, accountId);
  if (isNewDevice) await emit(tx, newDeviceUsed, { subject: accountId, data: origin, clock });
  if (role !== 'admin') return;
  const entry = { action: 'admin.log_in', actorId: accountId, targetId: accountId } as const;
  await recordAction(tx, { ...entry, before: null, after: null, address, clock });
};

type Failure = { accountId: string; method: SignInMethod; isLocking: boolean; origin: SignInOrigin };

/** Consecutive wrong second factors that cause a warning: each time, the password was right. */
const REFUSED_FACTORS = 10;
const PASSWORD: readonly SignInMethod[] = ['password'];
const SECOND_FACTORS: readonly SignInMethod[] = ['code', 'recovery_code', 'passkey'];

/**
 * Consecutive failures are one entry, so that an attack does not push the user's own log-ins out of the history. Returns the entry's id.
 */
const addFailure = async (tx: Tx, { accountId, method, origin }: Failure, at: Date): Promise<string> => {
  const latest = await findLatest(tx, accountId);
  const continues = latest?.outcome === 'failed' && latest.method === method;
  if (continues && at.getTime() - latest.at.getTime() < days(1)) {
    await updateSignIn(tx, latest.id, { at, attempts: latest.attempts + 1, ...origin });
    return latest.id;
  }
  const id = uuidv7();
  await insertSignIn(tx, {
    id,
    accountId,
    at,
    outcome: 'failed',
    method,
    attempts: 1,
    ...origin,
    sessionId: null,
    isNewDevice: false,
    warnedAt: null,
  });
  await deleteBeyondLimit(tx, accountId);
  return id;
};

/** Wrong second factors within a day and since the user's last log-in, of all kinds, because an attack may alternate between them. */
const countRefusedFactors = async (tx: Tx, accountId: string, since: Date): Promise<number> => {
  const entries = (await listSignIns(tx, accountId)).filter(({ method }) => method !== 'support');
  const last = entries.findIndex(({ outcome }) => outcome === 'succeeded');
  return entries
    .slice(0, last === -1 ? entries.length : last)
    .filter(({ at, method }) => at > since && SECOND_FACTORS.some((factor) => factor === method))
    .reduce((sum, { attempts }) => sum + attempts, 0);
};

/** The warning that these failures cause, and the methods that share one warning a day. */
const findWarning = async (tx: Tx, { accountId, method, isLocking }: Failure, since: Date) => {
  if (isLocking) return { event: loginLocked, methods: PASSWORD };
  if (!SECOND_FACTORS.includes(method)) return null;
  const refused = await countRefusedFactors(tx, accountId, since);
  return refused < REFUSED_FACTORS ? null : { event: secondFactorsRefused, methods: SECOND_FACTORS };
};

/**
 * Adds a failed log-in to the history of the account, and warns the user of a locked account and of many wrong second factors, each at most
 * once a day. The caller has locked the account's row, which makes concurrent failures one entry.
 */
export const recordFailedSignIn = async (tx: Tx, failure: Failure, clock: Clock): Promise<void> => {
  const { accountId: subject, origin } = failure;
  const at = clock();
  const aDayAgo = new Date(at.getTime() - days(1));
  const id = await addFailure(tx, failure, at);
  const warning = await findWarning(tx, failure, aDayAgo);
  if (warning === null) return;
  const { event, methods } = warning;
  if (await wasWarnedSince(tx, { accountId: subject, methods }, aDayAgo)) return;
  await markWarned(tx, id, at);
  await emit(tx, event, { subject, data: origin, clock });
};

type Viewing = { id: string; reason: string; sessionId: string; caller: Caller; clock: Clock };

/** The user must not see the device and the network of the admin. */
const NO_ORIGIN = { browser: '', system: '', network: '', place: '' };

/** Records that an admin views the product as a user, in the audit log and in the user's history. */
export const recordViewing = async (tx: Tx, viewing: Viewing): Promise<void> => {
  const { id, reason, sessionId, caller, clock } = viewing;
  // The lock makes a concurrent deletion either redact the reason or prevent the viewing.
  if ((await lockAccount(tx, id))?.role !== 'user') throw createError('identity.user_not_found');
  await insertSignIn(tx, {
    id: uuidv7(),
    accountId: id,
    at: clock(),
    outcome: 'succeeded',
    method: 'support',
    attempts: 1,
    ...NO_ORIGIN,
    sessionId,
    isNewDevice: false,
    warnedAt: null,
  });
  await deleteBeyondLimit(tx, id);
  const entry = { action: 'account.view', targetId: id, after: { reason } } as const;
  await recordAdminChange(tx, { ...entry, caller, clock });
};

type SessionEnd = { id: string; sessionId: string; caller: Caller; clock: Clock };

/** Ends one session of a user for an admin. */
export const endUserSession = async (tx: Tx, { id, sessionId, caller, clock }: SessionEnd): Promise<void> => {
  await endRight(tx, endOf('session', sessionId), { subject: id, clock });
  if ((await lockAccount(tx, id))?.role !== 'user') throw createError('identity.user_not_found');
  await recordAdminChange(tx, { action: 'account.end_session', targetId: id, caller, clock });
};

type SessionsEnd = { id: string; withAccess?: boolean; reason?: string; caller: Caller; clock: Clock };

/**
 * Ends all sessions of an account, and records it if the caller is an admin, with the reason; `withAccess`: also ends everything else that acts
 * for the user. Returns the new generation.
 */
export const endSessions = async (
  tx: Tx,
  { id, withAccess = false, reason, caller, clock }: SessionsEnd,
): Promise<{ generation: number }> => {
  const generation = await beginGeneration(tx, id, clock); // locks the account's row
  const cause = caller.role === 'admin' ? 'support' : 'user';
  if (withAccess) await endAccess(tx, { accountId: id, cause, caller, clock });
  // The caller in bff ends the sessions at once. worker, which ends those of many users, leaves it to this event.
  if (caller.userId !== id) {
    const data = { by: caller.userId ?? 'admin', generation };
    await emit(tx, sessionsEnded, { subject: id, data, clock });
  }
  const after = reason === undefined ? null : { reason };
  const change = { action: 'account.end_sessions', targetId: id, after } as const;
  await recordAdminChange(tx, { ...change, caller, clock });
  return { generation };
};
