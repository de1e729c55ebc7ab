import Joi from 'joi';
import { identityEndpoints, type Role } from '@shortlist/contracts/api/identity';
import { loginSchema, type LoginInput } from '@shortlist/contracts/schemas/account';
import type { Db } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Router } from '@shortlist/kit/http/router';
import type { FactorKeys } from '../factors/factor-keys.ts';
import { presentProven } from './present-proven.ts';
import { recordLogIn } from './record-log-in.ts';
import type { Authenticate } from './local-strategy.ts';

const role = Joi.string().valid('user', 'admin').required();
const input = loginSchema.append<LoginInput & { role: Role }>({ role });

type Parts = { db: Db; clock: Clock; keys: FactorKeys; authenticate: Authenticate };

export const addCredentialEndpoints = (router: Router, parts: Parts): void => {
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
