import Joi from 'joi';
import { identityDoors, type Role } from '@shortlist/contracts/api/identity';
import { loginSchema, type LoginInput } from '@shortlist/contracts/schemas/account';
import type { Doors } from '@shortlist/kit/doors';
import { presentAccount } from '../accounts/present.ts';
import type { Authenticate } from './local-strategy.ts';

const input = loginSchema.append<LoginInput & { role: Role }>({
  role: Joi.string().valid('user', 'admin').required(),
});

export const addCredentialDoors = (doors: Doors, authenticate: Authenticate): void => {
  doors.add(identityDoors.verifyCredentials, {
    roles: ['anonymous'],
    input,
    answer: async ({ input: checked, request, response }) => {
      Object.assign(request.body as object, checked); // passport reads the body: give it the normalised address
      return { data: presentAccount(await authenticate(request, response)) };
    },
  });
};
