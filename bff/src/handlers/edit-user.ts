import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { type ProfileChange, profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { adminProfileSchema, type ProfileInput, profileSchema } from '@shortlist/contracts/schemas/account';
import { uuid, validate } from '@shortlist/contracts/schemas/validation';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { assertRecent } from '../http/access.ts';
import { composed, type Exchange, type Route } from '../http/endpoint.ts';
import { assertPasswordSuffices, type Proofs } from '../proofs/proofs.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { HASH_TIMEOUT_MS, type Services } from '../services.ts';
import { readForm, storePicture } from './form.ts';
import { applyNewPassword, countCurrentPassword, getOwnAccount, type NewPasswordParts } from './passwords.ts';
import { composeUser } from './users.ts';

type Parts = NewPasswordParts & { services: Services; sessions: Sessions; clock: Clock; proofs: Proofs };
type Editor = Pick<Exchange, 'request' | 'response' | 'caller' | 'address'> & {
  id: string;
  session: Session;
};

/** The id in the path. An unknown id and another user's id have the same response. */
const editedId = (id: unknown, caller: Caller): string => {
  const { value, fields } = validate(uuid, id);
  const mayEdit = caller.role === 'admin' || value === caller.userId;
  if (fields !== null || !mayEdit) throw createError('identity.user_not_found');
  return value;
};

type NewPassword = { password: string; currentPassword?: string; words: string[] };

/**
 * Refuses a password before anything is saved. A wrong current one counts like a log-in that failed; an admin needs none for another
 * user, and a recent proof instead.
 */
const checkPassword = async (
  parts: Parts,
  { id, caller, session, address }: Editor,
  change: NewPassword,
): Promise<void> => {
  const { services, limits, clock } = parts;
  const check = () =>
    services.identity(
      identityEndpoints.checkPasswordChange,
      { id, ...change },
      { caller, timeoutMs: HASH_TIMEOUT_MS },
    );
  if (caller.userId !== id) {
    assertRecent(session, clock);
    return void (await check());
  }
  await assertPasswordSuffices(parts, session);
  const { email } = await getOwnAccount(services, caller);
  await countCurrentPassword(limits.logIn, { email, address, device: id }, check);
};

/** A new password ends the user's other sessions at once; the session that changed it stays, and its browser a known one. */
const changePassword = async (
  parts: Parts,
  { id, caller, session, ...exchange }: Editor,
  { email, ...change }: NewPassword & { email: string },
): Promise<void> => {
  const { services, sessions } = parts;
  const keptSessionId = caller.userId === id ? session.id : undefined;
  const { generation } = await services.identity(
    identityEndpoints.changePassword,
    { id, ...change, ...(keptSessionId === undefined ? {} : { keptSessionId }) },
    { caller, timeoutMs: HASH_TIMEOUT_MS },
  );
  await sessions.endAllBefore(id, generation, keptSessionId);
  await applyNewPassword(parts, email, caller.userId === id ? exchange : undefined);
};

const newPasswordOf = ({
  password,
  currentPassword,
  firstName,
  lastName,
}: ProfileInput): NewPassword | null =>
  password === undefined
    ? null
    : {
        password,
        words: [firstName, lastName],
        ...(currentPassword === undefined ? {} : { currentPassword }),
      };

export const editUserEndpoint = (parts: Parts): Route => {
  const { services } = parts;
  return composed(
    publicEndpoints.updateUser,
    async ({ request, response, checkAgain, params, caller, address, session }) => {
      const id = editedId(params['id'], caller);
      const editor = { id, caller, address, session, request, response };
      const schema = caller.role === 'admin' ? adminProfileSchema : profileSchema;
      const { userData, file } = await readForm({ request, response, checkAgain }, schema);
      const { password: _, currentPassword: _current, removePicture = false, ...fields } = userData;
      const newPassword = newPasswordOf(userData);
      if (newPassword !== null) await checkPassword(parts, editor, newPassword);
      const picture = await storePicture(services, caller, file);
      const isChanged = picture !== null || removePicture;
      const change: ProfileChange = { ...fields, id, ...(isChanged ? { picture } : {}) };
      // The profile first: a version conflict refuses the whole edit, the password included.
      const { data: profile } = await services.profile(profileEndpoints.updateProfile, change, { caller });
      if (newPassword !== null) await changePassword(parts, editor, { ...newPassword, email: profile.email });
      return { message: 'updated', data: await composeUser(services, id, { caller, profile }) };
    },
  );
};
