import { type Scope, SCOPES } from '@shortlist/contracts/api/connected-apps';
import {
  type Addresses,
  callApi,
  confirmEmail,
  payAtProvider,
  register,
  type UserSession,
} from './client.ts';

type MadeKey = { id: string; key: string };

/** Makes an API key for a user who has just logged in; it may do everything unless said otherwise. */
export const createApiKey = async (
  { publicUrl }: Pick<Addresses, 'publicUrl'>,
  { token }: Pick<UserSession, 'token'>,
  {
    name = 'A tool',
    scopes = SCOPES,
    expiresInDays = null,
  }: { name?: string; scopes?: readonly Scope[]; expiresInDays?: number | null } = {},
): Promise<MadeKey> => {
  const body = { name, scopes, expiresInDays };
  const address = `${publicUrl}/api/api-keys`;
  const made = await callApi<{ data: { id: string }; key: string }>(address, 'POST', { token, body });
  if (made.status !== 201) throw new Error(`no key: ${made.status} ${JSON.stringify(made.body)}`);
  return { id: made.body.data.id, key: made.body.key };
};

/** A new user with the plan, and with a key that may do everything. */
export const registerWithKey = async (system: Addresses): Promise<{ user: UserSession; made: MadeKey }> => {
  const user = await register(system);
  await confirmEmail(system, user);
  const xsl = await payAtProvider(system, user);
  const paid = await callApi(`${system.publicUrl}/user-payment`, 'PUT', { token: user.token, body: { xsl } });
  if (paid.status !== 200) throw new Error(`the payment returned ${paid.status}`);
  return { user, made: await createApiKey(system, user) };
};
