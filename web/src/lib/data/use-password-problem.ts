import filterUrl from '@shortlist/contracts/common-passwords.bloom?url';
import {
  type ChosenPassword,
  filterContains,
  guessableProblem,
  guessedForm,
  isTooShortToList,
  type PasswordProblem,
} from '@shortlist/contracts/password.rules';
import { useEffect, useState } from 'react';
import useSWR from 'swr';

const loadFilter = async (): Promise<Uint8Array> => {
  const response = await fetch(filterUrl);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};

/** The list of common passwords, loaded once a password is typed: it is larger than the page. */
const useFilter = (isNeeded: boolean): { data?: Uint8Array | undefined; isLoading: boolean } =>
  useSWR(isNeeded ? ['common-passwords'] : null, loadFilter, {
    revalidateOnFocus: false,
    revalidateIfStale: false,
    revalidateOnReconnect: false,
  });

const isListed = async (filter: Uint8Array, password: string): Promise<boolean> => {
  const form = guessedForm(password);
  if (isTooShortToList(form)) return true;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(form));
  return filterContains(filter, new Uint8Array(digest));
};

/**
 * Why identity would refuse the password, as far as the browser can tell: undefined while the list is loading, and null if it finds
 * nothing. A breach is known to the server alone, and so is a common password if the list cannot be loaded, or on a page that is not
 * secure, where browsers offer no digest.
 */
export const usePasswordProblem = (chosen: ChosenPassword): PasswordProblem | null | undefined => {
  const { password } = chosen;
  const { data: filter, isLoading } = useFilter(password !== '');
  const [common, setCommon] = useState<string | null>(null);
  useEffect(() => {
    if (filter === undefined || password === '') return;
    let isCurrent = true;
    isListed(filter, password)
      .then((listed) => isCurrent && listed && setCommon(password))
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [filter, password]);
  const known = common === password ? 'common' : null;
  return guessableProblem(chosen) ?? (isLoading ? undefined : known);
};
