import { passwordChanged, userDeleted } from '@shortlist/contracts/events/identity';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sessionHandlers } from '../src/consumers.ts';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { type Bff, respondWith, send, startBff } from './support.ts';

const LIMIT_MS = 1_000;

describe('two bff processes over one session store', () => {
  let replicas: [Bff, Bff];
  beforeAll(async () => {
    const url = inject('sessionsRedisUrl');
    replicas = [await startBff(url), await startBff(url)];
  });
  afterAll(() => Promise.all(replicas.map((bff) => bff.close())));

  /** Begins three sessions of one user and checks that both processes accept them. */
  const begin = async (userId: string): Promise<string[]> => {
    const sessions = [replicas[0], replicas[1], replicas[0]].map((bff) => bff.sessions.begin(userId, 'user'));
    const tokens = (await Promise.all(sessions)).map(({ token }) => token);
    expect(await statuses(tokens)).toEqual(Array.from({ length: 6 }, () => 200));
    return tokens;
  };
  const statuses = (tokens: string[]): Promise<number[]> =>
    Promise.all(
      replicas.flatMap((bff) =>
        tokens.map(async (token) => {
          const headers = { authorization: `Bearer ${token}` };
          return (await send(bff.port, '/api/credits/history', { headers })).status;
        }),
      ),
    );
  const expectRefused = async (tokens: string[], startedAt: number): Promise<void> => {
    expect(await statuses(tokens)).toEqual(Array.from({ length: 6 }, () => 401));
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
  };
  /** The services respond with the generation that the change begins. */
  const stubChanges = (): void => {
    for (const { upstream } of replicas)
      upstream.respond = respondWith(() => ({
        generation: 1,
        data: { plan: 'free', email: 'ana@talent.test' },
        planState: { version: 0 },
        used: 0,
      }));
  };

  it('B3 Delete/disable user, password change, role change → all that user’s sessions refused in ≤1 s on every BFF replica: deleted at the first replica', async () => {
    const userId = uuidv7();
    const tokens = await begin(userId);
    stubChanges();
    const { token: admin } = await replicas[0].sessions.begin(uuidv7(), 'admin');
    const startedAt = performance.now();
    const headers = { authorization: `Bearer ${admin}` };
    const deleted = await send(replicas[0].port, `/users/${userId}`, { method: 'DELETE', headers });
    expect(deleted.status).toBe(200);
    await expectRefused(tokens, startedAt);
  });

  it('B3 sessions are refused at both replicas after an admin sets the password at the second', async () => {
    const userId = uuidv7();
    const tokens = await begin(userId);
    stubChanges();
    const { token: admin } = await replicas[1].sessions.begin(uuidv7(), 'admin');
    const userData = JSON.stringify({ ...ana, password: 'set by an admin' });
    const startedAt = performance.now();
    const changed = await send(replicas[1].port, `/users/${userId}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${admin}`, 'content-type': MULTIPART },
      body: form(field('userData', userData)),
    });
    expect(changed.status).toBe(200);
    await expectRefused(tokens, startedAt);
  });

  it.each([passwordChanged, userDeleted])(
    'B3 sessions are refused at both replicas after one consumes $type',
    async (event) => {
      const userId = uuidv7();
      const tokens = await begin(userId);
      const handler = sessionHandlers(replicas[0].sessions, replicas[0].keyStore).find(
        ({ event: { type } }) => type === event.type,
      );
      const startedAt = performance.now();
      await handler?.handle(eventOf(event as never, userId, { by: 'admin', generation: 1 } as never));
      await expectRefused(tokens, startedAt);
    },
  );
});
