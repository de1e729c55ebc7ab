import Joi from 'joi';
import { identityEndpoints, type Role } from '@shortlist/contracts/api/identity';
import { loginSchema, type LoginInput } from '@shortlist/contracts/schemas/account';
import type { Router } from '@shortlist/kit/http/router';
import { presentAccount } from '../accounts/present.ts';
import type { Authenticate } from './local-strategy.ts';

const input = loginSchema.append<LoginInput & { role: Role }>({
  role: Joi.string().valid('user', 'admin').required(),
});

export const addCredentialEndpoints = (router: Router, authenticate: Authenticate): void => {
  router.add(identityEndpoints.verifyCredentials, {
    roles: ['anonymous'],
    input,
    handle: async ({ input: credentials, request, response }) => {
      Object.assign(request.body as object, credentials); // passport reads the body, so the body gets the normalised address
      return { data: presentAccount(await authenticate(request, response)) };
    },
  });
};
