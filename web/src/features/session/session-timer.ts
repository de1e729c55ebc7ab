import type { EventChannel } from 'redux-saga';
import { delay, put, race, take, type Effect } from 'redux-saga/effects';
import { minutes, seconds } from '@shortlist/contracts/durations';
import type { SessionSignal } from '../../lib/api/call.ts';
import { now } from '../../lib/dates.ts';
import { sessions } from '../../lib/state/sessions.ts';
import { pageActivations, type Principal, sessionSignals } from './principals.ts';

// The timer runs in steps, because a browser's timer overflows beyond 2^31 ms and stops while a laptop sleeps.
const STEP_MS = minutes(1);
/** An active session is checked this long before its end, because the server may have extended it. */
const RENEW_MS = minutes(1);

type TimerEvent = { signal?: SessionSignal; activated?: true };
type Channels = { signals: EventChannel<SessionSignal>; activations: EventChannel<true> };
type TimedSession = { token: string; end: number; renewAt: number; isUsed: boolean };

function* nextEvent(
  milliseconds: number,
  { signals, activations }: Channels,
): Generator<Effect, TimerEvent, unknown> {
  return (yield race({
    tick: delay(milliseconds),
    signal: take(signals),
    activated: take(activations),
  })) as TimerEvent;
}

const stepOf = ({ end, renewAt, isUsed }: TimedSession): number => {
  const remaining = (isUsed ? Math.min(end, renewAt) : end) - now();
  return Math.min(Math.max(remaining, 0), STEP_MS);
};

/** The action that a timer event requires. */
const actionAfter = (
  { end, renewAt, isUsed }: TimedSession,
  { activated }: TimerEvent,
): 'check' | 'end' | 'nothing' => {
  const time = now();
  if (time >= end) return activated ? 'check' : 'end';
  return isUsed && time >= renewAt ? 'check' : 'nothing';
};

function* watch(
  principal: Principal,
  session: TimedSession,
  channels: Channels,
): Generator<Effect, void, unknown> {
  for (;;) {
    const event = yield* nextEvent(stepOf(session), channels);
    if (event.signal?.kind === 'used' && event.signal.token === session.token) session.isUsed = true;
    const dueAction = actionAfter(session, event);
    if (dueAction === 'check') yield put(sessions.checkRequested(principal.kind, session.token));
    if (dueAction === 'end')
      yield put(sessions.ended(principal.kind, { token: session.token, reason: 'expired' }));
    if (dueAction !== 'nothing') return;
  }
}

/** Ends the session when its remaining seconds are over. After the page was inactive, the server is checked first. */
export function* runTimer(
  principal: Principal,
  token: string,
  remainingTime: number,
): Generator<Effect, void, unknown> {
  const end = now() + seconds(remainingTime);
  const renewAt = seconds(remainingTime) > 2 * RENEW_MS ? end - RENEW_MS : Infinity;
  const channels: Channels = { signals: sessionSignals(), activations: pageActivations() };
  try {
    yield* watch(principal, { token, end, renewAt, isUsed: false }, channels);
  } finally {
    channels.signals.close();
    channels.activations.close();
  }
}
