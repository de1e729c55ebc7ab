import { accessEndpoints } from '@shortlist/contracts/api/connected-apps';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { identityEndpoints, type PasswordChange } from '@shortlist/contracts/api/identity';
import { type FailedSignIn, logInEndpoints } from '@shortlist/contracts/api/authentication';
import { signInEndpoints } from '@shortlist/contracts/api/sessions';
import { type Db, inTransaction, type SharedClock } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import { endOf } from '@shortlist/contracts/api/endpoint';
import type { Router } from '@shortlist/kit/http/router';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { readAccess } from '../access/read-access.ts';
import { endRight } from '../accounts/end-right.ts';
import { accountExists, findAccount, findAccountByEmail, lockAccount } from '../accounts/queries.ts';
import { listLastLogIns, listSignIns, presentSignIn } from './sign-in-queries.ts';
import type { FactorKeys } from '../factors/factor-keys.ts';
import { userHandleOf, verifyPasskey } from '../factors/passkeys.ts';
import type { Hasher, PasswordPolicy } from '../passwords.ts';
import { changePassword, getResetAccount, requestReset, resetPassword } from './change-password.ts';
import { removeLostFactors } from './lost-factors.ts';
import { endSessions, endUserSession, recordFailedSignIn, recordSignIn, recordViewing } from './sign-ins.ts';
import {
  assertCurrentPassword,
  createAuthenticate,
  presentProven,
  proveIdentity,
  verifyCredentials,
} from './verify-credentials.ts';

type LogInParts = { db: Db; hasher: Hasher; log: Log };

const addVerificationEndpoint = (router: Router, parts: LogInParts): void => {
  const authenticate = createAuthenticate((credentials) => verifyCredentials(parts, credentials));

  router.add(logInEndpoints.verifyCredentials, async ({ input: credentials, request, response }) => {
    Object.assign(request.body as object, credentials); // passport reads the body, so the body gets the normalised email
    const account = await authenticate(request, response);
    const { factors, ...data } = await presentProven(parts, account);
    return { data, factors };
  });
};

type SignInParts = { db: Db; clock: Clock };

const addSignInEndpoints = (router: Router, { db, clock }: SignInParts): void => {
  const findAccountId = async (failure: FailedSignIn): Promise<string | null> => {
    if ('email' in failure)
      return (await findAccountByEmail(db.manager, failure.email, failure.role))?.id ?? null;
    return (await accountExists(db.manager, failure.id)) ? failure.id : null;
  };

  router.add(logInEndpoints.recordSignIn, async ({ input: signIn, caller }) => {
    const account = await findAccount(db.manager, signIn.id);
    if (account === null) throw createError('identity.user_not_found');
    const details = { signIn, address: caller.address ?? '', clock };
    await inTransaction(db, (tx) => recordSignIn(tx, account, details));
    return {};
  });

  router.add(logInEndpoints.recordFailedSignIn, async ({ input }) => {
    const accountId = await findAccountId(input);
    if (accountId === null) return {};
    const { browser, system, network, place, isLocking } = input;
    const origin = { browser, system, network, place };
    await inTransaction(db, async (tx) => {
      // The lock makes concurrent failures one entry. A deleted account has no history.
      if (await lockAccount(tx, accountId))
        await recordFailedSignIn(tx, { accountId, method: input.method, isLocking, origin }, clock);
    });
    return {};
  });

  router.add(signInEndpoints.listSignIns, async ({ input }) => ({
    data: (await listSignIns(db.manager, input.id)).map(presentSignIn),
  }));

  router.add(signInEndpoints.listLastLogIns, async ({ input: { ids } }) => {
    const logIns = await listLastLogIns(db.manager, ids.split(','));
    return { data: [...logIns].map(([userId, at]) => ({ userId, at: at.toISOString() })) };
  });
};

/** Views of the product as a user, ending the sessions of an account, and what else acts for it. */
const addSessionEndpoints = (router: Router, { db, clock }: SignInParts): void => {
  router.add(signInEndpoints.recordViewing, async ({ input, caller }) => {
    await inTransaction(db, (tx) => recordViewing(tx, { ...input, caller, clock }));
    return {};
  });

  router.add(identityEndpoints.endSession, async ({ input: { id, sessionId } }) => {
    await inTransaction(db, (tx) => endRight(tx, endOf('session', sessionId), { subject: id, clock }));
    return {};
  });

  router.add(identityEndpoints.endUserSession, async ({ input, caller }) => {
    await inTransaction(db, (tx) => endUserSession(tx, { ...input, caller, clock }));
    return {};
  });

  router.add(identityEndpoints.endSessions, ({ input, caller }) =>
    inTransaction(db, async (tx) => {
      // Only an owner ends another admin's sessions.
      const isOwn = caller.userId === input.id;
      if (!isOwn && (await findAccount(tx, input.id))?.role !== 'user')
        throw createError('identity.user_not_found');
      return endSessions(tx, { ...input, caller, clock });
    }),
  );

  router.add(accessEndpoints.getAccess, async ({ input: { userId } }) => ({
    data: await readAccess(db.manager, userId, clock()),
  }));
};

type PasswordParts = { db: Db; hasher: Hasher; clock: Clock; passwordPolicy: PasswordPolicy };

const addPasswordEndpoints = (router: Router, { db, hasher, clock, passwordPolicy }: PasswordParts): void => {
  /** Changing one's own password requires the current one; an admin sets a user's without it. Returns the hash that the change replaces. */
  const assertAllowed = async (
    { id, password, currentPassword, words, keptSessionId }: PasswordChange,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<{ replacing?: string; keptSessionId?: string }> => {
    const account = await findAccount(db.manager, id);
    const isOwn = caller.userId === id;
    if (account === null || !(isOwn || account.role === 'user')) throw createError('identity.user_not_found');
    if (isOwn) await assertCurrentPassword(hasher, account, { password: currentPassword, signal });
    await passwordPolicy({ password, email: account.email, words });
    if (!isOwn) return {};
    return { replacing: account.passwordHash, ...(keptSessionId === undefined ? {} : { keptSessionId }) };
  };

  router.add(identityEndpoints.checkPasswordChange, async ({ input, caller, response }) => {
    await assertAllowed(input, caller, closedSignal(response));
    return {};
  });

  router.add(identityEndpoints.changePassword, async ({ input, caller, response }) => {
    const signal = closedSignal(response);
    const current = await assertAllowed(input, caller, signal);
    const passwordHash = await hasher.hash(input.password, signal);
    return inTransaction(db, (tx) =>
      changePassword(tx, { id: input.id, passwordHash, ...current, caller, clock }),
    );
  });
};

/** Recovery of an account without its password or factors, by an emailed link. */
const addRecoveryEndpoints = (router: Router, parts: PasswordParts): void => {
  const { db, hasher, clock, passwordPolicy } = parts;

  router.add(factorEndpoints.removeFactors, async ({ input: { userId: accountId, reason }, caller }) => {
    await removeLostFactors(parts, { accountId, reason, caller }, async (tx) => {
      // Only an owner or the operator removes the factors of an admin.
      if ((await lockAccount(tx, accountId))?.role !== 'user') throw createError('identity.user_not_found');
    });
    return { message: 'removed' };
  });

  router.add(identityEndpoints.requestPasswordReset, async ({ input: { email } }) => {
    await inTransaction(db, (tx) => requestReset(tx, { email, clock }));
    return {};
  });

  router.add(identityEndpoints.checkPasswordReset, async ({ input: { token } }) => {
    const { id, email, role } = await getResetAccount(db.manager, token, clock);
    return { data: { userId: id, email, role } };
  });

  router.add(
    identityEndpoints.resetPassword,
    async ({ input: { token, password, words }, caller, response }) => {
      const { email } = await getResetAccount(db.manager, token, clock); // before computing a hash
      await passwordPolicy({ password, email, words });
      const passwordHash = await hasher.hash(password, closedSignal(response));
      const data = await inTransaction(db, (tx) => resetPassword(tx, { token, passwordHash, caller, clock }));
      return { data };
    },
  );
};

type ProofParts = { db: Db; hasher: Hasher; clock: Clock; sharedClock: SharedClock; keys: FactorKeys };

/** The endpoints that verify factors other than the password. */
const addProofEndpoints = (router: Router, parts: ProofParts): void => {
  router.add(logInEndpoints.prove, async ({ input: { userId, proof }, response }) => {
    const account = await proveIdentity(parts, userId, { proof, signal: closedSignal(response) });
    return { data: await presentProven(parts, account) };
  });

  router.add(logInEndpoints.logInWithPasskey, async ({ input: { passkey: ceremony, role: wanted } }) => {
    // Read before the passkey is verified: if it is removed in the meantime, the generation of this log-in is outdated.
    const account = await findAccount(parts.db.manager, userHandleOf(ceremony));
    if (account?.role !== wanted) throw createError('identity.passkey_refused');
    const { id: accountId } = account;
    await verifyPasskey(parts, { ceremony, accountId, requireUserVerification: true });
    return { data: await presentProven(parts, account) };
  });
};

/** The endpoints for credentials, the history of log-ins, and ending sessions. */
export const addCredentialEndpoints = (
  router: Router,
  parts: LogInParts & PasswordParts & ProofParts,
): void => {
  addVerificationEndpoint(router, parts);
  addProofEndpoints(router, parts);
  addSignInEndpoints(router, parts);
  addSessionEndpoints(router, parts);
  addPasswordEndpoints(router, parts);
  addRecoveryEndpoints(router, parts);
};
