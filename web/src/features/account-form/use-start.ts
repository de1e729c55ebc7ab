import type { UserView } from '@shortlist/contracts/api/public';
import { useState } from 'react';

/**
 * What an edit form starts from: the person as first read, since a later reading must not overwrite what is being typed.
 * `round` is the form's key; it changes when the form begins anew.
 */
export const useStart = (user: UserView) => {
  const [{ start, round }, setStart] = useState({ start: user, round: 0 });
  return {
    start,
    round,
    /** Goes on with what is typed, over a version that somebody else has made meanwhile. */
    keepInput: (version: number): void => setStart({ start: { ...start, version }, round }),
    /** Begins anew: with what somebody else has saved, or with what was there before. */
    beginWith: (saved: UserView): void => setStart({ start: saved, round: round + 1 }),
  };
};
