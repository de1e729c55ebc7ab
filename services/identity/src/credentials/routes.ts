import Joi from 'joi';
import { identityEndpoints, type Role } from '@shortlist/contracts/api/identity';
import { loginSchema, type LoginInput } from '@shortlist/contracts/schemas/account';
import type { Db } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Router } from '@shortlist/kit/http/router';
import { presentAccount } from '../accounts/present.ts';
import { recordLogIn } from './record-log-in.ts';
import type { Authenticate } from './local-strategy.ts';

const input = loginSchema.append<LoginInput & { role: Role }>({
  role: Joi.string().valid('user', 'admin').required(),
});

type Parts = { db: Db; clock: Clock; authenticate: Authenticate };

export const addCredentialEndpoints = (router: Router, { db, clock, authenticate }: Parts): void => {
  router.add(identityEndpoints.verifyCredentials, {
    roles: ['anonymous'],
    input,
    handle: async ({ input: credentials, request, response, caller }) => {
      Object.assign(request.body as object, credentials); // passport reads the body, so the body gets the normalised address
      const account = await authenticate(request, response);
      await recordLogIn(db, account, { address: caller.address ?? '', clock });
      return { data: presentAccount(account) };
    },
  });
};
