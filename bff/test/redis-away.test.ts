import { startBacking, type Backing } from '@shortlist/local/backing';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bff, send, startBff } from './support.ts';

describe('with the session store away', () => {
  let backing: Backing;
  let bff: Bff;
  beforeAll(async () => {
    backing = await startBacking({ parts: ['redis'] });
    bff = await startBff(backing.sessionsRedisUrl);
  });
  afterAll(async () => {
    await bff.close();
    await backing.stop();
  });

  it('B5 doors that need a session answer 503 in under a second, public ones go on, and all is well again by itself', async () => {
    const { token } = await bff.sessions.begin(uuidv7(), 'admin');
    const headers = { authorization: `Bearer ${token}` };
    await backing.redisSessions.stop();

    for (const path of ['/check_authentication', '/users', '/api/subscription']) {
      const begun = performance.now();
      const reply = await send(bff.port, path, { headers });
      expect(reply.status, path).toBe(503);
      expect(JSON.parse(reply.body)).toMatchObject({ error: { code: 'session.unavailable' } });
      expect(performance.now() - begun).toBeLessThan(1_000);
    }
    expect((await send(bff.port, '/api/config')).status).toBe(200);

    await backing.redisSessions.start();
    await until(
      'sessions',
      async () => (await send(bff.port, '/check_authentication', { headers })).status !== 503,
    );
    const { token: fresh } = await bff.sessions.begin(uuidv7(), 'admin');
    expect(
      (await send(bff.port, '/check_authentication', { headers: { authorization: fresh } })).status,
    ).toBe(200);
  });
});
