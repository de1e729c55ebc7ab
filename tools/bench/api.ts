import { randomUUID } from 'node:crypto';
import { WITHOUT_LIMITS } from '@shortlist/local/system';
import { registerWithKey } from '../../harness/api-keys.ts';
import { callApi } from '../../harness/client.ts';
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
/** One user's charges wait for each other, and end with the credits of the plan: these last for a minute. */
const USERS = 40;
/** Users who register at the same time. */
const REGISTERED_AT_ONCE = 10;
/** The shares of the rate at which the product is warmed up, and for how long each: until then the processes compile what they run. */
const WARM_UP = { shares: [0.2, 0.5, 1], seconds: 7 };

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
    const url = `${system.publicUrl}/api/v1`;
    const send = async (index: number): Promise<void> => {
      const token = users[index % USERS]?.made.key ?? '';
      const isCharge = index % 2 === 1;
      const headers = { 'idempotency-key': randomUUID() };
      const call = () =>
        isCharge
          ? callApi(`${url}/charges`, 'POST', { token, body: CHARGE, headers })
          : callApi(`${url}/entitlements`, 'GET', { token });
      const time = await timed(async () => {
        const { status } = await call();
        if (status !== (isCharge ? 201 : 200)) throw new Error(`status ${status}`);
      });
      times[isCharge ? 'charge' : 'entitlements'].push(time);
    };
    for (const share of WARM_UP.shares)
      await atConstantRate({ perSecond: PER_SECOND * share, seconds: WARM_UP.seconds }, send);
    for (const list of Object.values(times)) list.length = 0;
    await atConstantRate({ perSecond: PER_SECOND, seconds: SECONDS }, send);
    print(`P17 the whole product at ${PER_SECOND}/s`);
    for (const [name, list] of Object.entries(times)) print(`  ${name.padEnd(14)} ${describeTimes(list)}`);
  });

export const benchApi = async (print: Print): Promise<void> => {
  await compareRequests(print);
  await measureLatency(print);
};
