import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '@shortlist/contracts/api/endpoint';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { ERRORS, type ErrorCode, type FieldMessages } from '@shortlist/contracts/errors';
import { vi } from 'vitest';
import {
  creditsView,
  premiumSubscription,
  PRICE,
  accountStatusOf,
  profileOf,
  subscriptionView,
  userView,
  planBucket,
  ownEmail,
  systemStatus,
} from './fixtures.ts';

type Endpoints = typeof publicEndpoints;
type EndpointName = keyof Endpoints;
type ResponseOf<Name extends EndpointName> =
  Endpoints[Name] extends Endpoint<infer _Input, infer Result> ? Result : never;

export type FakeRequest = {
  params: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
  /** The account data of a multipart form. */
  userData: Record<string, unknown>;
  file: FormDataEntryValue | null;
  headers: Headers;
  token: string | null;
};

type Handlers = {
  [Name in EndpointName]?: (request: FakeRequest) => ResponseOf<Name> | Promise<ResponseOf<Name>>;
};

class ApiFailure extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldMessages | undefined;

  constructor(code: ErrorCode, fields?: FieldMessages) {
    super(code);
    this.code = code;
    this.fields = fields;
  }
}

/** Thrown by a handler: the endpoint responds with this error of the contracts. */
export const apiFailure = (code: ErrorCode, fields?: FieldMessages): ApiFailure =>
  new ApiFailure(code, fields);
/** Thrown by a handler: the server is unreachable. */
export const unreachable = (): TypeError => new TypeError('Failed to fetch');

export const LINKS = {
  automationBot: 'https://bot.test/',
  crm: 'https://crm.test/',
  about: 'https://about.test/',
  support: 'https://support.test/',
  privacy: 'https://privacy.test/',
  terms: 'https://terms.test/',
  provider: 'https://provider.test/',
};

const NO_FACTORS = { totpSince: null, recoveryCodes: { left: 0, total: 10 }, passkeys: [] };

const defaults: Handlers = {
  webhooks: () => ({ data: [] }),
  config: () => ({ brand: 'Shortlist', consent: null, price: PRICE, passwordMin: 6, links: LINKS }),
  checkUser: ({ token }) => {
    if (token === null) throw apiFailure('session.missing');
    return { remainingTime: 3_600, user: userView() };
  },
  checkAdmin: ({ token }) => {
    if (token === null) throw apiFailure('session.missing');
    return { remainingTime: 3_600, role: 'owner' };
  },
  ownAdmin: () => ({
    data: {
      userId: '0192f0c0-0000-7000-8000-00000000000a',
      email: 'ines.carvalho@shortlist.test',
      name: null,
      role: 'owner',
    },
  }),
  email: () => ({ data: ownEmail() }),
  logout: () => ({ message: 'logout' }),
  credits: () => creditsView(),
  creditsHistory: () => ({ data: [], next: null }),
  creditsUsage: () => ({ data: [] }),
  listApiKeys: () => ({ data: [] }),
  access: () => ({ data: { apiKeys: [], connections: [], webhooks: [] } }),
  userAccess: () => ({ data: { apiKeys: [], connections: [], webhooks: [] } }),
  creditPacks: () => ({ data: { offer: null, packs: [] } }),
  invoices: () => ({ data: [] }),
  listConnections: () => ({ data: [] }),
  creditMails: () => ({ enabled: true }),
  newsMails: () => ({ enabled: true }),
  savedFilters: () => ({ data: [] }),
  userActivity: () => ({ data: [] }),
  listUsers: () => ({ data: [], total: 0, isCapped: false, next: null }),
  userTotals: () => ({ data: { registered: 0, premium: 0, countedAt: '2026-11-20T09:41:00.000Z' } }),
  newestUsers: () => ({ data: [] }),
  audit: () => ({ data: [], next: null }),
  payments: () => ({ data: [], next: null }),
  paymentTotals: () => ({ data: [] }),
  tools: () => ({ data: [] }),
  systemStatus: () => ({ data: systemStatus() }),
  stripeEvents: () => ({ data: [], next: null }),
  deadLetters: () => ({ data: [], missing: [] }),
  failedJobs: () => ({ data: [] }),
  notices: () => ({ data: [] }),
  exampleMails: () => ({ data: [] }),
  currentNotices: () => ({ data: { notices: [], changesAt: null } }),
  exportUsers: () => 'name\n',
  factors: () => ({ data: NO_FACTORS }),
  userBuckets: () => ({ data: { available: 20, buckets: [planBucket()], records: [] } }),
  userFactors: () => ({ data: NO_FACTORS }),
  emailAvailability: () => ({ available: true }),
  listDevices: () => ({ data: [] }),
  listTrustedDevices: () => ({ data: [] }),
  listSignIns: () => ({ data: [] }),
  listUserSignIns: () => ({ data: [] }),
  listUserDevices: () => ({ data: [] }),
  userNotes: () => ({ data: [] }),
  timeline: () => ({ data: [], next: null, missing: [] }),
  userCreditsHistory: () => ({ data: [], next: null }),
  dataExport: () => ({ data: null }),
  deletion: () => ({ data: null }),
  userDeletion: () => ({ data: null }),
};

const patternOf = (path: string): RegExp => {
  const apiPath = path.startsWith('/api/') ? path : `/api${path}`;
  return new RegExp(`^${apiPath.replace(/:([a-zA-Z]+)/g, '(?<$1>[^/]+)')}$`);
};

/** Paths without a parameter first, as bff does: '/api/users/newest' also matches '/api/users/:id'. */
const ENDPOINTS = Object.entries(publicEndpoints).toSorted(
  ([, one], [, other]) => Number(one.path.includes(':')) - Number(other.path.includes(':')),
);

const findEndpoint = (method: string, pathname: string) => {
  for (const [name, endpoint] of ENDPOINTS) {
    const match = endpoint.method === method ? patternOf(endpoint.path).exec(pathname) : null;
    if (match !== null) return { name: name as EndpointName, params: { ...match.groups } };
  }
  return null;
};

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

const errorResponse = ({ code, fields }: ApiFailure): Response => {
  const [status, message] = ERRORS[code];
  return json(status, { error: { code, message, requestId: 'test', ...(fields ? { fields } : {}) } });
};

const textOf = (entry: FormDataEntryValue | null): string => (typeof entry === 'string' ? entry : '{}');

const readRequest = (url: URL, init: RequestInit, params: Record<string, string>): FakeRequest => {
  const headers = new Headers(init.headers);
  const form = init.body instanceof FormData ? init.body : null;
  const authorization = headers.get('authorization');
  return {
    params,
    query: url.searchParams,
    headers,
    token: authorization === null ? null : authorization.replace('Bearer ', ''),
    body: typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {},
    userData: form === null ? {} : (JSON.parse(textOf(form.get('userData'))) as Record<string, unknown>),
    file: form?.get('file') ?? null,
  };
};

const COMMON_PASSWORDS = 'common-passwords.bloom';
const commonPasswords = readFileSync(
  join(import.meta.dirname, '../../packages/contracts/src', COMMON_PASSWORDS),
);

/** Replaces `fetch` with handlers by endpoint. An endpoint without a handler responds with 404. */
export const fakeServer = (overrides: Handlers = {}) => {
  // A handler that keeps its response back is not called a second time meanwhile.
  const userSent = Promise.withResolvers<void>();
  const handlers: Handlers = {
    ...defaults,
    // That of the user.
    subscription: async (request) => {
      await userSent.promise;
      const { plan } = (await handlers.checkUser?.(request))?.user ?? userView();
      return { data: plan === 'premium' ? premiumSubscription() : subscriptionView() };
    },
    userProfile: async (request) => {
      if (handlers.getUser === undefined) throw apiFailure('request.not_found');
      return { data: profileOf((await handlers.getUser(request)).data) };
    },
    accountStatus: async (request) => {
      const user = (await handlers.getUser?.(request))?.data ?? userView();
      return { data: accountStatusOf(user) };
    },
    ...overrides,
  };
  const calls: { name: EndpointName; request: FakeRequest }[] = [];

  const respond = async (url: URL, init: RequestInit): Promise<Response> => {
    if (url.pathname.endsWith(COMMON_PASSWORDS)) return new Response(commonPasswords);
    const match = findEndpoint(init.method ?? 'GET', url.pathname);
    if (match === null) return json(404, {});
    const request = readRequest(url, init, match.params);
    calls.push({ name: match.name, request });
    const handler = handlers[match.name] as ((request: FakeRequest) => unknown) | undefined;
    if (handler === undefined) return errorResponse(apiFailure('request.not_found'));
    try {
      const body = await handler(request);
      if (match.name === 'checkUser') userSent.resolve();
      return json(200, body);
    } catch (thrown) {
      if (thrown instanceof ApiFailure) return errorResponse(thrown);
      throw thrown;
    }
  };
  vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) =>
    respond(new URL(input, window.location.origin), init),
  );
  return {
    /** Replaces handlers. */
    use: (next: Handlers) => Object.assign(handlers, next),
    requestsTo: (name: EndpointName) =>
      calls.filter((call) => call.name === name).map(({ request }) => request),
  };
};
