import Joi from 'joi';
import { type Account, identityEndpoints, type NewAccount } from '@shortlist/contracts/api/identity';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { adminSignupSchema, signupSchema } from '@shortlist/contracts/schemas/account';
import type { Router } from '@shortlist/kit/http/router';
import type { Log } from '@shortlist/kit/process/log';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Services } from '../services.ts';
import type { SignupLimit } from './signup-limit.ts';
import { readForm, readUserData } from './upload.ts';

const ANONYMOUS: Caller = { role: 'anonymous', userId: null };

/** Stores an uploaded picture and answers its name; null when there is none. */
export const storePicture = async (
  services: Services,
  caller: Caller,
  file: Express.Multer.File | undefined,
): Promise<string | null> => {
  if (file === undefined) return null;
  const { name } = await services.profile(
    profileEndpoints.storePicture,
    { picture: file.buffer },
    { caller, timeoutMs: 20_000 },
  );
  return name;
};

// The account is the sign-up; its fact makes the profile too. Made here as well, the profile is there for the very next read.
const createProfile = async (
  services: Services,
  account: Account,
  { password: _, ...shown }: NewAccount,
): Promise<void> => {
  const profile = { ...shown, id: account.id, email: account.email, createdAt: account.createdAt };
  await services.profile(profileEndpoints.createProfile, profile, { caller: ANONYMOUS });
};

type Parts = { services: Services; log: Log; limit: SignupLimit };

export const addSignupEndpoint = (router: Router, { services, log, limit }: Parts): void => {
  router.add(publicEndpoints.signup, {
    roles: ['anonymous', 'user', 'admin'],
    input: Joi.object().unknown() as Joi.Schema<FormData>, // multipart: read and held against its schema below
    status: 201,
    handle: async ({ request, response, caller }) => {
      await readForm(request, response);
      // An admin who creates somebody is noted by name; everybody else signs up for themselves.
      const isAdmin = caller.role === 'admin';
      const by = isAdmin ? caller : ANONYMOUS;
      const fields = readUserData(request, isAdmin ? adminSignupSchema : signupSchema);
      if (!isAdmin) await limit.assertOpen(fields.email);
      const picture = await storePicture(services, ANONYMOUS, request.file);
      const account = { ...fields, picture };
      const { data } = await services.identity(identityEndpoints.register, account, {
        caller: by,
        timeoutMs: 15_000,
      });
      if (!isAdmin) await limit.count(fields.email);
      await createProfile(services, data, account).catch((error: unknown) =>
        log.warn({ err: error }, 'profile follows by its fact'),
      );
      return { message: 'signup', data: { id: data.id, email: data.email, picture } };
    },
  });
};
