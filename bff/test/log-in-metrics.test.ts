import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { failuresKey, LOCKING_FAILURE } from '../src/limits/login-limits.ts';
import { fromPage } from './cookie-jar.ts';
import { NO_FACTORS, OWNER } from './factors-reply.ts';
import { respondWith, send, useBff } from './support.ts';

const RIGHT = 'the right password';

const bff = await useBff();
bff.upstream.respond = (request, response, body) => {
  const { password } = JSON.parse(body.toString() || '{}') as { password?: string };
  const isWrong = request.url === '/credentials/verify' && password !== RIGHT;
  const error = { error: { code: 'identity.credentials_wrong', message: 'no' } };
  const reply = isWrong ? error : { data: { id: uuidv7(), admin: OWNER }, factors: NO_FACTORS };
  respondWith(() => reply, isWrong ? 401 : 200)(request, response, body);
};

const metricsText = async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${bff.operatorPort}/metrics`)).text();
const count = async (outcome: string): Promise<number> => {
  const text = await metricsText();
  return Number(
    new RegExp(`^log_ins_total\\{method="password",outcome="${outcome}".*\\} (\\d+)$`, 'm').exec(text)?.[1] ??
      0,
  );
};

it('log-ins are counted by outcome; the failure that begins a wait is the one that locks', async () => {
  const logIn = (email: string, password: string) =>
    send(bff.port, '/super-admin-authentication', {
      method: 'POST',
      headers: fromPage(new Map()),
      body: JSON.stringify({ email, password }),
    });
  expect((await logIn(`${uuidv7()}@people.test`, RIGHT)).status).toBe(200);
  const email = `${uuidv7()}@people.test`;
  expect((await logIn(email, 'a wrong one')).status).toBe(401);
  await bff.redis.hset(failuresKey(email), { failures: LOCKING_FAILURE - 1 });
  expect((await logIn(email, 'a wrong one')).status).toBe(401);
  expect((await logIn(email, 'a wrong one')).status).toBe(429);
  expect(await Promise.all(['succeeded', 'failed', 'locked'].map(count))).toEqual([1, 1, 1]);
  const limited =
    /count\{service="bff",method="POST",route="\/super-admin-authentication",status="429"\} 1$/m;
  await until('the refused request', async () => limited.test(await metricsText()));
});
