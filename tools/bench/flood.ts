import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { newUser, register } from '../../harness/client.ts';
import { FLOODS, startFlood, type Statuses } from './floods.ts';
import { describeTimes, type Print, ratioOfTimes, timed } from './measure.ts';
import { withSystem } from './surroundings.ts';

const LOG_INS = 200;
const ATTACKERS = 200;
const ATTACK_ADDRESS = '127.0.0.9';
const WARM_UP_MS = 3_000;

type Credentials = { email: string; password: string };
type Client = { agent: Agent; localAddress: string };

/** Sends a log-in from an address of this machine, and returns its status, or 0 for a connection that failed. */
const logIn = (port: number, { agent, localAddress }: Client, credentials: Credentials): Promise<number> =>
  new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', host: `localhost:${port}` };
    const options = { host: '127.0.0.1', port, path: '/login', method: 'POST', agent, localAddress, headers };
    const outgoing = request(options, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.once('error', () => resolve(0));
    outgoing.end(JSON.stringify(credentials));
  });

/** Starts 200 connections of one address that try random accounts. The result ends them. */
const startLogIns = (port: number): (() => Promise<Statuses>) => {
  const agent = new Agent({ keepAlive: true, maxSockets: ATTACKERS });
  const statuses: Statuses = new Map();
  let isOver = false;
  const attack = async (): Promise<void> => {
    while (!isOver) {
      const credentials = { email: `${randomUUID()}@people.test`, password: 'not the password' };
      const status = String(await logIn(port, { agent, localAddress: ATTACK_ADDRESS }, credentials));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const attackers = Array.from({ length: ATTACKERS }, attack);
  return async () => {
    isOver = true;
    await Promise.all(attackers);
    agent.destroy();
    return statuses;
  };
};

/** A6, B13 Measures log-ins at rest, while an address tries random accounts, and while it sends broken requests of each kind. */
export const benchFlood = (print: Print): Promise<void> =>
  withSystem({ bff: { LOGIN_LIMIT: '60', SIGNUP_LIMIT: '30' } }, async (system) => {
    const port = Number(new URL(system.urls.bff).port);
    const { email, password } = newUser();
    await register(system, { email, password });
    let host = 0x1000;
    /** The times of log-ins one after the other, each from an address of its own, in ms. */
    const measure = async (): Promise<number[]> => {
      const times: number[] = [];
      while (times.length < LOG_INS) {
        const agent = new Agent();
        host += 1;
        const client = { agent, localAddress: `127.0.${host >> 8}.${host & 255}` };
        let status = 0;
        times.push(await timed(async () => (status = await logIn(port, client, { email, password }))));
        if (status !== 200) throw new Error(`a log-in got ${status}`);
        agent.destroy();
      }
      return times;
    };
    await measure(); // warm-up
    const rest = await measure();
    print(`${'a log-in at rest'.padEnd(31)} ${describeTimes(rest)}`);
    const compare = async (kind: string, stop: () => Statuses | Promise<Statuses>): Promise<void> => {
      await sleep(WARM_UP_MS);
      const times = await measure();
      const statuses = [...(await stop())].map(([status, count]) => `${status}: ${count}`).join(', ');
      print(
        `${kind.padEnd(31)} ${describeTimes(times)}, ratio of p99 ${ratioOfTimes(times, rest)}; ${statuses}`,
      );
    };
    await compare('while an address tries accounts', startLogIns(port));
    for (const [kind, flood] of Object.entries(FLOODS))
      await compare(kind, startFlood(port, ATTACK_ADDRESS, flood));
  });
