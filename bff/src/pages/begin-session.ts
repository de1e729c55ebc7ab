import type { Exchange } from '../pipeline/public-endpoint.ts';
import type { SessionRole, Sessions } from '../session/sessions.ts';
import type { Xsrf } from '../session/xsrf.ts';

export type SessionParts = { sessions: Sessions; xsrf: Xsrf };

type Beginning = {
  userId: string;
  role: SessionRole;
  /** The session may only set up a second factor. */
  needsSecondFactor?: boolean;
};

/** Begins the session of a log-in, with its cookies. */
export const beginSession = async (
  { sessions, xsrf }: SessionParts,
  exchange: Pick<Exchange, 'request' | 'response' | 'address'>,
  { userId, role, needsSecondFactor = false }: Beginning,
): Promise<{ token: string; id: string; remainingSeconds: number }> => {
  const begun = await sessions.begin(userId, role, { restriction: needsSecondFactor ? '1' : '' });
  xsrf.renew(exchange, { begun: begun.token });
  return begun;
};
