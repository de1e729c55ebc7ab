import type { UserView } from '@shortlist/contracts/api/public';
import { useState } from 'react';

/**
 * What an edit form starts from: the person as first read, since a later reading must not overwrite what is being typed.
 * `round` is the form's key; it changes when the form begins anew.
 */
export const useEditBase = (user: UserView) => {
  const [{ base, formKey }, setBase] = useState({ base: user, formKey: 0 });
  return {
    base,
    formKey,
    /** Goes on with what is typed, over a version that somebody else has made meanwhile. */
    rebase: (version: number): void => setBase({ base: { ...base, version }, formKey }),
    /** Begins anew: with what somebody else has saved, or with what was there before. */
    restart: (saved: UserView): void => setBase({ base: saved, formKey: formKey + 1 }),
  };
};
