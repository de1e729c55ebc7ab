import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope } from '@shortlist/contracts/api/connected-apps';
import type { Endpoint } from '@shortlist/contracts/api/endpoint';
import { type ClientEndpoint, v1Endpoints } from '@shortlist/contracts/api/v1';
import { errorList, refusalsOf } from './api-errors.ts';
import { codeSamples } from './code-samples.ts';
import type Joi from 'joi';

type Name = keyof typeof v1Endpoints;
export type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[] };
type Route = Pick<Endpoint<never, unknown>, 'method' | 'path'>;

/** What a reply is called in the description, and in the types that are generated from it. */
const REPLIES: Record<Name, string> = {
  me: 'Me',
  entitlements: 'Entitlements',
  charge: 'Charge',
  listCharges: 'ChargeHistory',
  reserve: 'Reservation',
  commit: 'Charge',
  release: 'Balance',
  usage: 'Usage',
};

/** Classes of characters that not every validator knows. No text in JSON has half of a surrogate pair. */
const CHARACTER_CLASSES = [
  ['\\p{Cc}\\p{Cs}', '\\x00-\\x1f\\x7f-\\x9f'],
  ['\\s', ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'],
] as const;
const DAY = /^\^2\\d\{3\}-/;

/** The same rule as any validator understands it. */
const portable = (schema: Schema): Schema => {
  const { pattern } = schema;
  if (typeof pattern !== 'string') return schema;
  const plain = CHARACTER_CLASSES.reduce((text, [from, to]) => text.replaceAll(from, to), pattern);
  return { ...schema, pattern: plain, ...(DAY.test(pattern) ? { format: 'date' } : {}) };
};

export const jsonSchema = (schema: Joi.Schema, side: 'input' | 'output'): Schema => {
  const { jsonSchema: convert } = schema['~standard'] as unknown as {
    jsonSchema: Record<'input' | 'output', (options: { target: string }) => Schema>;
  };
  const converted = convert[side]({ target: 'draft-2020-12' });
  const members = Object.entries(converted.properties ?? {}).map(([name, rule]) => [name, portable(rule)]);
  return { ...converted, properties: Object.fromEntries(members) as Record<string, Schema> };
};

export const parametersOf = ({ path, method }: Route, input: Schema) => {
  const inPath = [...path.matchAll(/:([a-zA-Z]+)/g)].map(([, name = '']) => name);
  const names = method === 'GET' ? Object.keys(input.properties ?? {}) : inPath;
  return names.map((name) => ({
    name,
    in: inPath.includes(name) ? 'path' : 'query',
    required: inPath.includes(name) || (input.required ?? []).includes(name),
    schema: input.properties?.[name] ?? {},
  }));
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'Chosen by the client, one for each operation of the user. Use a UUID, because all apps of a user share the keys. A repeated request returns the first response and charges nothing, whichever app sends it; with different content it is refused. Keys never expire.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,100}$' },
};
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the response that the client has.',
  schema: { type: 'string' },
};

const headersOf = (name: Name, { isRepeatable }: ClientEndpoint<never, unknown>) => [
  ...(isRepeatable ? [IDEMPOTENCY_KEY] : []),
  ...(name === 'entitlements' ? [IF_NONE_MATCH] : []),
];

export const bodyOf = ({ method, path }: Route, input: Schema): object => {
  if (method === 'GET') return {};
  const properties = Object.fromEntries(
    Object.entries(input.properties ?? {}).filter(([field]) => !path.includes(`:${field}`)),
  );
  if (Object.keys(properties).length === 0) return {};
  const required = (input.required ?? []).filter((field) => field in properties);
  const schema = { ...input, properties, ...(required.length > 0 ? { required } : {}) };
  if (required.length === 0) delete (schema as Schema).required;
  return { requestBody: { required: required.length > 0, content: { 'application/json': { schema } } } };
};

const LIMIT_HEADERS = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
};

const successOf = (name: Name, endpoint: ClientEndpoint<never, unknown>): Record<string, object> => {
  const schema = { $ref: `#/components/schemas/${REPLIES[name]}` };
  const tag = { ETag: { schema: { type: 'string' }, description: 'Changes with the response.' } };
  const headers = { ...LIMIT_HEADERS, ...(name === 'entitlements' ? tag : {}) };
  return {
    [endpoint.status]: { description: 'Done', headers, content: { 'application/json': { schema } } },
    ...(name === 'entitlements'
      ? { 304: { description: 'Unchanged since the response with this ETag' } }
      : {}),
  };
};

/** The paths of a description, each with its operations by method. */
export const pathsOf = (operations: readonly (Route & { operation: object })[]) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, operation } of operations)
    (paths[path.replace(/:([a-zA-Z]+)/g, '{$1}')] ??= {})[method.toLowerCase()] = operation;
  return paths;
};

const operationOf = (name: Name): object => {
  const endpoint: ClientEndpoint<never, unknown> = v1Endpoints[name];
  const input = jsonSchema(endpoint.schema, 'input');
  return {
    operationId: name,
    summary: endpoint.summary,
    description: `${endpoint.description}\n\nScope: \`${endpoint.scope}\``,
    tags: [endpoint.path.split('/')[3]],
    security: [{ apiKey: [] }, { oauth: [endpoint.scope] }],
    parameters: [...parametersOf(endpoint, input), ...headersOf(name, endpoint)],
    ...bodyOf(endpoint, input),
    responses: { ...successOf(name, endpoint), ...refusalsOf(name) },
    'x-codeSamples': codeSamples(name),
  };
};

const PROBLEM: Schema = {
  type: 'object',
  description: 'An error. Source: RFC 9457.',
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'Where this reference explains the code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'Never changes its meaning.' },
    requestId: { type: 'string', description: 'Give it to support.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { field: { type: 'string' }, detail: { type: 'string' } },
        required: ['field', 'detail'],
      },
    },
  },
  required: ['type', 'title', 'status', 'code', 'requestId'],
};

const GUIDE = readFileSync(join(import.meta.dirname, 'api-guide.md'), 'utf8').replace(
  '<!-- error codes -->',
  errorList(),
);

const names = Object.keys(v1Endpoints) as Name[];

const repliesOf = (): Record<string, Schema> =>
  Object.fromEntries(
    names.map((name) => [REPLIES[name], jsonSchema(v1Endpoints[name].replySchema as Joi.Schema, 'output')]),
  );

const SCOPE_TEXTS: Record<Scope, string> = {
  'credits:read': 'Read the plan, its credits, and their usage.',
  'credits:charge': 'Use credits.',
  'profile:read': 'Read the user’s name and email.',
};

const TAGS = {
  me: 'The user and the key.',
  entitlements: 'What the plan includes.',
  charges: 'Charge credits at once, and list charges.',
  reservations: 'Credits for work that may fail.',
  usage: 'What each app has used.',
};

const description = {
  openapi: '3.1.0',
  info: {
    title: 'Shortlist API',
    version: '1.0.0',
    description: GUIDE,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'This installation' }],
  security: [{ apiKey: [] }],
  tags: Object.entries(TAGS).map(([name, text]) => ({ name, description: text })),
  paths: pathsOf(names.map((name) => ({ ...v1Endpoints[name], operation: operationOf(name) }))),
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, which a user creates on the Connections page.',
      },
      oauth: {
        type: 'oauth2',
        description:
          'For an app with many users: the authorization code grant with PKCE, or the device grant at `/oauth/device`.',
        flows: {
          authorizationCode: {
            authorizationUrl: '/oauth/authorize',
            tokenUrl: '/oauth/token',
            refreshUrl: '/oauth/token',
            scopes: SCOPE_TEXTS,
          },
        },
      },
    },
    headers: {
      RateLimit: {
        description: 'The requests left, and the seconds until the limit resets.',
        schema: { type: 'string' },
      },
      RetryAfter: { description: 'The minimum number of seconds to wait.', schema: { type: 'string' } },
      RateLimitPolicy: { description: 'Requests in 60 seconds.', schema: { type: 'string' } },
    },
    schemas: { ...repliesOf(), Problem: PROBLEM },
  },
};

/** The OpenAPI description of the API for tools, from its declarations; bff serves it. */
export const apiDescription = `${JSON.stringify(description, null, 2)}\n`;
