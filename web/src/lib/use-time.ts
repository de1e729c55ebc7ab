import { useEffect, useReducer } from 'react';
import { now } from './dates.ts';

/** The current time in milliseconds, read again at this interval. */
export const useTime = (intervalMs: number): number => {
  const [, readAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const interval = setInterval(readAgain, intervalMs);
    return () => clearInterval(interval);
  }, [intervalMs]);
  return now();
};
