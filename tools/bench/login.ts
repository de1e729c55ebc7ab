import { identityEndpoints } from '@shortlist/contracts/api/identity';
import type { SignupInput } from '@shortlist/contracts/schemas/account';
import { PROCESS_NAMES } from '@shortlist/local/system/ports';
import { startSystem, type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { callApi, logInAdmin, newUser, signUp } from '../../tests/journeys/client.ts';
import { atConstantRate } from './constant-rate.ts';
import { verifying } from './hash-library.ts';
import { createIdentityClient } from './identity-client.ts';
import { percentile } from './percentile.ts';
import { processorMs } from './process-usage.ts';
import { line, measureInTurns, ratio, type Subject } from './rounds.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const SECONDS = 4;
/** Log-ins at once. */
const CONCURRENCY = 8;
/** More than log-ins at once, so that none waits for another of its account. */
const USERS = 32;
/** Log-ins whose processor time is counted. */
const COUNTED = 240;
const CHECKS = { perSecond: 100, seconds: 8 };

type Print = (text: string) => void;
type PickUser = (index: number) => SignupInput;

const registerUsers = async (system: System): Promise<PickUser> => {
  const users = Array.from({ length: USERS }, () => newUser());
  for (const user of users) {
    const { status } = await signUp(system, user);
    if (status !== 201) throw new Error(`a sign-up returned ${status}`);
  }
  return (index) => users[index % USERS] as SignupInput;
};

const throughIdentity = (system: System, pick: PickUser): Subject => {
  const identity = createIdentityClient(system);
  return {
    name: 'identity: POST /credentials/verify',
    run: (index) => {
      const { email, password } = pick(index);
      const input = { email, password, role: 'user' } as const;
      return identity(identityEndpoints.verifyCredentials, input, {
        caller: { role: 'anonymous', userId: null },
      });
    },
  };
};

const throughBff = ({ publicUrl }: System, pick: PickUser): Subject => ({
  name: 'the product: POST /login',
  run: async (index) => {
    const { email, password } = pick(index);
    const { status } = await callApi(`${publicUrl}/login`, 'POST', { body: { email, password } });
    if (status !== 200) throw new Error(`a log-in returned ${status}`);
  },
});

const compareRates = async (subjects: readonly Subject[], print: Print): Promise<void> => {
  const plan = { rounds: ROUNDS, seconds: SECONDS, concurrency: CONCURRENCY };
  const [library, ...products] = await measureInTurns([await verifying(), ...subjects], plan);
  print(`P4 log-ins, ${CONCURRENCY} at once`);
  if (library) print(`  ${line(library)}`);
  for (const product of products) print(`  ${line(product)}   of the library ${ratio(product, library)}`);
};

const checkSessions = ({ publicUrl }: System, token: string): Promise<number[]> =>
  atConstantRate(CHECKS, async () => {
    const startedAt = performance.now();
    const { status } = await callApi(`${publicUrl}/api/check_authentication`, 'GET', { token });
    if (status !== 200) throw new Error(`a session check returned ${status}`);
    return performance.now() - startedAt;
  });

/** Runs `work` while log-ins follow each other as fast as they are answered. */
const during = async <T>({ run }: Subject, work: () => Promise<T>): Promise<T> => {
  let isOver = false;
  let index = 0;
  const loop = async (): Promise<void> => {
    while (!isOver) await run((index += 1));
  };
  const loops = Array.from({ length: CONCURRENCY }, loop);
  try {
    return await work();
  } finally {
    isOver = true;
    await Promise.all(loops);
  }
};

const compareChecks = async (system: System, logIns: Subject, print: Print): Promise<void> => {
  const token = await logInAdmin(system);
  const [rest, flooded]: [number[], number[]] = [[], []];
  await checkSessions(system, token); // warm-up
  for (let round = 0; round < ROUNDS; round += 1) {
    rest.push(...(await checkSessions(system, token)));
    flooded.push(...(await during(logIns, () => checkSessions(system, token))));
  }
  const describe = (times: number[]): string =>
    `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;
  print(`P4 session checks, ${CHECKS.perSecond} per second`);
  print(`  at rest                ${describe(rest)}`);
  print(`  during the log-ins     ${describe(flooded)}`);
  print(`  ratio of p99           ${(percentile(flooded, 0.99) / percentile(rest, 0.99)).toFixed(2)}`);
};

/** The processor time that a log-in takes in each process, which other work of the machine hardly changes. */
const printUsage = async (system: System, { run }: Subject, print: Print): Promise<void> => {
  const pids = PROCESS_NAMES.map((name) => [name, system.process(name).pid] as const);
  const before = pids.map(([, pid]) => processorMs(pid));
  const runShare = async (_: unknown, share: number): Promise<void> => {
    for (let index = share; index < COUNTED; index += CONCURRENCY) await run(index);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runShare));
  const perLogIn = pids.map(([name, pid], index) => {
    const ms = (processorMs(pid) - (before[index] ?? Number.NaN)) / COUNTED;
    return `${name} ${ms.toFixed(1)}`;
  });
  print(`P4 processor time of a log-in in ms: ${perLogIn.join(', ')}`);
};

/** P4 Compares log-ins with the hash library alone, and session checks during log-ins with those at rest. */
export const benchLogin = async (print: Print): Promise<void> => {
  const system = await startSystem({ env: { bff: WITHOUT_LIMITS } });
  try {
    const pick = await registerUsers(system);
    const logIns = throughBff(system, pick);
    await compareRates([throughIdentity(system, pick), logIns], print);
    await printUsage(system, logIns, print);
    await compareChecks(system, logIns, print);
  } finally {
    await system.stop();
  }
};
