import { act, getConfig } from '@testing-library/react';
import { vi } from 'vitest';

/** The application's own timers are longer. Testing Library waits with shorter ones. */
const LONGEST_REAL_MS = 100;

/**
 * Stops the clock, which then moves by `vi.advanceTimersByTimeAsync` alone, however long the machine takes. The timers with
 * which `findBy…`, `waitFor` and user-event wait stay real. Ended by `vi.useRealTimers`.
 */
export const holdTime = (): void => {
  const real = { setTimeout, setInterval, clearTimeout, clearInterval };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  const fake = { setTimeout, setInterval, clearTimeout, clearInterval };
  const { asyncUtilTimeout } = getConfig();
  const start =
    (name: 'setTimeout' | 'setInterval') =>
    (callback: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]) => {
      const isReal = milliseconds <= LONGEST_REAL_MS || milliseconds === asyncUtilTimeout;
      return (isReal ? real : fake)[name](callback, milliseconds, ...values);
    };
  const clear = (name: 'clearTimeout' | 'clearInterval') => (timer: NodeJS.Timeout) => {
    real[name](timer);
    fake[name](timer);
  };
  Object.assign(globalThis, {
    setTimeout: start('setTimeout'),
    setInterval: start('setInterval'),
    clearTimeout: clear('clearTimeout'),
    clearInterval: clear('clearInterval'),
  });
};

/** Moves a held clock on in small steps, between which responses arrive, until `isDone` holds. */
export const passUntil = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await act(() => vi.advanceTimersByTimeAsync(100));
};
