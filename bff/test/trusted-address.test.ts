import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { type Bff, send, startBff } from './support.ts';

const WRONG = { error: { code: 'identity.credentials_wrong', message: 'no' } };

/** Ten log-ins of one network in a minute pass. The counts are in a database of their own: tests share one client address. */
const start = async (change: Record<string, string>): Promise<Bff> => {
  const url = new URL(inject('sessionsRedisUrl'));
  url.pathname = '/1';
  const bff = await startBff(url.href, { LOGIN_LIMIT: '10', ...change });
  bff.upstream.respond = (_request, response) => void response.writeHead(401).end(JSON.stringify(WRONG));
  return bff;
};

/** Counts how many of twelve failed log-ins, each to another account, are not rate-limited. */
const countAccepted = async (
  bff: Bff,
  headersOf: (round: number) => Record<string, string>,
): Promise<number> => {
  await bff.redis.flushdb();
  const tryLogIn = async (round: number): Promise<number> => {
    const body = JSON.stringify({ email: `${uuidv7()}@talent.test`, password: 'wrong one' });
    const headers = { 'content-type': 'application/json', ...headersOf(round) };
    return (await send(bff.port, '/login', { method: 'POST', headers, body })).status;
  };
  // All at once: each response that refuses is held for a second.
  const statuses = await Promise.all(Array.from({ length: 12 }, (_, round) => tryLogIn(round)));
  for (const status of statuses) expect([401, 429]).toContain(status);
  return statuses.filter((status) => status === 401).length;
};

describe('the client address of a rate limit', () => {
  let direct: Bff;
  let behindProxy: Bff;
  let unset: Bff;
  beforeAll(async () => {
    direct = await start({});
    behindProxy = await start({ TRUSTED_PROXIES: '127.0.0.1' });
    unset = await start({ TRUSTED_PROXIES: '' });
  });
  afterAll(() => Promise.all([direct.close(), behindProxy.close(), unset.close()]));

  it.each(['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'CF-Connecting-IP'])(
    'B7 is the address of the connection, whatever a client sends in %s',
    async (name) => {
      expect(await countAccepted(direct, (round) => ({ [name]: `198.51.100.${round}` }))).toBe(10);
    },
  );

  it('B7 is the address of the connection where the list of load balancers is empty', async () => {
    expect(await countAccepted(unset, (round) => ({ 'X-Forwarded-For': `198.51.100.${round}` }))).toBe(10);
  });

  it('B7 is the address that the trusted load balancer reports', async () => {
    expect(await countAccepted(behindProxy, (round) => ({ 'X-Forwarded-For': `198.51.100.${round}` }))).toBe(
      12,
    );
    expect(await countAccepted(behindProxy, () => ({ 'X-Forwarded-For': '198.51.100.200' }))).toBe(10);
  });

  it('B7 is not an address that a client added before the load balancer', async () => {
    const headersOf = (round: number) => ({ 'X-Forwarded-For': `198.51.100.${round}, 203.0.113.7` });
    expect(await countAccepted(behindProxy, headersOf)).toBe(10);
  });
});
