import type { Action } from '@reduxjs/toolkit';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { publicEndpoints, type UserView } from '@shortlist/contracts/api/public';
import type { LogInReply, SecondStep } from '@shortlist/contracts/api/public-sessions';
import type { LoginInput } from '@shortlist/contracts/schemas/account';
import { buffers, eventChannel, type EventChannel } from 'redux-saga';
import { failureOf } from '../../lib/api/api-error.ts';
import { call, onSessionSignal, type SessionSignal } from '../../lib/api/call.ts';
import { forgetEmail, loadEmail } from '../../lib/data/use-email.ts';
import { adminAuth } from '../../lib/state/admin-auth.ts';
import { type Ended, endUserAuth } from '../../lib/state/end-user-auth.ts';
import type { RootState } from '../../lib/state/reducers.ts';
import { ADMIN_TOKEN, isShared, USER_TOKEN } from '../../lib/storage.ts';

export const sessionSignals = (): EventChannel<SessionSignal> =>
  eventChannel((emit) => onSessionSignal(emit), buffers.expanding());

/** Emits the new value of a stored item when another tab changes it, and '' when it is removed. */
export const otherTabStorage = (key: string): EventChannel<string> =>
  eventChannel((emit) => {
    const listener = (event: StorageEvent): void => {
      // The key is null when the whole storage is cleared.
      if (isShared(key) && (event.key === key || event.key === null)) emit(event.newValue ?? '');
    };
    window.addEventListener('storage', listener);
    return () => window.removeEventListener('storage', listener);
  }, buffers.expanding());

/** Emits when the page becomes visible, is restored from the back-forward cache, or is online again. */
export const pageActivations = (): EventChannel<true> =>
  eventChannel((emit) => {
    const listener = (): void => {
      if (document.visibilityState === 'visible') emit(true);
    };
    document.addEventListener('visibilitychange', listener);
    window.addEventListener('pageshow', listener);
    window.addEventListener('online', listener);
    return () => {
      document.removeEventListener('visibilitychange', listener);
      window.removeEventListener('pageshow', listener);
      window.removeEventListener('online', listener);
    };
  }, buffers.sliding(1));

export type LoggedIn = {
  kind: 'loggedIn';
  token: string;
  remainingTime: number;
  user: UserView | null;
  /** Of an admin. */
  role?: AdminRole;
  needsSecondFactor?: boolean;
  deletionDueAt?: string;
};

/** The outcome of a log-in or a token check. A rejection without a message has a null `error`. */
export type Outcome =
  | LoggedIn
  | { kind: 'secondStep'; step: SecondStep }
  | { kind: 'rejected'; error: string | null }
  | { kind: 'unreachable'; error: string };

type Creator<Payload> = { type: string } & ((payload: Payload) => Action);
type PlainCreator = { type: string } & (() => Action);

/** What differs between the session of an end user and of an admin. */
export type Principal = {
  storageKey: string;
  select: (state: RootState) => { token: string | null; isLoggedIn: boolean };
  login: (input: LoginInput) => Promise<Outcome>;
  check: (token: string) => Promise<Outcome>;
  started: (outcome: LoggedIn) => Action;
  /** Reads what the first page after a log-in shows beside the user. */
  prepare: (token: string) => Promise<unknown>;
  forget: () => void;
  /** The actions that restart the session timer. */
  timerActions: string[];
  actions: {
    loginRequested: Creator<LoginInput>;
    loginFailed: Creator<string | null>;
    secondStepRequested: Creator<SecondStep>;
    loginCompleted: Creator<LogInReply>;
    checkRequested: Creator<string>;
    checkUnreachable: PlainCreator;
    logoutRequested: PlainCreator;
    ended: Creator<Ended>;
  };
};

const isRejection = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 429 && status !== 408;

const toOutcome = async (run: () => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await run();
  } catch (thrown) {
    const { status, message } = failureOf(thrown);
    return { kind: isRejection(status) ? 'rejected' : 'unreachable', error: message };
  }
};

/** The session of a complete log-in. */
export const loggedIn = (reply: LogInReply): LoggedIn => {
  if (reply.message === 'login') return { kind: 'loggedIn', ...reply.data };
  const { credentials, role, needsSecondFactor = false } = reply;
  const { token, expiresIn: remainingTime } = credentials;
  return { kind: 'loggedIn', token, remainingTime, user: null, role, needsSecondFactor };
};

export const endUser: Principal = {
  storageKey: USER_TOKEN,
  select: ({ endUserAuth: state }) => ({ token: state.endUserToken, isLoggedIn: state.isEndUserLoggedIn }),
  login: (input) =>
    toOutcome(async () => {
      const reply = await call(publicEndpoints.login, input);
      if (reply.message === 'second factor') return { kind: 'secondStep', step: reply.data };
      // Source: docs/product.md.
      return reply.message === 'login' ? loggedIn(reply) : { kind: 'rejected', error: null };
    }),
  check: (token) =>
    toOutcome(async () => ({
      kind: 'loggedIn',
      token,
      ...(await call(publicEndpoints.checkUser, {}, { token })),
    })),
  started: ({ token, remainingTime, user, deletionDueAt }) => {
    if (user === null) throw new TypeError('An end user’s session names the user.');
    const deletion = deletionDueAt === undefined ? {} : { deletionDueAt };
    return endUserAuth.started({ token, remainingTime, user, ...deletion });
  },
  prepare: (token) => loadEmail(token).catch(() => undefined), // the page reads it again
  forget: forgetEmail,
  timerActions: [endUserAuth.started.type, endUserAuth.refreshed.type],
  actions: endUserAuth,
};

export const admin: Principal = {
  storageKey: ADMIN_TOKEN,
  select: ({ adminAuth: state }) => ({ token: state.token, isLoggedIn: state.isLoggedIn }),
  login: (input) =>
    toOutcome(async () => {
      const reply = await call(publicEndpoints.adminLogin, input);
      return reply.message === 'second factor' ? { kind: 'secondStep', step: reply.data } : loggedIn(reply);
    }),
  check: (token) =>
    toOutcome(async () => ({
      kind: 'loggedIn',
      token,
      user: null,
      ...(await call(publicEndpoints.checkAdmin, {}, { token })),
    })),
  started: ({ token, remainingTime, role, needsSecondFactor = false }) => {
    if (role === undefined) throw new TypeError('An admin’s session names the role.');
    return adminAuth.started({ token, remainingTime, role, needsSecondFactor });
  },
  prepare: () => Promise.resolve(),
  forget: () => undefined,
  timerActions: [adminAuth.started.type],
  actions: adminAuth,
};
