/**
 * Signals from API calls to the session: the server has rejected or accepted a token, or has refused what the page took for
 * allowed.
 */
export type SessionSignal = { kind: 'rejected' | 'used' | 'restricted'; token: string };

const NAME = 'shortlist:session';

export const emitSessionSignal = (signal: SessionSignal): void => {
  window.dispatchEvent(new CustomEvent<SessionSignal>(NAME, { detail: signal }));
};

export const onSessionSignal = (handle: (signal: SessionSignal) => void): (() => void) => {
  const listener = (event: Event): void => {
    if (event instanceof CustomEvent) handle(event.detail as SessionSignal);
  };
  window.addEventListener(NAME, listener);
  return () => window.removeEventListener(NAME, listener);
};
