import { may } from '@shortlist/contracts/admin-permissions';
import { SESSION_IDLE_SECONDS } from '@shortlist/contracts/limits';
import type { Clock } from '@shortlist/kit/process/clock';
import { withAvailability } from './availability.ts';
import { isToken, keysOfToken, keysOfUser, nameOfSession } from './keys.ts';
import type { CheckReply, SessionScripts } from './scripts.ts';
import type { Bindings, Session } from './session.ts';

const IDLE_MS = SESSION_IDLE_SECONDS * 1000;
/** How old the recorded use of a session must be before a check extends the session, so that not every check writes. */
const TOUCH_MS = 60_000;

type Parts = { scripts: SessionScripts; clock: Clock };
type Checked = { keys: string[]; bindings: Bindings };

/** Whether the session of the admin who views the product as a user still allows that. */
const createViewerCheck = ({ scripts, clock }: Parts) => {
  const read = ({ keys, bindings }: Checked): Promise<CheckReply | null> =>
    withAvailability(
      scripts.check(keys, [clock().getTime(), IDLE_MS, TOUCH_MS, bindings.user, bindings.admin]),
    );
  const mayView = async ([, , , , , , , by, bySession]: CheckReply, bindings: Bindings): Promise<boolean> => {
    if (by === '') return true;
    const { session, generation, access } = keysOfUser(by);
    const viewer = await read({ keys: [session(bySession), generation, access], bindings });
    return viewer !== null && may(viewer[6] === '' ? null : viewer[6], 'impersonate');
  };
  return { read, mayView };
};

const present = ([
  userId,
  role,
  left,
  id,
  authenticatedAt,
  restriction,
  adminRole,
  by,
]: CheckReply): Session => ({
  ...{ id, userId, role },
  remainingSeconds: Math.floor(left / 1000),
  authenticatedAt: Number(authenticatedAt),
  needsSecondFactor: restriction === '1',
  isBeingDeleted: restriction === 'deletion',
  adminRole: adminRole === '' ? null : adminRole,
  viewerId: by === '' ? null : by,
});

/** Returns the check of a session: one round trip, and one more for an admin who views the product as a user. */
export const createCheck = (parts: Parts) => {
  const viewerCheck = createViewerCheck(parts);
  return async (token: string, bindings: Bindings): Promise<Session | null> => {
    if (!isToken(token)) return null;
    const { session, generation, access } = keysOfToken(token);
    const keys = [session(nameOfSession(token)), generation, access];
    const found = await viewerCheck.read({ keys, bindings });
    return found !== null && (await viewerCheck.mayView(found, bindings)) ? present(found) : null;
  };
};
