// The worst body of each endpoint: what is slow to read, or makes a long error.
import { STRIPE_WEBHOOK_BYTES } from '@shortlist/contracts/api/billing';
import { SENDGRID_WEBHOOK_BYTES } from '@shortlist/contracts/api/email';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { ASSERTION_BYTES, REGISTRATION_BYTES } from '@shortlist/contracts/api/factors';
import { uuidv7 } from 'uuidv7';
import { afterAll, describe, expect, it } from 'vitest';
import { FIELD_MAX_BYTES } from '../src/handlers/form.ts';
import { MATRIX, roleFor } from './authorisation-matrix.ts';
import { EXAMPLE_BODIES } from './example-bodies.ts';
import { field, form } from './multipart.ts';
import { openRawClient } from './raw-client.ts';
import { type EndpointName, endpointNames, requestOf } from './requests.ts';
import { useBff } from './support.ts';

const REPLY_MAX_BYTES = 4_096;
type WebhookName = 'stripeWebhook' | 'sendgridWebhook';
type Name = EndpointName | WebhookName;
const isWebhook = (name: Name): name is WebhookName => name.endsWith('Webhook') && name in publicPaths;
const FORMS = new Set<Name>(['signup', 'updateUser']);
const names: Name[] = [
  ...endpointNames.filter((name) => publicEndpoints[name].method !== 'GET'),
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

const bff = await useBff({ TRUSTED_PROXIES: '127.0.0.1' });
const client = await openRawClient(bff.port);
afterAll(client.close);

let sent = 0;
/** A request of another user and network each time, so that none reaches a limit. */
const bytesOf = async (name: Name, body: string): Promise<Buffer> => {
  sent += 1;
  const id = uuidv7();
  const needsSession = !isWebhook(name) && MATRIX[name].anonymous !== 'allowed';
  const { target, method, headers, ...request } = requestOf(
    isWebhook(name) ? `POST ${publicPaths[name]}` : name,
    {
      id,
      ...(needsSession && { token: await bff.begin(roleFor(name), id) }),
      body: FORMS.has(name) ? form(field('userData', body)) : body,
      headers: {
        host: 'localhost',
        'x-forwarded-for': `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`,
      },
    },
  );
  const content = Buffer.from(request.body ?? '');
  const lines = Object.entries({ ...headers, 'content-length': content.length }).map((pair) =>
    pair.join(': '),
  );
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
    content,
  ]);
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

const declaresBody = (name: EndpointName): boolean => {
  const { body, schema } = publicEndpoints[name];
  const { keys = {} } = schema.describe() as { keys?: object };
  return body === 'json' && Object.keys(keys).length > 0;
};

describe('the ordinary body', () => {
  // The rules of the others are those of the service that gets the body, or of the handler that reads the form.
  const declared = names.filter((name) => !isWebhook(name)).filter(declaresBody);
  it.each(declared)('of %s has what it declares', (name) => {
    const { path, schema } = publicEndpoints[name];
    const { error } = schema.validate(EXAMPLE_BODIES[name] ?? {}, { abortEarly: false });
    const wrong = error?.details.filter(({ path: [field] }) => !path.includes(`:${field}`)) ?? [];
    expect(wrong.map(({ message }) => message)).toEqual([]);
  });
});

describe('the worst body', () => {
  it.each(names)(
    'B13 of %s is refused or read within its size, with a response of less than 4 KB',
    async (name) => {
      for (const [kind, body] of bodiesOf(name, EXAMPLE_BODIES[name] ?? {})) {
        const { status, body: reply } = await client.send(await bytesOf(name, body));
        expect(status, kind).toBeLessThan(500);
        expect(reply.length, `${kind}: ${reply.slice(0, 200)}`).toBeLessThan(REPLY_MAX_BYTES);
      }
    },
  );

  it.each(names.filter((name) => !FORMS.has(name)))('B13 of %s has a size that is declared', async (name) => {
    const bytes = sizeOf(name);
    const fits = await client.send(await bytesOf(name, ' '.repeat(bytes)));
    const request = await bytesOf(name, ' '.repeat(bytes + 1));
    const tooLarge = await client.send(request.subarray(0, WRITTEN_AT_ONCE));
    expect([fits.status === 413, tooLarge.status]).toEqual([false, 413]);
  });
});
