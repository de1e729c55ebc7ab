// Calls every endpoint of a running product with success, once. What it sends are the samples from which requests are generated.
import { sign } from 'node:crypto';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { SENDGRID_SIGNATURE_HEADER, SENDGRID_TIMESTAMP_HEADER } from '@shortlist/contracts/api/suppressions';
import type { System } from '@shortlist/local/system';
import { until } from '@shortlist/kit/testing/until';
import { createAuthenticator } from '../../services/identity/test/authenticator.ts';
import { type ApiRequest, callApi, logIn, logInAdmin, newUser, signUp } from '../../harness/client.ts';
import { collectResponses } from '../../harness/collect-responses.ts';
import { pictureFile } from '../../harness/picture.ts';
import { addAdmin } from '../../harness/team.ts';
import { totpCode } from '../../harness/totp.ts';
import { signedEvent } from '../bench/webhook.ts';

type Fields = Record<string, unknown>;
/** The fields of a request that succeeded. */
export type Sample = { query: Fields; body: Fields; isForm: boolean };
export type Samples = ReadonlyMap<string, Sample>;

const bodyOf = (body: unknown): Fields => {
  const form = body instanceof FormData ? body.get('userData') : null;
  if (typeof form === 'string') return JSON.parse(form) as Fields;
  return typeof body === 'object' && body !== null ? (body as Fields) : {};
};

const sampleOf = ([, path, { body } = {}]: ApiRequest): Sample => ({
  query: Object.fromEntries(new URL(path, 'http://bff').searchParams),
  body: bodyOf(body),
  isForm: body instanceof FormData,
});

type Reply = Record<string, unknown> & { data: Fields };
/** Calls an endpoint by its name, and records what it was sent. Throws for any status but a 2xx. */
type Visit = (name: string, ...request: ApiRequest) => Promise<Reply>;

const turnOnTotp = async (visit: Visit, token: string): Promise<void> => {
  const { data } = await visit('startTotp', 'POST', '/api/factors/totp', { token });
  const body = { code: totpCode(String(data['secret'])) };
  await visit('confirmTotp', 'POST', '/api/factors/totp/confirm', { token, body });
};

type Owner = {
  id: string;
  email: string;
  password: string;
  device: ReturnType<typeof createAuthenticator>;
  origin: string;
};

/** A log-in by the passkey alone, and one by the password with the passkey as its second step. */
const visitPasskeyLogIns = async (visit: Visit, token: string, owner: Owner): Promise<void> => {
  const { id, email, password, device, origin } = owner;
  const prompt = await visit('passkeyLogInOptions', 'POST', '/api/login/passkey/options', { body: {} });
  const challenge = String(prompt.data['challenge']);
  const passkey = device.assert({ challenge, origin, userHandle: id });
  await visit('passkeyLogIn', 'POST', '/api/login/passkey', { body: { passkey, role: 'user' } });
  await turnOnTotp(visit, token);
  const { data: step } = await visit('login', 'POST', '/login', { body: { email, password } });
  const { ticket } = step;
  await visit('secondFactorPasskey', 'POST', '/api/login/second-factor/passkey', { body: { ticket } });
};

const visitPasskeys = async (system: System, visit: Visit): Promise<void> => {
  const user = newUser();
  await signUp(system, user);
  const { id, token } = await logIn(system, user);
  const { origin } = new URL(system.publicUrl);
  const device = createAuthenticator();
  const post = (name: string, path: string, body: object = {}) => visit(name, 'POST', path, { token, body });
  const { data: options } = await post('passkeyOptions', '/api/factors/passkeys/options');
  const passkey = device.register({ challenge: String(options['challenge']), origin });
  const { data: added } = await post('addPasskey', '/api/factors/passkeys', { passkey, name: 'Laptop' });
  const path = `/api/factors/passkeys/${String(added['id'])}`;
  await visit('renamePasskey', 'PUT', path, { token, body: { name: 'Phone' } });
  await visitPasskeyLogIns(visit, token, { ...user, id, device, origin });
  await visit('removePasskey', 'DELETE', path, { token });
};

const visitFiles = async (system: System, visit: Visit): Promise<void> => {
  const user = newUser();
  const form = new FormData();
  form.set('userData', JSON.stringify(user));
  const { buffer, mimeType } = pictureFile();
  form.set('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), 'face.png');
  const { data } = await visit('signup', 'POST', '/signup', { body: form });
  await visit('pictures', 'GET', `${publicPaths.pictures}${String(data['picture'])}`);
  const { token } = await logIn(system, user);
  await visit('requestDataExport', 'POST', '/api/privacy/export', { token });
  await until('the export', async () => {
    const { body } = await callApi(`${system.publicUrl}/api/privacy/export`, 'GET', { token });
    return JSON.stringify(body).includes('"ready"');
  });
  await visit('downloadData', 'GET', '/api/privacy/export/file', { token });
  await visit('exportHistory', 'GET', '/api/credits/history.csv?reason=expired&client=browser', { token });
};

const visitAsAdmin = async (system: System, visit: Visit): Promise<void> => {
  const token = await logInAdmin(system);
  await visit('exportUsers', 'GET', '/api/users.csv?plan=free&timeZone=Europe/Lisbon', { token });
  await visit('exportAudit', 'GET', '/api/admin/audit.csv?by=system&action=account.delete', { token });
  await visit('listUsers', 'GET', '/users?search=ama&plan=free&sort=-createdAt&limit=5', { token });
  const added = await addAdmin(system, 'support');
  const { credentials } = await visit('adminLogin', 'POST', '/super-admin-authentication', { body: added });
  await turnOnTotp(visit, String((credentials as Fields)['token']));
  const { data } = await visit('team', 'GET', '/api/admin/team', { token });
  const member = (data['members'] as Fields[]).find((admin) => admin['email'] === added.email);
  const path = `/api/admin/team/${String(member?.['id'])}/factors/remove`;
  await visit('removeAdminFactors', 'POST', path, { token, body: { reason: 'Lost the phone' } });
};

/** A batch of mail events as SendGrid delivers it. */
const signedBatch = (key: string, events: object[]) => {
  const body = JSON.stringify(events);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const privateKey = { key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' } as const;
  const headers = {
    'content-type': 'application/json',
    [SENDGRID_SIGNATURE_HEADER]: sign('sha256', Buffer.from(timestamp + body), privateKey).toString('base64'),
    [SENDGRID_TIMESTAMP_HEADER]: timestamp,
  };
  return { body, headers };
};

/** The endpoints that are no call of an API client. */
const visitOthers = async (system: System): Promise<void> => {
  const { publicUrl, secrets } = system;
  const end = new AbortController();
  const headers = { authorization: `Bearer ${await logInAdmin(system)}` };
  const live = await fetch(`${publicUrl}${publicPaths.live}`, { headers, signal: end.signal });
  end.abort();
  const event = signedEvent(secrets.STRIPE_WEBHOOK_SECRET, { type: 'ping', object: {} });
  const webhook = await fetch(`${publicUrl}${publicPaths.stripeWebhook}`, { method: 'POST', ...event });
  const batch = signedBatch(secrets.SENDGRID_WEBHOOK_PRIVATE_KEY, []);
  const events = await fetch(`${publicUrl}${publicPaths.sendgridWebhook}`, { method: 'POST', ...batch });
  const statuses = [live.status, webhook.status, events.status];
  if (statuses.some((status) => status !== 200))
    throw new Error(`the live updates and the webhooks returned ${statuses.join(', ')}`);
};

/** A sample of every endpoint. Throws when one did not respond with a 2xx. */
export const visitEndpoints = async (system: System): Promise<Samples> => {
  const samples = new Map<string, Sample>();
  for (const { endpoint, request } of await collectResponses(system))
    samples.set(endpoint, sampleOf(request));
  samples.delete('refusal');
  const visit: Visit = async (name, ...request) => {
    const [method, path, more] = request;
    const { status, body } = await callApi<Reply>(`${system.publicUrl}${path}`, method, more);
    if (status >= 300) throw new Error(`${name} returned ${status} ${JSON.stringify(body)}`);
    samples.set(name, sampleOf(request));
    return body;
  };
  await visitPasskeys(system, visit);
  await visitFiles(system, visit);
  await visitAsAdmin(system, visit);
  await visitOthers(system);
  const none: Sample = { query: {}, body: {}, isForm: false };
  samples.set('live', none).set('stripeWebhook', none).set('sendgridWebhook', none);
  const names = [...Object.keys(publicEndpoints), ...Object.keys(publicPaths)];
  const missing = names.filter((name) => !samples.has(name));
  if (missing.length > 0) throw new Error(`no request to these endpoints succeeded: ${missing.join(', ')}`);
  return samples;
};
