import { factorEndpoints, type IdentityProof } from '@shortlist/contracts/api/factors';
import { identityEndpoints, type PasswordChange, type Role } from '@shortlist/contracts/api/identity';
import {
  type FailedSignIn,
  type NewSignIn,
  SIGN_IN_METHODS,
  signInEndpoints,
} from '@shortlist/contracts/api/sign-ins';
import { type LoginInput, loginSchema } from '@shortlist/contracts/schemas/account';
import { assertionCeremony, recoveryCode, totpCode } from '@shortlist/contracts/schemas/factors';
import { loginPassword, newPassword, passwordWords } from '@shortlist/contracts/schemas/password';
import { userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction, type SharedClock } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Router } from '@shortlist/kit/http/router';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import { accountExists, findAccount, findAccountByEmail, lockAccount } from '../accounts/queries.ts';
import { listSignIns, presentSignIn } from '../accounts/sign-in-queries.ts';
import type { FactorKeys } from '../factors/factor-keys.ts';
import { userHandleOf, verifyPasskey } from '../factors/passkeys.ts';
import type { Hasher } from '../passwords/hasher.ts';
import type { PasswordPolicy } from '../passwords/password-policy.ts';
import { changePassword } from './change-password.ts';
import { recordFailedSignIn, recordLogIn, recordSignIn } from './record-sign-in.ts';
import {
  assertCurrentPassword,
  type Authenticate,
  presentProven,
  proveIdentity,
} from './verify-credentials.ts';

const role = Joi.string().valid('user', 'admin').required();
const input = loginSchema.append<LoginInput & { role: Role }>({ role });

type LogInParts = { db: Db; clock: Clock; keys: FactorKeys; authenticate: Authenticate };

export const addCredentialEndpoints = (router: Router, parts: LogInParts): void => {
  const { db, clock, authenticate } = parts;

  router.add(identityEndpoints.verifyCredentials, {
    roles: ['anonymous'],
    input,
    handle: async ({ input: credentials, request, response, caller }) => {
      Object.assign(request.body as object, credentials); // passport reads the body, so the body gets the normalised address
      const account = await authenticate(request, response);
      const { factors, ...data } = await presentProven(parts, account);
      // An account with a second factor may have to prove it first: bff reports when the log-in is complete.
      if (!factors.totp && factors.passkeys === 0)
        await recordLogIn(db, account, { address: caller.address ?? '', clock });
      return { data, factors };
    },
  });
};

const name = (longest: number) => Joi.string().allow('').max(longest).required();
const originFields = { browser: name(40), system: name(40), network: name(50), place: name(100) };
const method = Joi.string()
  .valid(...SIGN_IN_METHODS)
  .required();

const newSignIn = Joi.object<NewSignIn>({
  ...{ ...originFields, method, id: userId, sessionId: userId },
  isKnownDevice: Joi.boolean().required(),
});

const failedSignIn = Joi.object<FailedSignIn>({
  ...{ ...originFields, method, isLocking: Joi.boolean().required() },
  id: userId.optional(),
  email: Joi.string().max(254),
  role: Joi.string().valid('user', 'admin'),
})
  .xor('id', 'email')
  .and('email', 'role');

type SignInParts = { db: Db; clock: Clock };

export const addSignInEndpoints = (router: Router, { db, clock }: SignInParts): void => {
  const findAccountId = async (failure: FailedSignIn): Promise<string | null> => {
    if ('email' in failure)
      return (await findAccountByEmail(db.manager, failure.email, failure.role))?.id ?? null;
    return (await accountExists(db.manager, failure.id)) ? failure.id : null;
  };

  router.add(signInEndpoints.recordSignIn, {
    roles: ['service'],
    input: newSignIn,
    handle: async ({ input }) => {
      if (!(await accountExists(db.manager, input.id))) throw createError('identity.user_not_found');
      await inTransaction(db, (tx) => recordSignIn(tx, input, clock));
      return {};
    },
  });

  router.add(signInEndpoints.recordFailedSignIn, {
    roles: ['service'],
    input: failedSignIn,
    handle: async ({ input }) => {
      const accountId = await findAccountId(input);
      if (accountId === null) return {};
      const { browser, system, network, place, isLocking } = input;
      const origin = { browser, system, network, place };
      await inTransaction(db, async (tx) => {
        // The lock makes failures at the same moment one entry. An account that was deleted meanwhile has no history.
        if (await lockAccount(tx, accountId))
          await recordFailedSignIn(tx, { accountId, method: input.method, isLocking, origin }, clock);
      });
      return {};
    },
  });

  router.add(signInEndpoints.listSignIns, {
    roles: ['user', 'admin'],
    input: Joi.object<{ id: string }, true>({ id: userId }),
    owner: ({ id }) => id,
    handle: async ({ input }) => ({ data: (await listSignIns(db.manager, input.id)).map(presentSignIn) }),
  });
};

type PasswordParts = { db: Db; hasher: Hasher; clock: Clock; passwordPolicy: PasswordPolicy };

const change = Joi.object<PasswordChange, true>({
  id: userId,
  password: newPassword,
  currentPassword: loginPassword.optional(),
  words: passwordWords,
  keptSessionId: userId.optional(), // a session's id is a UUID too
});

export const addPasswordEndpoints = (
  router: Router,
  { db, hasher, clock, passwordPolicy }: PasswordParts,
): void => {
  /**
   * A change of one's own password requires the current one; an admin sets another user's without it. Returns the hash that the
   * change replaces.
   */
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

  router.add(identityEndpoints.checkPasswordChange, {
    roles: ['user', 'admin'],
    input: change,
    owner: ({ id }) => id,
    handle: async ({ input, caller, response }) => {
      await assertAllowed(input, caller, closedSignal(response));
      return {};
    },
  });

  router.add(identityEndpoints.changePassword, {
    roles: ['user', 'admin'],
    input: change,
    owner: ({ id }) => id,
    handle: async ({ input, caller, response }) => {
      const signal = closedSignal(response);
      const current = await assertAllowed(input, caller, signal);
      const passwordHash = await hasher.hash(input.password, signal);
      return inTransaction(db, (tx) =>
        changePassword(tx, { id: input.id, passwordHash, ...current, caller, clock }),
      );
    },
  });
};

const proof = Joi.object<IdentityProof>({
  password: loginPassword.optional(),
  code: totpCode.optional(),
  recoveryCode: recoveryCode.optional(),
  passkey: assertionCeremony.optional(),
})
  .xor('password', 'code', 'recoveryCode', 'passkey')
  .required();

type ProofParts = { db: Db; hasher: Hasher; clock: Clock; sharedClock: SharedClock; keys: FactorKeys };

/** The endpoints that verify more of an account than its password. */
export const addProofEndpoints = (router: Router, parts: ProofParts): void => {
  const { db, clock } = parts;

  router.add(factorEndpoints.prove, {
    roles: ['service'],
    input: Joi.object<{ userId: string; proof: IdentityProof; logIn: boolean }, true>({
      userId,
      proof: proof as unknown as Joi.AlternativesSchema, // an object with one of these fields
      logIn: Joi.boolean().required(),
    }),
    handle: async ({ input: { userId: id, logIn, ...input }, caller, response }) => {
      const attempt = { proof: input.proof, signal: closedSignal(response) };
      const account = await proveIdentity(parts, id, attempt);
      const data = await presentProven(parts, account);
      if (logIn) await recordLogIn(db, account, { address: caller.address ?? '', clock });
      return { data };
    },
  });

  router.add(factorEndpoints.recordTrusted, {
    roles: ['service'],
    input: Joi.object<{ userId: string }, true>({ userId }),
    handle: async ({ input: { userId: id }, caller }) => {
      const account = await findAccount(db.manager, id);
      if (account === null) throw createError('identity.user_not_found');
      await recordLogIn(db, account, { address: caller.address ?? '', clock });
      return { message: 'recorded' };
    },
  });

  router.add(factorEndpoints.logInWithPasskey, {
    roles: ['anonymous'],
    input: Joi.object({
      passkey: assertionCeremony,
      role: Joi.string().valid('user', 'admin').required(),
    }),
    handle: async ({ input: { passkey: ceremony, role: wanted }, caller }) => {
      // Before the passkey is verified: its removal meanwhile begins another generation than the one of this log-in.
      const account = await findAccount(db.manager, userHandleOf(ceremony));
      if (account?.role !== wanted) throw createError('identity.passkey_refused');
      const { id: accountId } = account;
      await verifyPasskey(parts, { ceremony, accountId, requireUserVerification: true });
      const data = await presentProven(parts, account);
      await recordLogIn(db, account, { address: caller.address ?? '', clock });
      return { data };
    },
  });
};
