import type { Profile } from '@shortlist/contracts/api/profile';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { clearDraft, loadDraft, NEW_USER, saveDraft, SIGN_UP } from '../../lib/form/drafts.ts';
import { accountFormText } from '../../messages/account-form.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { type AccountValues, accountValuesOf, emptyAccount } from './account-values.ts';

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

export const useEditDraft = (base: Profile) =>
  useDraft(
    base.id,
    useMemo(() => accountValuesOf(base), [base]),
  );

export const useNewDraft = () => useDraft(NEW_USER, emptyAccount);

export const useSignUpDraft = () => useDraft(SIGN_UP, emptyAccount);

/** Announces that the form contains a restored draft. */
export const DraftNotice = ({ onDiscard }: { onDiscard: () => void }): ReactNode => (
  <Alert>
    <div className="stack stack-s">
      <p>{accountFormText('restored')}</p>
      <Button isSmall onClick={onDiscard}>
        {accountFormText('discard')}
      </Button>
    </div>
  </Alert>
);
