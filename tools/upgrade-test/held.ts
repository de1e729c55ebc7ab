// What users hold while releases change under them: sessions, keys, tokens, links, files and messages, each written by one release and used with the next.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { minutes } from '@shortlist/contracts/durations';
import type { WebhookDelivery } from '@shortlist/contracts/api/webhooks';
import type { Installation } from '@shortlist/local/system';
import { registerWithKey } from '../../harness/api-keys.ts';
import {
  callApi,
  logIn,
  logInAdmin,
  mailedLink,
  newUser,
  register,
  signUp,
  tokenIn,
} from '../../harness/client.ts';
import { connectTool, postForm, registerTool } from '../../harness/tools.ts';
import { openReceiver } from '../../harness/webhook-receiver.ts';

/** How long a job may take that a use waits for. */
const LIMIT_MS = minutes(1);

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

/** Repeats a request until its status is the expected one, or the time is over. Returns the last status. */
const untilStatus = async (expected: number, request: Use): Promise<number> => {
  const endsAt = Date.now() + LIMIT_MS;
  for (;;) {
    const status = await request();
    if (status === expected || Date.now() > endsAt) return status;
    await sleep(500);
  }
};

/** A file of a user's data that is made while releases change; each use downloads it and requests another user's. */
const holdExport = async (system: Installation): Promise<Use> => {
  const path = `${system.publicUrl}/api/privacy/export`;
  const request = async () => {
    const user = await register(system);
    await callApi(path, 'POST', user);
    return user;
  };
  let held = await request();
  return async () => {
    const { token } = held;
    const download = (): Promise<Response> =>
      fetch(`${path}/file`, { headers: { authorization: `Bearer ${token}` } });
    const status = await untilStatus(200, async () => (await download()).status);
    held = await request();
    return status;
  };
};

/** A message to a user's system that failed; each use sends it again, and leaves another one that fails. */
const holdDelivery = async (system: Installation): Promise<{ use: Use; close: () => void }> => {
  const receiver = await openReceiver();
  const { token } = await register(system);
  const webhooks = `${system.publicUrl}/api/webhooks`;
  const body = { url: receiver.url, events: ['credits.low'] };
  const created = await callApi<{ data: { id: string } }>(webhooks, 'POST', { token, body });
  const webhook = `${webhooks}/${created.body.data.id}`;
  type Listed = Pick<WebhookDelivery, 'id' | 'state' | 'tries'>;
  const list = async (): Promise<Listed[]> =>
    (await callApi<{ data: Listed[] }>(`${webhook}/deliveries`, 'GET', { token })).body.data;
  const leaveOne = async (): Promise<string> => {
    const before = (await list()).length;
    receiver.respond(503);
    await callApi(`${webhook}/test`, 'POST', { token });
    const hasFailed = async (): Promise<number> => {
      const [newest, ...others] = await list();
      return others.length === before && (newest?.tries.length ?? 0) > 0 ? 200 : 404;
    };
    await untilStatus(200, hasFailed);
    return (await list())[0]?.id ?? '';
  };
  let held = await leaveOne();
  const use = async (): Promise<number> => {
    receiver.respond(204);
    await callApi(`${webhook}/deliveries/${held}/redeliver`, 'POST', { token });
    const isDelivered = async (): Promise<boolean> =>
      (await list()).some(({ id, state }) => id === held && state === 'delivered');
    const status = await untilStatus(200, async () => ((await isDelivered()) ? 200 : 503));
    held = await leaveOne();
    return status;
  };
  return { use, close: receiver.close };
};

/** Returns a function that uses each thing once more, and lists what was refused. */
export const holdAccess = async (
  system: Installation,
): Promise<{ check: () => Promise<string[]>; close: () => void }> => {
  const { publicUrl } = system;
  const { user, made } = await registerWithKey(system);
  const admin = await logInAdmin(system);
  const charge = (): Promise<{ status: number }> =>
    callApi(`${publicUrl}/api/v1/charges`, 'POST', {
      token: made.key,
      headers: { 'idempotency-key': randomUUID() },
      body: { reason: 'email_found', reference: randomUUID() },
    });
  const delivery = await holdDelivery(system);
  const uses: Record<string, Use> = {
    session: async () =>
      (await callApi(`${publicUrl}/authentication_check`, 'GET', { token: user.token })).status,
    'session of an admin': async () =>
      (await callApi(`${publicUrl}/api/check_authentication`, 'GET', { token: admin })).status,
    'API key': async () => (await charge()).status,
    'mailed link': await holdLinks(system),
    'file of a user’s data': await holdExport(system),
    'message to a webhook': delivery.use,
    ...(await holdTokens(system, user.token)),
  };
  const check = async (): Promise<string[]> => {
    const refused: string[] = [];
    for (const [name, use] of Object.entries(uses)) {
      const status = await use();
      if (status >= 300) refused.push(`${name} refused with ${status}`);
    }
    return refused;
  };
  return { check, close: delivery.close };
};
