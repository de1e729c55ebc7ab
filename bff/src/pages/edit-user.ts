import Joi from 'joi';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { profileEndpoints, type ProfileChange } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { adminProfileSchema, profileSchema } from '@shortlist/contracts/schemas/account';
import { userId } from '@shortlist/contracts/schemas/text';
import { validate } from '@shortlist/contracts/schemas/validate';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import { handled } from '../pipeline/handled.ts';
import type { PublicEndpoint } from '../pipeline/public-endpoint.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Services } from '../upstream/services.ts';
import { readForm, storePicture } from './form.ts';
import { composeUser } from './user-view.ts';

type Parts = { services: Services; sessions: Sessions };
type Editor = { id: string; caller: Caller; token: string | null };

/** The id in the path. An unknown id and another user's id have the same response. */
const editedId = (id: unknown, caller: Caller): string => {
  const { value, fields } = validate(userId, id);
  const mayEdit = caller.role === 'admin' || value === caller.userId;
  if (fields !== null || !mayEdit) throw createError('identity.user_not_found');
  return value;
};

/** A new password ends the user's other sessions at once; the session that changed it stays. */
const changePassword = async (
  { services, sessions }: Parts,
  { id, caller, token }: Editor,
  password: string,
): Promise<void> => {
  const { at } = await services.identity(
    identityEndpoints.changePassword,
    { id, password },
    { caller, timeoutMs: 15_000 },
  );
  const keptSession = caller.userId === id ? (token ?? undefined) : undefined;
  await sessions.endAllBefore(id, new Date(at), keptSession);
};

export const editUserEndpoint = (parts: Parts): PublicEndpoint => {
  const { services } = parts;
  return handled(publicEndpoints.updateUser, {
    roles: ['user', 'admin'],
    input: Joi.object({ id: Joi.any() }), // a form: read and validated in the handler
    body: 'form',
    handle: async ({ request, response, params, caller, token }) => {
      const id = editedId(params['id'], caller);
      const schema = caller.role === 'admin' ? adminProfileSchema : profileSchema;
      const { userData, file } = await readForm({ request, response }, schema);
      const { password, removePicture = false, ...fields } = userData;
      const picture = await storePicture(services, caller, file);
      const isChanged = picture !== null || removePicture;
      const change: ProfileChange = { ...fields, id, ...(isChanged ? { picture } : {}) };
      // The profile first: a version conflict refuses the whole edit, the password included.
      const { data: profile } = await services.profile(profileEndpoints.updateProfile, change, { caller });
      if (password !== undefined) await changePassword(parts, { id, caller, token }, password);
      return { message: 'updated', data: await composeUser(services, id, { caller, profile }) };
    },
  });
};
