import type { EventChannel } from 'redux-saga';
import { call, delay, put, race, take, type Effect } from 'redux-saga/effects';
import type { SessionSignal } from '../../lib/api/session-signals.ts';
import { sessionSignals, wakes } from './browser-channels.ts';
import type { Principal } from './principals.ts';

// Looked at in steps: a browser's timer overflows beyond 2^31 ms and stands still while a laptop sleeps.
const STEP_MS = 60_000;
/** A session in use is checked this long before its end, since the server may have prolonged it. */
const RENEW_MS = 60_000;

type Turn = { signal?: SessionSignal; woke?: true };
type Channels = { signals: EventChannel<SessionSignal>; woken: EventChannel<true> };

function* waitForTurn(milliseconds: number, { signals, woken }: Channels): Generator<Effect, Turn, unknown> {
  const turn = yield race({ tick: delay(milliseconds), signal: take(signals), woke: take(woken) });
  return turn as Turn;
}

const wait = (end: number, renewAt: number, used: boolean): number => {
  const left = (used ? Math.min(end, renewAt) : end) - Date.now();
  return Math.min(Math.max(left, 0), STEP_MS);
};

/** Ends the session when the server's remaining seconds are over; after a sleep the server is asked first. */
export function* runTimer(
  principal: Principal,
  token: string,
  remainingTime: number,
): Generator<Effect, void, unknown> {
  const channels = {
    signals: (yield call(sessionSignals)) as EventChannel<SessionSignal>,
    woken: (yield call(wakes)) as EventChannel<true>,
  };
  const end = Date.now() + remainingTime * 1000;
  const renewAt = remainingTime * 1000 > 2 * RENEW_MS ? end - RENEW_MS : Infinity;
  let used = false;
  try {
    for (;;) {
      const turn = yield* waitForTurn(wait(end, renewAt, used), channels);
      if (turn.signal?.kind === 'used' && turn.signal.token === token) used = true;
      const now = Date.now();
      const isRenewal = used && now >= renewAt && now < end;
      if (isRenewal || (turn.woke && now >= end)) {
        yield put(principal.actions.checkRequested(token));
        return;
      }
      if (now >= end) {
        yield put(principal.actions.ended({ token, reason: 'expired' }));
        return;
      }
    }
  } finally {
    channels.signals.close();
    channels.woken.close();
  }
}
