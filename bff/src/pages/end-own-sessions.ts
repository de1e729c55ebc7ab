import { identityEndpoints } from '@shortlist/contracts/api/identity';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Services } from '../upstream/services.ts';

type Parts = { services: Services; sessions: Sessions };
type Own = { caller: Caller; session: Session; keptToken?: string };

/**
 * Ends the caller's sessions, except the one of `keptToken`, and with them the log-ins under way and the trusted devices. Returns how
 * many sessions there were.
 */
export const endOwnSessions = async (
  { services, sessions }: Parts,
  { caller, session: { userId }, keptToken }: Own,
): Promise<number> => {
  const { length } = await sessions.list(userId);
  const { generation } = await services.identity(identityEndpoints.endSessions, { id: userId }, { caller });
  await sessions.endAllBefore(userId, generation, keptToken);
  return keptToken === undefined ? length : length - 1;
};
