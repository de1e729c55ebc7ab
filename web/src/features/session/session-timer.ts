import type { EventChannel } from 'redux-saga';
import { delay, put, race, take, type Effect } from 'redux-saga/effects';
import type { SessionSignal } from '../../lib/api/session-signals.ts';
import { now } from '../../lib/clock.ts';
import { sessionSignals, wakes } from './browser-channels.ts';
import type { Principal } from './principals.ts';

// Looked at in steps: a browser's timer overflows beyond 2^31 ms and stands still while a laptop sleeps.
const STEP_MS = 60_000;
/** A session in use is checked this long before its end, since the server may have prolonged it. */
const RENEW_MS = 60_000;

type Turn = { signal?: SessionSignal; woke?: true };
type Channels = { signals: EventChannel<SessionSignal>; woken: EventChannel<true> };
type Watched = { token: string; end: number; renewAt: number; isUsed: boolean };

function* waitForTurn(milliseconds: number, { signals, woken }: Channels): Generator<Effect, Turn, unknown> {
  return (yield race({ tick: delay(milliseconds), signal: take(signals), woke: take(woken) })) as Turn;
}

const stepOf = ({ end, renewAt, isUsed }: Watched): number => {
  const left = (isUsed ? Math.min(end, renewAt) : end) - now();
  return Math.min(Math.max(left, 0), STEP_MS);
};

/** What a turn calls for: asking the server, ending the session, or nothing yet. */
const dueAfter = ({ end, renewAt, isUsed }: Watched, { woke }: Turn): 'check' | 'end' | 'nothing' => {
  const time = now();
  if (time >= end) return woke ? 'check' : 'end';
  return isUsed && time >= renewAt ? 'check' : 'nothing';
};

function* watch(
  principal: Principal,
  watched: Watched,
  channels: Channels,
): Generator<Effect, void, unknown> {
  for (;;) {
    const turn = yield* waitForTurn(stepOf(watched), channels);
    if (turn.signal?.kind === 'used' && turn.signal.token === watched.token) watched.isUsed = true;
    const due = dueAfter(watched, turn);
    if (due === 'check') yield put(principal.actions.checkRequested(watched.token));
    if (due === 'end') yield put(principal.actions.ended({ token: watched.token, reason: 'expired' }));
    if (due !== 'nothing') return;
  }
}

/** Ends the session when the server's remaining seconds are over; after a sleep the server is asked first. */
export function* runTimer(
  principal: Principal,
  token: string,
  remainingTime: number,
): Generator<Effect, void, unknown> {
  const end = now() + remainingTime * 1000;
  const renewAt = remainingTime * 1000 > 2 * RENEW_MS ? end - RENEW_MS : Infinity;
  const channels: Channels = { signals: sessionSignals(), woken: wakes() };
  try {
    yield* watch(principal, { token, end, renewAt, isUsed: false }, channels);
  } finally {
    channels.signals.close();
    channels.woken.close();
  }
}
