import { STEP_UP_SECONDS } from '@shortlist/contracts/limits';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Session } from '../session/session.ts';

/** Throws unless the user of the session has proved who they are within STEP_UP_SECONDS. */
export const assertRecent = (session: Session | null, clock: Clock): void => {
  const provenMs = session === null ? 0 : session.authenticatedAt;
  if (clock().getTime() - provenMs > STEP_UP_SECONDS * 1000)
    throw createError('session.reauthentication_required');
};
