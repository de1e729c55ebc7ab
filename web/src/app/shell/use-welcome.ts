import { useEffect } from 'react';
import { useAppDispatch } from '../../lib/state/hooks.ts';
import { toasts } from '../../lib/state/toasts.ts';

const TOAST_AFTER_MS = 3_000;

/** The log-ins that were greeted since the page was loaded: the frame starts anew on the way over an open page. */
const welcomedTokens = new Set<string>();

/** U+2068 and U+2069 keep a right-to-left name's direction to itself, as <bdi> does where there is more than text. */
const isolated = (name: string): string => (/[\u0590-\u08FF]/.test(name) ? `\u2068${name}\u2069` : name);

/** Three seconds after the layout starts, one line says who is logged in; once for each log in. */
export const useWelcome = (name: string | null, token: string | null): void => {
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (name === null || token === null || welcomedTokens.has(token)) return undefined;
    const timer = setTimeout(() => {
      welcomedTokens.add(token);
      dispatch(toasts.added(`You are logged in as ${isolated(name)}.`));
    }, TOAST_AFTER_MS);
    return () => clearTimeout(timer);
  }, [dispatch, name, token]);
};
