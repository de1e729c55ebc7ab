import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSystem, type System } from '@shortlist/local/system';
import { newUser, signUp } from '../../tests/journeys/client.ts';
import { startFlood } from './flood-client.ts';
import { FLOODS } from './floods.ts';
import { percentile } from './percentile.ts';

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

/** The times of log-ins one after the other, each from an address of its own, in ms. */
const measure = async (port: number, credentials: Credentials, firstHost: number): Promise<number[]> => {
  const times: number[] = [];
  for (let index = 0; index < LOG_INS; index += 1) {
    const agent = new Agent();
    const host = firstHost + index;
    const startedAt = performance.now();
    const status = await logIn(
      port,
      { agent, localAddress: `127.0.${host >> 8}.${host & 255}` },
      credentials,
    );
    times.push(performance.now() - startedAt);
    if (status !== 200) throw new Error(`a log-in got ${status}`);
    agent.destroy();
  }
  return times;
};

const startLogIns = (port: number): { stop: () => Promise<Map<number, number>> } => {
  const agent = new Agent({ keepAlive: true, maxSockets: ATTACKERS });
  const statuses = new Map<number, number>();
  let isStopped = false;
  const attack = async (): Promise<void> => {
    while (!isStopped) {
      const credentials = { email: `${randomUUID()}@people.test`, password: 'not the password' };
      const status = await logIn(port, { agent, localAddress: ATTACK_ADDRESS }, credentials);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const attackers = Array.from({ length: ATTACKERS }, attack);
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(attackers);
      agent.destroy();
      return statuses;
    },
  };
};

const describe = (times: number[]): string =>
  `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;

const run = async (system: System, print: (text: string) => void): Promise<void> => {
  const port = Number(new URL(system.urls.bff).port);
  const newcomer = newUser();
  await signUp(system, newcomer);
  const user = { email: newcomer.email, password: newcomer.password };
  await measure(port, user, 0x1001);
  const idle = await measure(port, user, 0x2001);
  const flood = startLogIns(port);
  const startedAt = performance.now();
  await sleep(WARM_UP_MS);
  const flooded = await measure(port, user, 0x3001);
  const seconds = (performance.now() - startedAt) / 1_000;
  const statuses = [...(await flood.stop())].map(([status, count]) => `${status}: ${count}`).join(', ');
  print(`a log-in at rest                ${describe(idle)}`);
  print(`while another address floods    ${describe(flooded)}`);
  print(`ratio of p99                    ${(percentile(flooded, 0.99) / percentile(idle, 0.99)).toFixed(2)}`);
  print(`responses to the flood in ${seconds.toFixed(0)} s  ${statuses}`);
};

/** Log-ins of others while one address sends each kind of broken request. */
const runFloods = async (system: System, print: (text: string) => void): Promise<void> => {
  const port = Number(new URL(system.urls.bff).port);
  const newcomer = newUser();
  await signUp(system, newcomer);
  const user = { email: newcomer.email, password: newcomer.password };
  const idle = await measure(port, user, 0x4001);
  print(`a log-in at rest                ${describe(idle)}`);
  for (const [index, [kind, flood]] of Object.entries(FLOODS).entries()) {
    const running = startFlood(port, ATTACK_ADDRESS, flood);
    await sleep(WARM_UP_MS);
    const times = await measure(port, user, 0x5001 + index * 0x100);
    const statuses = [...running.stop()].map(([status, count]) => `${status}: ${count}`).join(', ');
    const ratio = (percentile(times, 0.99) / percentile(idle, 0.99)).toFixed(2);
    print(`${kind.padEnd(31)} ${describe(times)}, ratio of p99 ${ratio}; ${statuses}`);
  }
};

/**
 * A6, B13 Measures log-ins at rest, while 200 connections of another address try random accounts, and while ten (of slow bodies, 500)
 * send broken requests.
 */
export const benchLoginFlood = async (print: (text: string) => void): Promise<void> => {
  const system = await startSystem({ env: { bff: { LOGIN_LIMIT: '60', SIGNUP_LIMIT: '30' } } });
  try {
    await run(system, print);
    await runFloods(system, print);
  } finally {
    await system.stop();
  }
};
