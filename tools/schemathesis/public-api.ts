// The description of the public API that tests compare a running product with, from its declarations.
import { type AdminRole, may } from '@shortlist/contracts/admin-permissions';
import type { PublicEndpoint } from '@shortlist/contracts/api/operation';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { loginSchema, profileSchema, signupSchema } from '@shortlist/contracts/schemas/account';
import type Joi from 'joi';
import { bodyOf, jsonSchema, parametersOf, pathsOf, type Schema } from '../docs/openapi.ts';

/** Who sends the requests; `nobody` has no session. */
export type Sender = 'nobody' | 'user' | AdminRole;

/** Ids that exist, by the end of the path at which they do. */
export type Ids = Readonly<Record<string, string>>;

type Declared = PublicEndpoint<never, unknown>;
type Name = keyof typeof publicEndpoints;

/** What the declaration leaves to the handler: the fields of a form, and those of a log-in. */
const INPUTS: Partial<Record<Name, Joi.Schema>> = {
  signup: signupSchema,
  updateUser: profileSchema,
  login: loginSchema,
  adminLogin: loginSchema,
};

/** What they end is needed by the others, so they come last. A session may end: another log-in follows. */
const LAST = ['/users/:id', '/api/admin/team/:id/suspend', '/api/admin/team/:id', '/api/privacy/deletion'];

const isOpenTo = (sender: Sender, { to, permission }: Declared): boolean => {
  if (sender === 'nobody') return true;
  if (sender === 'user') return to !== 'admins';
  return to !== 'users' && (permission === null || permission === 'own_account' || may(sender, permission));
};

// A pattern that is not anchored says what a text must not contain, which the conversion from Joi does not know; and no other has
// characters by name.
const isForbidden = (key: string, value: unknown): boolean =>
  key === 'pattern' && typeof value === 'string' && !value.startsWith('^');

const withoutForbidden = <T>(schema: T): T =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (isForbidden(key, value) ? undefined : value)),
  ) as T;

const convert = (schema: Joi.Schema, side: 'input' | 'output'): Schema =>
  withoutForbidden(jsonSchema(schema, side));

const json = (schema: object): object => ({ 'application/json': { schema } });
const errorOf = (code: object): object =>
  json({
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: {
          code,
          message: { type: 'string', minLength: 1 },
          requestId: { type: 'string', pattern: '^[0-9a-f-]+$' },
          fields: { type: 'object', additionalProperties: { type: 'string', minLength: 1 } },
        },
        required: ['code', 'message', 'requestId'],
        additionalProperties: false,
      },
    },
    required: ['error'],
    additionalProperties: false,
  });
const REFUSALS = {
  default: { description: 'Refused', content: errorOf({ type: 'string', pattern: '^[a-z]+[.][a-z_]+$' }) },
  // No other overload is expected, least of all one without a name.
  503: {
    description: 'Overload',
    content: errorOf({ enum: ['identity.busy', 'profile.pictures_busy', 'billing.busy'] }),
  },
};

const formOf = (fields: Schema): object => ({
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: { userData: fields, file: { type: 'string', format: 'binary' } },
          required: ['userData'],
          additionalProperties: false,
        },
        encoding: { userData: { contentType: 'application/json' } },
      },
    },
  },
});

/** A valid request has an id that exists; an invalid one may have any. */
const withIds = (path: string, ids: Ids, input: Schema): Schema => {
  const properties = Object.entries(input.properties ?? {}).map(([name, schema]): [string, Schema] => {
    const end = Object.keys(ids).find((known) => known.endsWith(`:${name}`) && path.includes(known));
    return [name, end === undefined ? schema : { enum: [ids[end]] }];
  });
  return { ...input, properties: Object.fromEntries(properties) };
};

const FILES = { 'text/csv': {}, 'application/json': {} };

// Elsewhere a 401 is about what the request says.
const needsSession = (name: Name, { to, permission }: Declared): boolean =>
  to !== 'everybody' || permission !== 'own_account' || name === 'logout';

const operationOf = (name: Name, sender: Sender, ids: Ids): object => {
  const endpoint: Declared = publicEndpoints[name];
  const declared = withIds(endpoint.path, ids, convert(endpoint.schema, 'input'));
  const special = INPUTS[name];
  const fields = special === undefined ? declared : convert(special, 'input');
  const content = endpoint.replySchema === null ? FILES : json(convert(endpoint.replySchema, 'output'));
  return {
    operationId: name,
    security: sender !== 'nobody' && needsSession(name, endpoint) ? [{ session: [] }] : [],
    parameters: parametersOf(endpoint, declared),
    ...(endpoint.body === 'form' ? formOf(fields) : bodyOf(endpoint, fields)),
    responses: { [endpoint.status]: { description: 'Done', content }, ...REFUSALS },
  };
};

/** Of bytes that other programs send. The live updates are left out: that response has no end. */
const OTHERS = [
  ...[publicPaths.stripeWebhook, publicPaths.sendgridWebhook].map((path) => ({
    method: 'POST' as const,
    path,
    operation: {
      security: [],
      requestBody: { required: true, content: json({}) },
      responses: { 200: { description: 'Done' }, ...REFUSALS },
    },
  })),
  {
    method: 'GET' as const,
    path: `${publicPaths.pictures}:name`,
    operation: {
      security: [],
      parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string', minLength: 1 } }],
      responses: { 200: { description: 'Done', content: { 'image/*': {} } }, ...REFUSALS },
    },
  },
];

/** The public API as far as it is open to a sender; nobody is sent everywhere. */
export const describePublicApi = (sender: Sender, ids: Ids) => {
  const open = (Object.entries(publicEndpoints) as [Name, Declared][])
    .filter(([, endpoint]) => isOpenTo(sender, endpoint))
    .toSorted(([, a], [, b]) => LAST.indexOf(a.path) - LAST.indexOf(b.path));
  const operations = open.map(([name, endpoint]) => ({
    ...endpoint,
    operation: operationOf(name, sender, ids),
  }));
  return {
    openapi: '3.1.0',
    info: { title: `The public API for ${sender}`, version: '1' },
    paths: pathsOf([...operations, ...OTHERS]),
    components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
  };
};
