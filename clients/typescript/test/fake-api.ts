import { createClient, type ClientOptions } from '../src/client.ts';

type Failure =
  'lost request' | 'lost reply' | 'not ours' | { status: number; code: string; retryAfter?: number };

const json = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

const problem = ({ status, code, retryAfter }: Exclude<Failure, string>): Response =>
  json(
    status,
    { type: `/api/v1/reference#${code}`, title: 'Refused', status, code, requestId: 'r-1' },
    {
      'content-type': 'application/problem+json',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
  );

type Recorded = { method: string; path: string; headers: Headers; body: Record<string, unknown> };

/** The API with a balance, and failures that a test plans: each request takes the next one. */
export const createFakeApi = (limit = 500) => {
  const api = {
    /** Of every request, until it is null. */
    outage: null as Failure | null,
    /** Of the next requests. */
    failures: [] as Failure[],
    requests: [] as Recorded[],
    charged: new Map<string, number>(),
    limit,
    /** What the user has in a pack. */
    pack: 0,
  };
  const used = (): number => [...api.charged.values()].reduce((sum, amount) => sum + amount, 0);
  const balance = () => {
    const ofPlan = Math.min(used(), api.limit);
    return { used: ofPlan, available: api.limit + api.pack - used(), limit: api.limit };
  };
  const buckets = () => {
    const { used: ofPlan, available } = balance();
    const plan = { kind: 'plan', available: api.limit - ofPlan, endsAt: null };
    const pack = { kind: 'pack', available: available - plan.available, endsAt: null };
    return api.pack === 0 ? [plan] : [plan, pack];
  };

  const charge = ({ headers, body }: Recorded): Response => {
    const key = headers.get('idempotency-key') ?? '';
    const amount = Number(body['amount'] ?? 1);
    if (!api.charged.has(key) && amount > balance().available)
      return problem({ status: 402, code: 'credits.balance_too_low' });
    api.charged.set(key, api.charged.get(key) ?? amount);
    return json(201, { ...balance(), charged: amount });
  };

  const entitlements = ({ headers }: Recorded): Response => {
    const etag = `"${used()}"`;
    const more = { etag, 'cache-control': 'private, max-age=0, stale-if-error=86400' };
    if (headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: more });
    const credits = { ...balance(), windowStart: null, windowEnd: null, buckets: buckets() };
    return json(200, { plan: 'premium', features: [], credits }, more);
  };

  const page = (request: Recorded): Response => {
    const start = Number(new URL(request.path, 'http://x').searchParams.get('cursor') ?? 0);
    const data = [start, start + 1].map((id) => ({ id: String(id) }));
    return json(200, { data, next: start < 4 ? String(start + 2) : null });
  };

  const respond = (request: Recorded): Response => {
    if (request.path === '/api/v1/entitlements') return entitlements(request);
    return request.method === 'GET' ? page(request) : charge(request);
  };

  const reply = async (request: Recorded, failure: Failure): Promise<Response> => {
    if (failure === 'not ours') return new Response('<html>Log in to the Wi-Fi');
    if (typeof failure !== 'string') return problem(failure);
    if (failure === 'lost reply') respond(request);
    return Promise.reject(new TypeError('fetch failed'));
  };

  const fake: typeof fetch = async (input, { method = 'GET', headers, body } = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const request = {
      method,
      path: pathname + search,
      headers: new Headers(headers),
      body: JSON.parse(typeof body === 'string' ? body : '{}') as Record<string, unknown>,
    };
    api.requests.push(request);
    const failure = api.failures.shift() ?? api.outage;
    return failure === null ? respond(request) : reply(request, failure);
  };
  return Object.assign(api, { fetch: fake, used });
};

export type FakeApi = ReturnType<typeof createFakeApi>;

export const KEY = 'sl_test_abcdefghijklmnopABCDEFGHIJKLMNOPQRSTUVWXYZ01234567';

export const clientOf = (api: FakeApi, options: Partial<ClientOptions> = {}) =>
  createClient({ url: 'https://app.shortlist.test/', key: KEY, fetch: api.fetch, retries: 1, ...options });
