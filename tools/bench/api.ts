import { randomUUID } from 'node:crypto';
import { WITHOUT_LIMITS } from '@shortlist/local/system';
import { Pool } from 'undici';
import { registerWithKey } from '../../harness/api-keys.ts';
import { withGateway } from './gateway-fixture.ts';
import {
  atConstantRate,
  describeTimes,
  measureInTurns,
  type Print,
  printCompared,
  requesting,
  timed,
} from './measure.ts';
import { type ServerProcess, withSystem } from './surroundings.ts';

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

type RegisteredWithKey = Awaited<ReturnType<typeof registerWithKey>>;

const CHARGE = { reason: 'email_found' };

/** P17 a request with an API key through bff, beside the same with bare node:http, one Redis GET and undici. */
const compareRequests = (print: Print): Promise<void> =>
  withGateway(async ({ start, tool }) => {
    const [thin, bff] = [await start('thin'), await start('bff')];
    const reading = (name: string, { url }: ServerProcess) =>
      requesting(name, { url: `${url}/api/v1/entitlements`, connections: CONNECTIONS, headers: tool });
    printCompared(
      print,
      'P17 entitlements with an API key',
      await measureInTurns([reading('thin', thin), reading('bff', bff)]),
    );
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'bench', ...tool };
    const body = Buffer.from(JSON.stringify(CHARGE));
    const charging = (name: string, { url }: ServerProcess) =>
      requesting(name, { url: `${url}/api/v1/charges`, connections: CONNECTIONS, headers, body });
    printCompared(
      print,
      'P17 a charge with an API key',
      await measureInTurns([charging('thin', thin), charging('bff', bff)]),
    );
  });

/** P17 the whole product at 500 requests a second: every second one is a charge. */
const measureLatency = (print: Print): Promise<void> =>
  withSystem({ bff: WITHOUT_LIMITS }, async (system) => {
    const users: RegisteredWithKey[] = [];
    while (users.length < USERS)
      users.push(
        ...(await Promise.all(Array.from({ length: REGISTERED_AT_ONCE }, () => registerWithKey(system)))),
      );
    const times: Record<'entitlements' | 'charge', number[]> = { entitlements: [], charge: [] };
    // Not fetch, which takes more than twice the processor time (0.22 of a core against 0.09) of the cores of what is measured.
    const pool = new Pool(system.publicUrl, { connections: CONNECTIONS });
    const call = async (isCharge: boolean, token: string): Promise<number> => {
      const authorization = `Bearer ${token}`;
      const { statusCode, body } = isCharge
        ? await pool.request({
            path: '/api/v1/charges',
            method: 'POST',
            headers: { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
            body: JSON.stringify(CHARGE),
          })
        : await pool.request({ path: '/api/v1/entitlements', method: 'GET', headers: { authorization } });
      await body.dump();
      return statusCode;
    };
    const send = async (index: number): Promise<void> => {
      const token = users[index % USERS]?.made.key ?? '';
      const isCharge = index % 2 === 1;
      const time = await timed(async () => {
        const status = await call(isCharge, token);
        if (status !== (isCharge ? 201 : 200)) throw new Error(`status ${status}`);
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
