// The worst body of each endpoint: what is slow to read, or makes a long error.
import { examplePath, exampleProfile } from '@shortlist/contracts/testing/examples';
import { STRIPE_WEBHOOK_BYTES } from '@shortlist/contracts/api/billing';
import { SENDGRID_WEBHOOK_BYTES } from '@shortlist/contracts/api/email';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { ASSERTION_BYTES, REGISTRATION_BYTES } from '@shortlist/contracts/api/factors';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { FIELD_MAX_BYTES } from '../src/handlers/form.ts';
import { MATRIX } from './authorisation-matrix.ts';
import { passkeyAnswer } from './fake-identity.ts';
import { field, form, MULTIPART } from './multipart.ts';
import { openRawClient } from './raw-client.ts';
import { type Bff, startBff } from './support.ts';

const REPLY_MAX_BYTES = 4_096;
type WebhookName = 'stripeWebhook' | 'sendgridWebhook';
type Name = keyof typeof publicEndpoints | WebhookName;
const isWebhook = (name: Name): name is WebhookName => name.endsWith('Webhook') && name in publicPaths;
const FORMS = new Set<Name>(['signup', 'updateUser']);
const names: Name[] = [
  ...(Object.keys(publicEndpoints) as (keyof typeof publicEndpoints)[]).filter(
    (name) => publicEndpoints[name].method !== 'GET',
  ),
  'stripeWebhook',
  'sendgridWebhook',
];

const FORM_BYTES = 4 * 1024;
/** The endpoints that take more. */
const SIZES: Partial<Record<Name, number>> = {
  changePassword: 2 * FORM_BYTES,
  secondFactor: ASSERTION_BYTES,
  passkeyLogIn: ASSERTION_BYTES,
  reauthenticate: ASSERTION_BYTES,
  addPasskey: REGISTRATION_BYTES,
  stripeWebhook: STRIPE_WEBHOOK_BYTES,
  sendgridWebhook: SENDGRID_WEBHOOK_BYTES,
};
/** Forms have no more text than this beside their picture. */
const sizeOf = (name: Name): number => SIZES[name] ?? (FORMS.has(name) ? FIELD_MAX_BYTES : FORM_BYTES);

const account = {
  email: 'worst.body@talent.test',
  password: 'open sesame',
  ...exampleProfile({ lastName: 'Okafor' }),
};
const { email, password, ...profile } = account;
const token = 'A'.repeat(43);
const passkey = passkeyAnswer(token);
const registration = {
  ...passkey,
  response: { clientDataJSON: passkey.response.clientDataJSON, attestationObject: 'AA' },
};
/** An ordinary body of each endpoint that takes one. */
const BODIES: Partial<Record<Name, object>> = {
  signup: account,
  updateUser: profile,
  login: { email, password },
  adminLogin: { email, password },
  verifyEmail: { token },
  verifyEmailCode: { code: '123456' },
  requestEmailChange: { email },
  confirmEmailChange: { token },
  confirmEmailChangeCode: { code: '123456' },
  checkEmailUndo: { token },
  undoEmailChange: { token, password },
  forgotPassword: { email },
  checkReset: { token },
  resetPassword: { token, password },
  changePassword: { currentPassword: password, password },
  confirmPayment: { xsl: 'cs_test_1' },
  confirmPack: { xsl: 'cs_test_1' },
  chargeCredit: { reason: 'email_found' },
  reserveCredit: { reason: 'email_found' },
  setCreditMails: { enabled: false },
  revokePlan: { reason: 'asked' },
  renameOwnAdmin: { name: 'Ada Byron' },
  resolveAlert: { note: 'refunded' },
  reopenAlert: { note: 'it came back' },
  secondFactor: { ticket: token, passkey },
  secondFactorPasskey: { ticket: token },
  passkeyLogIn: { passkey, role: 'user' },
  reauthenticate: { passkey },
  confirmTotp: { code: '123456' },
  addPasskey: { passkey: registration, name: 'Phone' },
  renamePasskey: { name: 'Phone' },
  createWebhook: { url: 'https://example.com/hook', events: ['credits.low'] },
  changeWebhook: { url: 'https://example.com/hook', events: ['credits.low'], isOn: true },
  createApiKey: { name: 'Weekly report', scopes: ['credits:read'], expiresInDays: 90 },
  grantCredits: { credits: 50, lastDay: '2026-12-31', reason: 'asked' },
  findConnectionRequest: { source: 'device', request: 'BCDF-GHJK' },
  approveConnection: { source: 'device', request: 'BCDF-GHJK' },
  denyConnection: { source: 'device', request: 'BCDF-GHJK' },
  removeUserFactors: { reason: 'lost phone' },
  endUserKey: { reason: 'leaked' },
  endUserConnection: { reason: 'leaked' },
  endOtherSessions: { withAccess: true },
  endAllSessions: { withAccess: true },
  endUserSessions: { withAccess: true },
  startViewing: { reason: 'asked' },
  requestDeletion: { email, subscription: 'keep', reason: 'no need' },
  inviteAdmin: { email, role: 'support' },
  changeAdminRole: { role: 'support' },
  suspendAdmin: { reason: 'left' },
  removeAdminFactors: { reason: 'lost phone' },
  checkInvitation: { token },
  acceptInvitation: { token, password, name: 'Ada Byron' },
  // An invoice of ten lines with metadata.
  stripeWebhook: { id: 'evt_1', type: 'invoice.paid', data: 'x'.repeat(90_000) },
  // Some hundred events.
  sendgridWebhook: { events: 'x'.repeat(350_000) },
};

/** As many pieces as fit, between a start and an end. */
const fill = (bytes: number, [start, end]: [string, string], piece: (index: number) => string): string => {
  const pieces: string[] = [];
  let left = bytes - start.length - end.length;
  for (let index = 0; ; index += 1) {
    const text = piece(index);
    left -= Buffer.byteLength(text);
    if (left < 0) return start + pieces.join('') + end;
    pieces.push(text);
  }
};
const long = (bytes: number, text: string): string => fill(bytes, ['', ''], () => text);
const nested = (bytes: number): string => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`;
const keys = (bytes: number): string => fill(bytes, ['{"a":1', '}'], (index) => `,"k${index}":1`);

/** JSON of `bytes` bytes; `body` is an ordinary body of the endpoint. */
const WORST: Record<string, (bytes: number, body: Record<string, unknown>) => string> = {
  'unknown keys': (bytes) => keys(bytes),
  'long names': (bytes) => fill(bytes, ['{"a":1', '}'], (index) => `,"${index}${'\\u0001'.repeat(80)}":1`),
  'prototype keys': (bytes) =>
    fill(bytes, ['{"a":1', '}'], () => ',"__proto__":{"a":1},"constructor":{},"toString":1'),
  'duplicated keys': (bytes) => fill(bytes, ['{"email":1', '}'], () => ',"email":1'),
  'deep nesting': (bytes) => `{"email":${nested(bytes - 12)}}`,
  'a long list': (bytes) => fill(bytes, ['[1', ']'], () => ',1'),
  'keys in each field': (bytes, body) => fields(bytes, body, keys),
  'a long text in each field': (bytes, body) => fields(bytes, body, (each) => `"${long(each - 2, 'a@')}"`),
  // Its compatibility form has eighteen characters.
  'a text that grows in each field': (bytes, body) =>
    fields(bytes, body, (each) => `"${long(each - 2, '\ufdfa')}"`),
  'no JSON': (bytes) => keys(bytes - 1).slice(0, -1),
};
const fields = (bytes: number, body: Record<string, unknown>, valueOf: (each: number) => string): string => {
  const fieldNames = Object.keys(body).length === 0 ? ['a'] : Object.keys(body);
  const each = Math.floor(bytes / fieldNames.length) - 40;
  return `{${fieldNames.map((name) => `"${name}":${valueOf(each)}`).join(',')}}`;
};

let bff: Bff;
let client: Awaited<ReturnType<typeof openRawClient>>;
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'), { TRUSTED_PROXIES: '127.0.0.1' });
  client = await openRawClient(bff.port);
});
afterAll(async () => {
  client.close();
  await bff.close();
});

/** The session of a caller of the endpoint, or no header. */
const authorizationOf = async (name: Name, userId: string): Promise<string[]> => {
  if (isWebhook(name) || MATRIX[name].anonymous === 'allowed') return [];
  const { token } = await bff.sessions.begin(userId, MATRIX[name].user === 'allowed' ? 'user' : 'admin');
  return [`Authorization: Bearer ${token}`];
};
const targetOf = (name: Name, userId: string): string => {
  if (isWebhook(name)) return publicPaths[name];
  return examplePath(publicEndpoints[name], userId);
};

let sent = 0;
/** A request of another user and network each time, so that none reaches a limit. */
const requestOf = async (name: Name, body: string): Promise<Buffer> => {
  const userId = uuidv7();
  const bytes = FORMS.has(name) ? form(field('userData', body)) : Buffer.from(body);
  const method = isWebhook(name) ? 'POST' : publicEndpoints[name].method;
  sent += 1;
  const lines = [
    `${method} ${targetOf(name, userId)} HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: 10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`,
    `Content-Type: ${FORMS.has(name) ? MULTIPART : 'application/json'}`,
    `Content-Length: ${bytes.length}`,
    ...(await authorizationOf(name, userId)),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
};

/** A client that still writes when its body is refused gets no response: what is announced beyond this is not in the sockets yet. */
const WRITTEN_AT_ONCE = 512 * 1024;

/** Another size than that of the endpoint is refused before it is read; a form is read up to the field that is too long. */
const bodiesOf = (name: Name, ordinary: object): [kind: string, body: string][] => [
  ...Object.entries(WORST).map(([kind, write]): [string, string] => {
    const body = write(sizeOf(name), ordinary as Record<string, unknown>);
    expect(Buffer.byteLength(body), kind).toBeLessThanOrEqual(sizeOf(name));
    return [kind, body];
  }),
  ...(sizeOf(name) > WRITTEN_AT_ONCE
    ? []
    : [['a body of twice the size', keys(2 * sizeOf(name))] as [string, string]]),
];

const declaresBody = (name: keyof typeof publicEndpoints): boolean => {
  const { body, schema } = publicEndpoints[name];
  const { keys = {} } = schema.describe() as { keys?: object };
  return body === 'json' && Object.keys(keys).length > 0;
};

describe('the ordinary body', () => {
  // The rules of the others are those of the service that gets the body, or of the handler that reads the form.
  const declared = names.filter((name) => !isWebhook(name)).filter(declaresBody);
  it.each(declared)('of %s has what it declares', (name) => {
    const { path, schema } = publicEndpoints[name];
    const { error } = schema.validate(BODIES[name] ?? {}, { abortEarly: false });
    const wrong = error?.details.filter(({ path: [field] }) => !path.includes(`:${field}`)) ?? [];
    expect(wrong.map(({ message }) => message)).toEqual([]);
  });
});

describe('the worst body', () => {
  it.each(names)(
    'B13 of %s is refused or read within its size, with a response of less than 4 KB',
    async (name) => {
      for (const [kind, body] of bodiesOf(name, BODIES[name] ?? {})) {
        const { status, body: reply } = await client.send(await requestOf(name, body));
        expect(status, kind).toBeLessThan(500);
        expect(reply.length, `${kind}: ${reply.slice(0, 200)}`).toBeLessThan(REPLY_MAX_BYTES);
      }
    },
  );

  it.each(names.filter((name) => !FORMS.has(name)))('B13 of %s has a size that is declared', async (name) => {
    const bytes = sizeOf(name);
    const fits = await client.send(await requestOf(name, ' '.repeat(bytes)));
    const request = await requestOf(name, ' '.repeat(bytes + 1));
    const tooLarge = await client.send(request.subarray(0, WRITTEN_AT_ONCE));
    expect([fits.status === 413, tooLarge.status]).toEqual([false, 413]);
  });
});
