import type { FieldMessages } from '@shortlist/contracts/errors';
import { useCallback, useState } from 'react';

export type Values = Record<string, string>;
/** The message of each refused field. */
export type Rules<V extends Values> = (values: V) => FieldMessages;

const noRules = (): FieldMessages => ({});

/**
 * The rules once they are there. Without them a form goes on with `bare`, since the server checks all the same; what
 * fails to load is asked for again by the next one who needs it.
 */
export const useRules = <V extends Values>(
  loadRules: () => Promise<Rules<V>>,
  fallback: Rules<V> = noRules,
) => {
  const [rules, setRules] = useState<Rules<V> | null>(null);
  const load = useCallback(async (): Promise<Rules<V>> => {
    const loadedRules = await loadRules().catch(() => fallback);
    setRules(() => loadedRules);
    return loadedRules;
  }, [loadRules, fallback]);
  const preload = useCallback((): void => void load(), [load]);
  return { rules, load, preload };
};
