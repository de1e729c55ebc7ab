import Joi from 'joi';
import { factorEndpoints, type IdentityProof } from '@shortlist/contracts/api/factors';
import { assertionCeremony, recoveryCode, totpCode } from '@shortlist/contracts/schemas/factors';
import { loginPassword } from '@shortlist/contracts/schemas/password';
import { userId } from '@shortlist/contracts/schemas/text';
import type { Db } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { findAccount } from '../accounts/queries.ts';
import type { FactorKeys } from '../factors/factor-keys.ts';
import { userHandleOf, verifyPasskey } from '../factors/verify-passkey.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { presentProven } from './present-proven.ts';
import { proveIdentity } from './prove-identity.ts';
import { recordLogIn } from './record-log-in.ts';

const proof = Joi.object<IdentityProof>({
  password: loginPassword.optional(),
  code: totpCode.optional(),
  recoveryCode: recoveryCode.optional(),
  passkey: assertionCeremony.optional(),
})
  .xor('password', 'code', 'recoveryCode', 'passkey')
  .required();

type Parts = { db: Db; hasher: Hasher; clock: Clock; keys: FactorKeys };

/** The endpoints that verify more of an account than its password. */
export const addProofEndpoints = (router: Router, parts: Parts): void => {
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
