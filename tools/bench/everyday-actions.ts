// The actions of an ordinary day, by users who have signed up and logged in before.
import { randomUUID } from 'node:crypto';
import type { SignupInput } from '@shortlist/contracts/schemas/account';
import type { System } from '@shortlist/local/system';
import {
  callApi,
  chargeCredit,
  logIn,
  logInAdmin,
  newUser,
  signUp,
  type UserSession,
} from '../../harness/client.ts';
import { selectOne } from './surroundings.ts';

const USERS = 60;

/** How often an action runs before it is measured: the compilers of all processes optimise what has run some thousand times. */
const WARM_UP_RUNS = { often: 3_000, seldom: 400 };
const WARM_UP_AT_ONCE = 4;

/** Throws when a call was refused. */
export const accepted = async (calling: Promise<{ status: number; body: unknown }>): Promise<void> => {
  const { status, body } = await calling;
  if (status >= 300) throw new Error(`returned ${status} ${JSON.stringify(body)}`);
};

export type EverydayAction = 'log-in' | 'sign-up' | 'session check' | 'reading the credits' | 'charge';
/** Runs an action for one of the users, who take turns. */
export type EverydayActions = Record<EverydayAction, (index: number) => Promise<unknown>>;

/** Runs an action so often that it is warm. `isSeldom`: whether it takes much longer than others. */
export const warmUp = async (
  act: (index: number) => Promise<unknown>,
  { isSeldom }: { isSeldom: boolean },
): Promise<void> => {
  const runs = isSeldom ? WARM_UP_RUNS.seldom : WARM_UP_RUNS.often;
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < runs) {
      next += 1;
      await act(next);
    }
  };
  await Promise.all(Array.from({ length: WARM_UP_AT_ONCE }, run));
};

/** Gives those who have charged more credits than they charge. */
export const raiseCredits = (system: System): Promise<unknown> =>
  selectOne(system, 'UPDATE credits.credit_buckets SET credit_limit = 1000000, usable = 1000000');

/** Signs up users, logs them in, and returns what they do. They have more credits than they charge. */
export const prepareEverydayActions = async (system: System): Promise<EverydayActions> => {
  const url = system.publicUrl;
  const users: SignupInput[] = Array.from({ length: USERS }, () => newUser());
  const sessions: UserSession[] = [];
  for (const user of users) {
    await signUp(system, user);
    sessions.push(await logIn(system, user));
  }
  for (const session of sessions)
    await accepted(chargeCredit(system, session, { operationId: randomUUID() })); // which opens the bucket
  await raiseCredits(system);
  const admin = await logInAdmin(system);
  const userAt = (index: number): SignupInput => users[index % USERS] as SignupInput;
  const sessionAt = (index: number): UserSession => sessions[index % USERS] as UserSession;
  return {
    'log-in': (index) => logIn(system, userAt(index)),
    'sign-up': () => accepted(signUp(system, newUser())),
    'session check': () => accepted(callApi(`${url}/api/check_authentication`, 'GET', { token: admin })),
    'reading the credits': (index) =>
      accepted(callApi(`${url}/api/credits`, 'GET', { token: sessionAt(index).token })),
    charge: (index) => accepted(chargeCredit(system, sessionAt(index), { operationId: randomUUID() })),
  };
};
