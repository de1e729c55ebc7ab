import { buffers, eventChannel, type EventChannel } from 'redux-saga';
import { isShared } from '../../lib/storage.ts';
import { onSessionSignal, type SessionSignal } from '../../lib/api/session-signals.ts';

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
