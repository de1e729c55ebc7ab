import Joi from 'joi';
import { factorEndpoints, type IdentityProof, type ProvenIdentity } from '@shortlist/contracts/api/factors';
import { identityEndpoints, type Role } from '@shortlist/contracts/api/identity';
import { loginSchema, type LoginInput } from '@shortlist/contracts/schemas/account';
import { passkeyCeremony, recoveryCode, totpCode } from '@shortlist/contracts/schemas/factors';
import { loginPassword } from '@shortlist/contracts/schemas/password';
import { userId } from '@shortlist/contracts/schemas/text';
import { closedSignal } from '@shortlist/kit/http/closed-signal';
import type { Db } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Router } from '@shortlist/kit/http/router';
import type { AccountRow } from '../accounts/account.entity.ts';
import { presentAccount } from '../accounts/present.ts';
import { findAccountById } from '../accounts/queries.ts';
import { accountFactors } from '../factors/account-factors.ts';
import type { FactorKeys } from '../factors/factor-keys.ts';
import { verifyPasskey } from '../factors/verify-passkey.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { recordLogIn } from './record-log-in.ts';
import type { Authenticate } from './local-strategy.ts';
import { proveIdentity } from './prove-identity.ts';

const role = Joi.string().valid('user', 'admin').required();
const input = loginSchema.append<LoginInput & { role: Role }>({ role });

const proof = Joi.object<IdentityProof>({
  password: loginPassword.optional(),
  code: totpCode.optional(),
  recoveryCode: recoveryCode.optional(),
  passkey: passkeyCeremony.optional(),
})
  .xor('password', 'code', 'recoveryCode', 'passkey')
  .required();

type Parts = { db: Db; hasher: Hasher; clock: Clock; keys: FactorKeys; authenticate: Authenticate };

export const addCredentialEndpoints = (router: Router, parts: Parts): void => {
  const { db, clock, keys, authenticate } = parts;

  const present = async (account: AccountRow): Promise<ProvenIdentity> => ({
    ...presentAccount(account),
    factors: await accountFactors(db.manager, account, keys),
  });

  router.add(identityEndpoints.verifyCredentials, {
    roles: ['anonymous'],
    input,
    handle: async ({ input: credentials, request, response, caller }) => {
      Object.assign(request.body as object, credentials); // passport reads the body, so the body gets the normalised address
      const account = await authenticate(request, response);
      const { factors, ...data } = await present(account);
      // With a second factor, the log-in is complete when that is proven.
      if (!factors.totp) await recordLogIn(db, account, { address: caller.address ?? '', clock });
      return { data, factors };
    },
  });

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
      const data = await present(account);
      if (logIn && data.factors.totp)
        await recordLogIn(db, account, { address: caller.address ?? '', clock });
      return { data };
    },
  });

  router.add(factorEndpoints.logInWithPasskey, {
    roles: ['anonymous'],
    input: Joi.object({ passkey: passkeyCeremony, role }),
    handle: async ({ input: { passkey: ceremony, role: wanted }, caller }) => {
      const { accountId } = await verifyPasskey(parts, { ceremony, requireUserVerification: true });
      const account = await findAccountById(db.manager, accountId);
      if (account?.role !== wanted) throw createError('identity.passkey_refused');
      await recordLogIn(db, account, { address: caller.address ?? '', clock });
      return { data: await present(account) };
    },
  });
};
