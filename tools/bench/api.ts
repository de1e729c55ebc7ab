import { randomUUID } from 'node:crypto';
import { WITHOUT_LIMITS } from '@shortlist/local/system';
import { Pool } from 'undici';
import { registerWithKey } from '../../harness/api-keys.ts';
import { compareWithThin, withGateway } from './gateway-fixture.ts';
import { atConstantRate, describeTimes, type Print, timed } from './measure.ts';
import { withSystem } from './surroundings.ts';

const CONNECTIONS = 64;
const PER_SECOND = 500;
const SECONDS = Number(process.env['SECONDS'] ?? 15);
/** One user's charges wait for each other, and end with the credits of the plan: these last for two minutes. */
const USERS = 80;
/** Users who register at the same time. */
const REGISTERED_AT_ONCE = 10;
/** The shares of the rate at which the product is warmed up: until then the processes compile what they run. */
const WARM_UP = [
  { share: 0.2, seconds: 7 },
  { share: 0.5, seconds: 7 },
  { share: 1, seconds: 28 },
];

const CHARGE = { reason: 'email_found' };

/** P17 a request with an API key through bff, beside the same with bare node:http, one Redis GET and undici. */
const compareRequests = (print: Print): Promise<void> =>
  withGateway(async (gateway) => {
    const reading = { path: '/api/v1/entitlements', headers: gateway.tool };
    await compareWithThin(gateway, { title: 'P17 entitlements with an API key', ...reading }, print);
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'bench', ...gateway.tool };
    const charging = { path: '/api/v1/charges', headers, body: Buffer.from(JSON.stringify(CHARGE)) };
    await compareWithThin(gateway, { title: 'P17 a charge with an API key', ...charging }, print);
  });

/** P17 the whole product at 500 requests a second: every second one is a charge. */
const measureLatency = (print: Print): Promise<void> =>
  withSystem({ bff: WITHOUT_LIMITS }, async (system) => {
    const keys: string[] = [];
    const register = async (): Promise<void> => void keys.push((await registerWithKey(system)).made.key);
    while (keys.length < USERS) await Promise.all(Array.from({ length: REGISTERED_AT_ONCE }, register));
    const times: Record<'entitlements' | 'charge', number[]> = { entitlements: [], charge: [] };
    // Not fetch, which takes more than twice the processor time (0.22 of a core against 0.09) of the cores of what is measured.
    const pool = new Pool(system.publicUrl, { connections: CONNECTIONS });
    const requestAt = (index: number) => {
      const authorization = `Bearer ${keys[index % USERS]}`;
      if (index % 2 === 0)
        return { path: '/api/v1/entitlements', method: 'GET' as const, headers: { authorization } };
      const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      return { path: '/api/v1/charges', method: 'POST' as const, headers, body: JSON.stringify(CHARGE) };
    };
    const send = async (index: number): Promise<void> => {
      const isCharge = index % 2 === 1;
      const time = await timed(async () => {
        const { statusCode, body } = await pool.request(requestAt(index));
        await body.dump();
        if (statusCode !== (isCharge ? 201 : 200)) throw new Error(`status ${statusCode}`);
      });
      times[isCharge ? 'charge' : 'entitlements'].push(time);
    };
    for (const { share, seconds } of WARM_UP)
      await atConstantRate({ perSecond: PER_SECOND * share, seconds }, send);
    for (const list of Object.values(times)) list.length = 0;
    await atConstantRate({ perSecond: PER_SECOND, seconds: SECONDS }, send);
    await pool.close();
    print(`P17 the whole product at ${PER_SECOND}/s`);
    for (const [name, list] of Object.entries(times)) print(`  ${name.padEnd(14)} ${describeTimes(list)}`);
  });

export const benchApi = async (print: Print): Promise<void> => {
  await compareRequests(print);
  await measureLatency(print);
};
