import { buffers, eventChannel, type EventChannel } from 'redux-saga';
import { onSessionSignal, type SessionSignal } from '../../lib/api/session-signals.ts';

export const sessionSignals = (): EventChannel<SessionSignal> =>
  eventChannel((emit) => onSessionSignal(emit), buffers.expanding());

/** The new value of one stored item whenever another tab changes it; '' stands for gone. */
export const otherTabStorage = (key: string): EventChannel<string> =>
  eventChannel((emit) => {
    const listener = (event: StorageEvent): void => {
      // A key of null means that everything was cleared.
      if (event.key === key || event.key === null) emit(event.newValue ?? '');
    };
    window.addEventListener('storage', listener);
    return () => window.removeEventListener('storage', listener);
  }, buffers.expanding());

/** The page is looked at again: shown, restored from the back-forward cache, or back on the network. */
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
