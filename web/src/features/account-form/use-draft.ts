import type { UserView } from '@shortlist/contracts/api/public';
import { useCallback, useState } from 'react';
import { forgetDraft, keepDraft, recallDraft } from '../../lib/form/drafts.ts';
import { accountValuesOf, type AccountValues } from './account-values.ts';

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
export const useDraft = (start: UserView) => {
  const owner = start.id;
  const [found, setFound] = useState(() => recallDraft(owner));
  const keep = useCallback(
    (values: AccountValues): void => keepDraft(owner, changesOf(values, accountValuesOf(start))),
    [owner, start],
  );
  const forget = useCallback((): void => forgetDraft(owner), [owner]);
  const discard = (): void => {
    forget();
    setFound(null);
  };
  return { initial: { ...accountValuesOf(start), ...found }, isFound: found !== null, keep, forget, discard };
};
