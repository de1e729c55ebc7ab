import { hash, verify } from '@node-rs/argon2';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import type { SignupInput } from '@shortlist/contracts/schemas/account';
// The hash library alone is measured with identity's settings.
import { HASH_SETTINGS } from '@shortlist/identity/passwords';
import { type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { PROCESS_NAMES } from '@shortlist/local/system/ports';
import { callApi, logIn, logInAdmin, newUser, register } from '../../harness/client.ts';
import {
  atConstantRate,
  calling,
  describeTimes,
  measureInTurns,
  type Print,
  printCompared,
  ratioOfTimes,
  type Subject,
  timed,
} from './measure.ts';
import { openService, processorMs, selectOne, withSystem } from './surroundings.ts';

/** Log-ins and sign-ups at once. */
const AT_ONCE = 8;
/** More than log-ins at once, so that none waits for another of its account. */
const USERS = 32;
/** Log-ins whose processor time is counted. */
const COUNTED = 240;
const CHECKS = { perSecond: 100, seconds: 8 };
const CHECK_ROUNDS = 5;
const PASSWORD = 'a long enough one';
const ANONYMOUS = { caller: { role: 'anonymous', userId: null } } as const;
/** What the library alone makes of the processors, with identity's settings. */
export const hashing = (): Subject =>
  calling('the hash library: hash', AT_ONCE, () => hash(PASSWORD, HASH_SETTINGS));

const verifying = async (): Promise<Subject> => {
  const passwordHash = await hash(PASSWORD, HASH_SETTINGS);
  return calling('the hash library: verify', AT_ONCE, () => verify(passwordHash, PASSWORD));
};

/** Calls identity as bff does, without bff. */
const openIdentity = ({ secrets, urls }: System) =>
  openService('identity', urls.identity, secrets.IDENTITY_TOKEN_KEYS);

const checkSessions = ({ publicUrl }: System, token: string): Promise<number[]> =>
  atConstantRate(CHECKS, () =>
    timed(async () => {
      const { status } = await callApi(`${publicUrl}/api/check_authentication`, 'GET', { token });
      if (status !== 200) throw new Error(`a session check returned ${status}`);
    }),
  );

const compareChecks = async (system: System, logIns: Subject, print: Print): Promise<void> => {
  const token = await logInAdmin(system);
  const [rest, flooded]: [number[], number[]] = [[], []];
  await checkSessions(system, token); // warm-up
  for (let round = 0; round < CHECK_ROUNDS; round += 1) {
    rest.push(...(await checkSessions(system, token)));
    const [, times] = await Promise.all([logIns.measure(CHECKS.seconds), checkSessions(system, token)]);
    flooded.push(...times);
  }
  print(`P4 session checks, ${CHECKS.perSecond} per second`);
  print(`  at rest                ${describeTimes(rest)}`);
  print(`  during the log-ins     ${describeTimes(flooded)}   ratio of p99 ${ratioOfTimes(flooded, rest)}`);
};

/** The processor time that a log-in takes in each process, which other work of the machine hardly changes. */
const printUsage = async (system: System, users: readonly SignupInput[], print: Print): Promise<void> => {
  const pids = PROCESS_NAMES.map((name) => [name, system.process(name).pid] as const);
  const before = pids.map(([, pid]) => processorMs(pid));
  for (let count = 0; count < COUNTED; count += AT_ONCE)
    await Promise.all(users.slice(0, AT_ONCE).map((user) => logIn(system, user)));
  const perLogIn = pids.map(([name, pid], index) => {
    const ms = (processorMs(pid) - (before[index] ?? Number.NaN)) / COUNTED;
    return `${name} ${ms.toFixed(1)}`;
  });
  print(`P4 processor time of a log-in in ms: ${perLogIn.join(', ')}`);
};

/** P4 Compares log-ins with the hash library alone, and session checks during log-ins with those at rest. */
export const benchLogin = (print: Print): Promise<void> =>
  withSystem({ bff: WITHOUT_LIMITS }, async (system) => {
    const users = Array.from({ length: USERS }, () => newUser());
    for (const user of users) await register(system, user);
    const pick = (index: number): SignupInput => users[index % USERS] as SignupInput;
    const identity = openIdentity(system);
    const throughIdentity = calling('identity: POST /credentials/verify', AT_ONCE, (index) => {
      const { email, password } = pick(index);
      return identity(logInEndpoints.verifyCredentials, { email, password, role: 'user' }, ANONYMOUS);
    });
    const logIns = calling('the product: POST /login', AT_ONCE, (index) => logIn(system, pick(index)));
    const measured = await measureInTurns([await verifying(), throughIdentity, logIns]);
    printCompared(print, `P4 log-ins, ${AT_ONCE} at once`, measured);
    await printUsage(system, users, print);
    await compareChecks(system, logIns, print);
  });

const STORED = `SELECT (SELECT COUNT(*) FROM identity.accounts WHERE role = 'user') AS accounts, COUNT(*) AS events,
  COALESCE(SUM(published_at IS NULL), 0) AS unpublished FROM identity.outbox`;

/** P5 Compares sign-ups, whose events are published, with the hash library alone. The other processes are stopped. */
export const benchSignup = (print: Print): Promise<void> =>
  withSystem({}, async (system) => {
    for (const name of PROCESS_NAMES) if (name !== 'identity') await system.process(name).stop();
    const identity = openIdentity(system);
    let registered = 0;
    const signUps = calling('identity: POST /accounts', AT_ONCE, async () => {
      await identity(signUpEndpoints.register, { ...newUser(), picture: null }, ANONYMOUS);
      registered += 1;
    });
    printCompared(print, `P5 sign-ups, ${AT_ONCE} at once`, await measureInTurns([hashing(), signUps]));
    const stored = await selectOne<Record<'accounts' | 'events' | 'unpublished', number>>(system, STORED);
    if (Number(stored.accounts) !== registered || Number(stored.events) < registered)
      throw new Error(`${registered} sign-ups stored ${stored.accounts} accounts, ${stored.events} events`);
    print(`  ${registered} accounts stored; events unpublished at the end: ${stored.unpublished}`);
  });
