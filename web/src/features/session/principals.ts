import type { LogInReply, SecondStep } from '@shortlist/contracts/api/authentication';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { LoginInput } from '@shortlist/contracts/schemas/account';
import { buffers, eventChannel, type EventChannel } from 'redux-saga';
import { failureOf } from '../../lib/api/api-error.ts';
import { call, onSessionSignal, type SessionSignal } from '../../lib/api/call.ts';
import { forgetEmail, loadEmail } from '../../lib/data/use-account.ts';
import type { SessionKind, Started } from '../../lib/state/sessions.ts';
import { ADMIN_TOKEN, CURRENT_NOTICES, isShared, removeItem, USER_TOKEN } from '../../lib/storage.ts';

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

export type LoggedIn = { kind: 'loggedIn'; session: Started };

/** The outcome of a log-in or a token check. A rejection without a message has a null `error`. */
export type Outcome =
  | LoggedIn
  | { kind: 'secondStep'; step: SecondStep }
  | { kind: 'rejected'; error: string | null }
  | { kind: 'unreachable'; error: string };

/** What differs between the session of an end user and of an admin. */
export type Principal = {
  kind: SessionKind;
  storageKey: string;
  login: (input: LoginInput) => Promise<Outcome>;
  check: (token: string) => Promise<Outcome>;
  /** Reads what the first page after a log-in shows beside the user. */
  prepare: (token: string) => Promise<unknown>;
  forget: () => void;
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
  if (reply.message === 'login') return { kind: 'loggedIn', session: reply.data };
  const { credentials, role, needsSecondFactor = false } = reply;
  const { token, expiresIn: remainingTime } = credentials;
  return { kind: 'loggedIn', session: { token, remainingTime, role, needsSecondFactor } };
};

export const endUser: Principal = {
  kind: 'user',
  storageKey: USER_TOKEN,
  login: (input) =>
    toOutcome(async () => {
      const reply = await call(publicEndpoints.login, input);
      if (reply.message === 'second factor') return { kind: 'secondStep', step: reply.data };
      // Source: docs/product.md.
      return reply.message === 'login' ? loggedIn(reply) : { kind: 'rejected', error: null };
    }),
  check: (token) =>
    toOutcome(async () => {
      const reply = await call(publicEndpoints.checkUser, {}, { token });
      return { kind: 'loggedIn', session: { token, ...reply } };
    }),
  prepare: (token) => loadEmail(token).catch(() => undefined), // the page reads it again
  forget: () => {
    forgetEmail();
    removeItem(CURRENT_NOTICES);
  },
};

export const admin: Principal = {
  kind: 'admin',
  storageKey: ADMIN_TOKEN,
  login: (input) =>
    toOutcome(async () => {
      const reply = await call(publicEndpoints.adminLogin, input);
      return reply.message === 'second factor' ? { kind: 'secondStep', step: reply.data } : loggedIn(reply);
    }),
  check: (token) =>
    toOutcome(async () => {
      const reply = await call(publicEndpoints.checkAdmin, {}, { token });
      return { kind: 'loggedIn', session: { token, ...reply } };
    }),
  prepare: () => Promise.resolve(),
  forget: () => undefined,
};
