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

const USERS = 60;

/** Throws when a call was refused. */
export const accepted = async (calling: Promise<{ status: number; body: unknown }>): Promise<void> => {
  const { status, body } = await calling;
  if (status >= 300) throw new Error(`returned ${status} ${JSON.stringify(body)}`);
};

export type EverydayAction = 'log-in' | 'sign-up' | 'session check' | 'reading the credits' | 'charge';
/** Runs an action for one of the users, who take turns. */
export type EverydayActions = Record<EverydayAction, (index: number) => Promise<unknown>>;

/** Signs up users, logs them in, and returns what they do. Each has the credits of a free plan. */
export const prepareEverydayActions = async (system: System): Promise<EverydayActions> => {
  const url = system.publicUrl;
  const users: SignupInput[] = Array.from({ length: USERS }, () => newUser());
  const sessions: UserSession[] = [];
  for (const user of users) {
    await signUp(system, user);
    sessions.push(await logIn(system, user));
  }
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
