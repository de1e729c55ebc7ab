import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { newUser, register } from '../../harness/client.ts';
import { FLOODS, startFlood } from './floods.ts';
import { describeTimes, type Print, ratioOfTimes, timed } from './measure.ts';
import { withSystem } from './surroundings.ts';

const LOG_INS = 200;
const ATTACK_ADDRESS = '127.0.0.9';
const WARM_UP_MS = 3_000;

type Credentials = { email: string; password: string };

/** Logs in over a connection of its own, from an address of this machine. */
const logIn = async (url: string, localAddress: string, credentials: Credentials): Promise<void> => {
  const client = new Client(url, { localAddress });
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(credentials);
  const response = await client.request({ path: '/login', method: 'POST', headers, body });
  await response.body.dump();
  if (response.statusCode !== 200) throw new Error(`a log-in got ${response.statusCode}`);
  void client.close();
};

/** A6, B13 Measures log-ins at rest, while an address tries random accounts, and while it sends broken requests of each kind. */
export const benchFlood = (print: Print): Promise<void> =>
  withSystem({ bff: { LOGIN_LIMIT: '60', SIGNUP_LIMIT: '30' } }, async (system) => {
    const { email, password } = newUser();
    await register(system, { email, password });
    let host = 0x1000;
    /** The times of log-ins one after the other, each from an address of its own, in ms. */
    const measure = async (): Promise<number[]> => {
      const times: number[] = [];
      while (times.length < LOG_INS) {
        host += 1;
        const address = `127.0.${host >> 8}.${host & 255}`;
        times.push(await timed(() => logIn(system.urls.bff, address, { email, password })));
      }
      return times;
    };
    await measure(); // warm-up
    const rest = await measure();
    print(`${'a log-in at rest'.padEnd(31)} ${describeTimes(rest)}`);
    for (const [kind, flood] of Object.entries(FLOODS)) {
      const stop = startFlood(Number(new URL(system.urls.bff).port), ATTACK_ADDRESS, flood);
      await sleep(WARM_UP_MS);
      const times = await measure();
      const statuses = [...stop()].map(([status, count]) => `${status}: ${count}`).join(', ');
      print(
        `${kind.padEnd(31)} ${describeTimes(times)}, ratio of p99 ${ratioOfTimes(times, rest)}; ${statuses}`,
      );
    }
  });
