import Joi from 'joi';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { profileEndpoints, type ProfileChange } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { adminProfileSchema, profileSchema } from '@shortlist/contracts/schemas/account';
import { userId } from '@shortlist/contracts/schemas/text';
import { validate } from '@shortlist/contracts/schemas/validate';
import type { Router } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Request } from 'express';
import type { Services } from '../services.ts';
import { tokenOf } from '../session/identify.ts';
import type { Sessions } from '../session/sessions.ts';
import { storePicture } from './signup.ts';
import { readForm, readUserData } from './upload.ts';
import { composeUser } from './user-view.ts';

type Parts = { services: Services; sessions: Sessions };
type Editing = { id: string; caller: Caller; request: Request };

const editedId = ({ params }: Request, caller: Caller): string => {
  const { value, fields } = validate(userId, params['id']);
  const own = caller.role === 'admin' || value === caller.userId;
  if (fields !== null || !own) throw createError('identity.user_not_found');
  return value;
};

/** A new password ends the person's other sessions at once; the one that made the change goes on. */
const changePassword = async (
  { services, sessions }: Parts,
  { id, caller, request }: Editing,
  password: string,
): Promise<void> => {
  const { at } = await services.identity(
    identityEndpoints.changePassword,
    { id, password },
    { caller, timeoutMs: 15_000 },
  );
  const own = caller.userId === id ? (tokenOf(request) ?? undefined) : undefined;
  await sessions.endAllBefore(id, new Date(at), own);
};

/** What a person shows first, since a version that no longer fits refuses the whole edit; then the password. */
export const addEditUserEndpoint = (router: Router, parts: Parts): void => {
  const { services } = parts;
  router.add(publicEndpoints.updateUser, {
    roles: ['user', 'admin'],
    input: Joi.object().unknown() as Joi.Schema<FormData>, // multipart: read and held against its schema below
    handle: async ({ request, response, caller }) => {
      const id = editedId(request, caller);
      await readForm(request, response);
      const { password, ...fields } = readUserData(
        request,
        caller.role === 'admin' ? adminProfileSchema : profileSchema,
      );
      const picture = await storePicture(services, caller, request.file);
      const change: ProfileChange = { ...fields, id, ...(picture === null ? {} : { picture }) };
      const { data: profile } = await services.profile(profileEndpoints.updateProfile, change, { caller });
      if (password !== undefined) await changePassword(parts, { id, caller, request }, password);
      return { message: 'updated', data: await composeUser(services, id, { caller, profile }) };
    },
  });
};
