import type { UserView } from '@shortlist/contracts/api/public';
import { useCallback, useMemo, useState } from 'react';
import { forgetDraft, keepDraft, NEW_USER, recallDraft } from '../../lib/form/drafts.ts';
import { accountValuesOf, emptyAccount, type AccountValues } from './account-values.ts';

/** Passwords are never kept, and the picture is a file of theirs. */
const changesOf = (
  { password: _, passwordRepeat: _repeat, ...values }: AccountValues,
  start: AccountValues,
) =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== start[name as keyof AccountValues]),
  );

/**
 * What a person has typed and not saved, kept for this tab until it is saved, discarded, or they log out: a session that
 * ends takes nothing with it.
 */
const useDraft = (owner: string, start: AccountValues) => {
  const [found, setFound] = useState(() => recallDraft(owner));
  const keep = useCallback(
    (values: AccountValues): void => keepDraft(owner, changesOf(values, start)),
    [owner, start],
  );
  const forget = useCallback((): void => forgetDraft(owner), [owner]);
  const discard = (): void => {
    forget();
    setFound(null);
  };
  return { initial: { ...start, ...found }, isFound: found !== null, keep, forget, discard };
};

export const useDraftOfEdit = (start: UserView) =>
  useDraft(
    start.id,
    useMemo(() => accountValuesOf(start), [start]),
  );

export const useDraftOfNew = () => useDraft(NEW_USER, emptyAccount);
