import type { Action, PayloadAction } from '@reduxjs/toolkit';
import type { LogInReply } from '@shortlist/contracts/api/authentication';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { minutes, seconds } from '@shortlist/contracts/durations';
import type { LoginInput } from '@shortlist/contracts/schemas/account';
import type { EventChannel } from 'redux-saga';
import {
  all,
  call,
  delay,
  type Effect,
  fork,
  put,
  race,
  select,
  take,
  takeEvery,
  takeLatest,
} from 'redux-saga/effects';
import { call as callEndpoint, type SessionSignal } from '../../lib/api/call.ts';
import { now } from '../../lib/dates.ts';
import { claimDrafts, clearDrafts } from '../../lib/form/drafts.ts';
import type { RootState } from '../../lib/state/reducers.ts';
import { type Ended, type Session, sessions, type Started } from '../../lib/state/sessions.ts';
import {
  readItem,
  readTabItem,
  removeItem,
  removeTabItem,
  welcomedKey,
  writeItem,
  writeTabItem,
} from '../../lib/storage.ts';
import {
  admin,
  endUser,
  loggedIn,
  type LoggedIn,
  otherTabStorage,
  type Outcome,
  type Principal,
  sessionSignals,
} from './principals.ts';
import { runTimer } from './session-timer.ts';

/** Tabs learn the end of one session at different times. */
const TOLERANCE_MS = minutes(1);

const keyOf = ({ storageKey }: Principal): string => `sessionEnds:${storageKey}`;

/** Remembers for this tab when the time of the session is over. */
const rememberEnd = (principal: Principal, remainingTime: number): void =>
  writeTabItem(keyOf(principal), String(now() + seconds(remainingTime)));

const forgetEnd = (principal: Principal): void => removeTabItem(keyOf(principal));

/** Why a session has ended outside this tab: its time is over, unless there was some left. */
const endReason = (principal: Principal, early: 'revoked' | 'otherTab'): Ended['reason'] =>
  now() < Number(readTabItem(keyOf(principal)) ?? 0) - TOLERANCE_MS ? early : 'expired';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;
/** How long a log-in waits for what its first page shows beside the user. */
const PREPARE_MS = 500;

type Saga = Generator<Effect, void, unknown>;

const sessionOf = (state: RootState, { kind }: Principal): Session => state.sessions[kind];

/** The pattern of actions about the session of a principal. */
const about =
  ({ kind }: Principal, ...creators: { type: string }[]) =>
  (action: Action): boolean =>
    creators.some(({ type }) => type === action.type) &&
    (action as ReturnType<typeof sessions.ended>).meta.kind === kind;

function* start(principal: Principal, { session }: LoggedIn): Saga {
  yield call(removeItem, welcomedKey(principal.storageKey));
  yield race({ prepared: call(principal.prepare, session.token), timeout: delay(PREPARE_MS) });
  yield put(sessions.started(principal.kind, session));
}

function* logIn(principal: Principal, { payload }: PayloadAction<LoginInput>): Saga {
  const outcome = (yield call(principal.login, payload)) as Outcome;
  if (outcome.kind === 'loggedIn') yield* start(principal, outcome);
  else if (outcome.kind === 'secondStep')
    yield put(sessions.secondStepRequested(principal.kind, outcome.step));
  else yield put(sessions.loginFailed(principal.kind, outcome.error));
}

/** After a second step, or a log-in with a passkey. */
function* completeLogIn(principal: Principal, { payload }: PayloadAction<LogInReply>): Saga {
  yield* start(principal, loggedIn(payload));
}

/** Checks the token until the server accepts or rejects it. An unreachable server does neither, so the token stays. */
function* checkUntilSettled(principal: Principal, token: string): Saga {
  for (let pause = FIRST_RETRY_MS; ; pause = Math.min(pause * 2, LONGEST_RETRY_MS)) {
    const outcome = (yield call(principal.check, token)) as Outcome;
    if (outcome.kind === 'loggedIn') {
      yield put(sessions.started(principal.kind, outcome.session));
      return;
    }
    if (outcome.kind === 'rejected') {
      yield put(sessions.ended(principal.kind, { token, reason: endReason(principal, 'revoked') }));
      return;
    }
    yield put(sessions.checkUnreachable(principal.kind));
    yield delay(pause);
  }
}

/** Checks a token. A log-out in the meantime cancels the check. */
function* check(principal: Principal, { payload: token }: PayloadAction<string>): Saga {
  yield race({
    result: call(checkUntilSettled, principal, token),
    ended: take(about(principal, sessions.ended)),
  });
}

const requestLogout = (token: string): Promise<boolean> =>
  callEndpoint(publicEndpoints.logout, {}, { token }).then(
    () => true,
    () => false,
  );

function* logOut(principal: Principal): Saga {
  const { token } = (yield select(sessionOf, principal)) as Session;
  if (token === null) return;
  yield put(sessions.ended(principal.kind, { token, reason: 'logout' }));
  // The session ends in the browser at once; the server is notified as soon as it can be reached.
  for (const pause of [0, FIRST_RETRY_MS, LONGEST_RETRY_MS]) {
    yield delay(pause);
    const isDone = (yield call(requestLogout, token)) as boolean;
    if (isDone) return;
  }
}

function* timeSession(principal: Principal, { payload }: PayloadAction<Started>): Saga {
  const { token, isLoggedIn } = (yield select(sessionOf, principal)) as Session;
  if (!isLoggedIn || token !== payload.token) return;
  yield call(rememberEnd, principal, payload.remainingTime);
  if (payload.user !== undefined) yield call(claimDrafts, payload.user.id);
  if (readItem(principal.storageKey) !== token) yield call(writeItem, principal.storageKey, token);
  yield race({
    timer: call(runTimer, principal, payload.token, payload.remainingTime),
    ended: take(about(principal, sessions.ended)),
  });
}

/**
 * Removes the stored token of the ended session, unless another tab has stored a newer one. The drafts survive only a session
 * whose time is over: an end that was caused here or elsewhere also ends the access to what was typed.
 */
function* clearSession(principal: Principal, { payload }: PayloadAction<Ended>): Saga {
  if (payload.reason !== 'expired') yield call(clearDrafts);
  yield call(forgetEnd, principal);
  if (readItem(principal.storageKey) !== payload.token) return;
  yield call(removeItem, principal.storageKey);
  yield call(principal.forget);
  yield call(removeItem, welcomedKey(principal.storageKey));
}

/** Drops the drafts of a session that ended early while this tab showed no page of ours. */
function* clearMissedSession(principal: Principal): Saga {
  if (endReason(principal, 'otherTab') !== 'expired') yield call(clearDrafts);
  yield call(forgetEnd, principal);
}

function* followOtherTabs(principal: Principal): Saga {
  const channel = (yield call(otherTabStorage, principal.storageKey)) as EventChannel<string>;
  try {
    for (;;) {
      const stored = (yield take(channel)) as string;
      const { token } = (yield select(sessionOf, principal)) as Session;
      if (stored === '' && token !== null)
        yield put(sessions.ended(principal.kind, { token, reason: endReason(principal, 'otherTab') }));
      else if (stored !== '' && stored !== token) yield put(sessions.checkRequested(principal.kind, stored));
    }
  } finally {
    channel.close();
  }
}

function* followSignals(principal: Principal): Saga {
  const channel = (yield call(sessionSignals)) as EventChannel<SessionSignal>;
  try {
    for (;;) {
      const signal = (yield take(channel)) as SessionSignal;
      const { token, isLoggedIn } = (yield select(sessionOf, principal)) as Session;
      if (!isLoggedIn || signal.token !== token) continue;
      if (signal.kind === 'rejected')
        yield put(sessions.ended(principal.kind, { token, reason: endReason(principal, 'revoked') }));
      // The check returns what the session may do.
      else if (signal.kind === 'restricted') yield put(sessions.checkRequested(principal.kind, token));
    }
  } finally {
    channel.close();
  }
}

function* runPrincipal(principal: Principal): Saga {
  yield fork(followOtherTabs, principal);
  yield fork(followSignals, principal);
  yield takeEvery(about(principal, sessions.ended), clearSession, principal);
  yield takeLatest(about(principal, sessions.loginRequested), logIn, principal);
  yield takeLatest(about(principal, sessions.loginCompleted), completeLogIn, principal);
  yield takeLatest(about(principal, sessions.checkRequested), check, principal);
  yield takeLatest(about(principal, sessions.logoutRequested), logOut, principal);
  yield takeLatest(about(principal, sessions.started, sessions.refreshed), timeSession, principal);
  const { token } = (yield select(sessionOf, principal)) as Session;
  if (token === null) yield call(clearMissedSession, principal);
  else yield put(sessions.checkRequested(principal.kind, token));
}

export function* sessionSaga(): Saga {
  yield all([call(runPrincipal, endUser), call(runPrincipal, admin)]);
}
