import type { UserView } from '@shortlist/contracts/api/public';
import { useState } from 'react';

/**
 * The user that an edit form is based on: as first loaded, because a later response must not overwrite the input.
 * `formKey` is the form's React key and changes when the form starts over.
 */
export const useEditBase = (user: UserView) => {
  const [{ base, formKey }, setBase] = useState({ base: user, formKey: 0 });
  return {
    base,
    formKey,
    /** Keeps the input and bases it on what has been saved since. */
    rebase: (saved: UserView): void => setBase({ base: saved, formKey }),
    /** Starts the form over from the given user. */
    restart: (saved: UserView): void => setBase({ base: saved, formKey: formKey + 1 }),
  };
};
