import { useEffect } from 'react';
import { useAppDispatch } from '../../lib/state/hooks.ts';
import { toasts } from '../../lib/state/toasts.ts';

const TOAST_AFTER_MS = 3_000;

/** The tokens already welcomed since the page was loaded: the shell mounts again after a public page. */
const welcomedTokens = new Set<string>();

/** Isolates the direction of a right-to-left name with U+2068 and U+2069, as <bdi> does in markup. */
const isolated = (name: string): string => (/[\u0590-\u08FF]/.test(name) ? `\u2068${name}\u2069` : name);

/** Shows a toast with the user's name three seconds after the shell is mounted, once for each log-in. */
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
