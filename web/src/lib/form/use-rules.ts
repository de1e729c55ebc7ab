import type { FieldMessages } from '@shortlist/contracts/errors';
import { useCallback, useState } from 'react';

export type Values = Record<string, string>;
/** Returns the message of each invalid field. */
export type Rules<V extends Values> = (values: V) => FieldMessages;

const noRules = (): FieldMessages => ({});

/**
 * Loads the rules of a form. When they cannot be loaded, the form uses `fallback`, because the server validates in any case,
 * and the next submit loads them again.
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
