import { type Scope, SCOPES } from '@shortlist/contracts/api/api-keys';
import {
  type Addresses,
  callApi,
  confirmEmail,
  payAtProvider,
  register,
  type UserSession,
} from './client.ts';

type MadeKey = { id: string; key: string };

/** Makes an API key in the session of a user. */
const makeKey = async (
  { publicUrl }: Pick<Addresses, 'publicUrl'>,
  { token }: Pick<UserSession, 'token'>,
  scopes: readonly Scope[] = SCOPES,
): Promise<MadeKey> => {
  const input = { name: 'A tool', scopes, expiresInDays: null };
  const options = { token, body: input };
  const made = await callApi<{ data: { id: string }; key: string }>(
    `${publicUrl}/api/api-keys`,
    'POST',
    options,
  );
  if (made.status !== 201) throw new Error(`the new key returned ${made.status}`);
  return { id: made.body.data.id, key: made.body.key };
};

/** A new user with the plan, and with a key that may do everything. */
export const registerWithKey = async (system: Addresses): Promise<{ user: UserSession; made: MadeKey }> => {
  const user = await register(system);
  await confirmEmail(system, user);
  const xsl = await payAtProvider(system, user);
  const paid = await callApi(`${system.publicUrl}/user-payment`, 'PUT', { token: user.token, body: { xsl } });
  if (paid.status !== 200) throw new Error(`the payment returned ${paid.status}`);
  return { user, made: await makeKey(system, user) };
};
