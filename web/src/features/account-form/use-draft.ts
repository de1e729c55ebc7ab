import type { UserView } from '@shortlist/contracts/api/public';
import { useCallback, useMemo, useState } from 'react';
import { clearDraft, saveDraft, NEW_USER, loadDraft } from '../../lib/form/drafts.ts';
import { accountValuesOf, emptyAccount, type AccountValues } from './account-values.ts';

const PASSWORDS = new Set<string>([
  'currentPassword',
  'password',
  'passwordRepeat',
] satisfies (keyof AccountValues)[]);

/** The changed values without the passwords, which are never stored. */
const changesOf = (values: AccountValues, base: AccountValues) =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !PASSWORDS.has(name) && value !== base[name as keyof AccountValues],
    ),
  );

/**
 * The unsaved input of a form, stored for this tab until the user saves it, discards it or logs out. It survives a session
 * that expires.
 */
const useDraft = (ownerId: string, base: AccountValues) => {
  const [restored, setRestored] = useState(() => loadDraft(ownerId));
  const save = useCallback(
    (values: AccountValues): void => saveDraft(ownerId, changesOf(values, base)),
    [ownerId, base],
  );
  const clear = useCallback((): void => clearDraft(ownerId), [ownerId]);
  const discard = (): void => {
    clear();
    setRestored(null);
  };
  return { initial: { ...base, ...restored }, isRestored: restored !== null, save, clear, discard };
};

export const useEditDraft = (base: UserView) =>
  useDraft(
    base.id,
    useMemo(() => accountValuesOf(base), [base]),
  );

export const useNewDraft = () => useDraft(NEW_USER, emptyAccount);
