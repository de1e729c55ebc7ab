// What users hold while releases change under them: sessions, keys, tokens and links, each written by one release and used with the next.
import { randomUUID } from 'node:crypto';
import type { Installation } from '@shortlist/local/system';
import { registerWithKey } from '../../harness/api-keys.ts';
import { callApi, logIn, logInAdmin, mailedLink, newUser, signUp, tokenIn } from '../../harness/client.ts';
import { connectTool, postForm, registerTool } from '../../harness/tools.ts';

/** Uses one thing. Returns the status of the response. */
type Use = () => Promise<number>;

const NEW_PASSWORD = 'another long enough one';

/** A link of a mail that waits to be used; each use asks for the link of the next. */
const holdLinks = async (system: Installation): Promise<Use> => {
  const request = async (): Promise<{ link: string; user: ReturnType<typeof newUser> }> => {
    const user = newUser();
    await signUp(system, user);
    await callApi(`${system.publicUrl}/api/password/forgot`, 'POST', { body: { email: user.email } });
    return { user, link: await mailedLink(system, user.email, 'Set a new password') };
  };
  let held = await request();
  return async () => {
    const { user, link } = held;
    const body = { token: tokenIn(link), password: NEW_PASSWORD };
    const { status } = await callApi(`${system.publicUrl}/api/password/reset`, 'POST', { body });
    if (status === 200) await logIn(system, { ...user, password: NEW_PASSWORD });
    held = await request();
    return status;
  };
};

/** The tokens of a connected app, of which the refresh token changes with each use. */
const holdTokens = async (system: Installation, token: string): Promise<Record<string, Use>> => {
  const clientId = await registerTool(system);
  let tokens = await connectTool(system, { token }, { clientId });
  const me = `${system.publicUrl}/api/v1/me`;
  return {
    'access token': async () => (await callApi(me, 'GET', { token: tokens.access })).status,
    'refresh token': async () => {
      const grant = { client_id: clientId, grant_type: 'refresh_token', refresh_token: tokens.refresh };
      const { status, body } = await postForm(system, '/oauth/token', grant);
      tokens = { access: body['access_token'] ?? '', refresh: body['refresh_token'] ?? '' };
      return status;
    },
  };
};

/** Returns a function that uses each thing once more, and lists what was refused. */
export const holdAccess = async (system: Installation): Promise<() => Promise<string[]>> => {
  const { publicUrl } = system;
  const { user, made } = await registerWithKey(system);
  const admin = await logInAdmin(system);
  const charge = (): Promise<{ status: number }> =>
    callApi(`${publicUrl}/api/v1/charges`, 'POST', {
      token: made.key,
      headers: { 'idempotency-key': randomUUID() },
      body: { reason: 'email_found', reference: randomUUID() },
    });
  const uses: Record<string, Use> = {
    session: async () =>
      (await callApi(`${publicUrl}/authentication_check`, 'GET', { token: user.token })).status,
    'session of an admin': async () =>
      (await callApi(`${publicUrl}/api/check_authentication`, 'GET', { token: admin })).status,
    'API key': async () => (await charge()).status,
    'mailed link': await holdLinks(system),
    ...(await holdTokens(system, user.token)),
  };
  return async () => {
    const refused: string[] = [];
    for (const [name, use] of Object.entries(uses)) {
      const status = await use();
      if (status >= 300) refused.push(`${name} refused with ${status}`);
    }
    return refused;
  };
};
