import type { FindPlace } from '../places/places.ts';
import { storedNetworkOf } from '../limits/network.ts';
import type { Exchange } from '../pipeline/public-endpoint.ts';
import type { Binding } from '../session/binding.ts';
import { deviceOf } from '../session/device.ts';
import type { SessionRole, Sessions } from '../session/sessions.ts';
import type { Xsrf } from '../session/xsrf.ts';

export type SessionParts = { sessions: Sessions; xsrf: Xsrf; binding: Binding; findPlace: FindPlace };

/** Where a log-in comes from: its device, the network of its address, and the place of that address. */
export const originOf = (
  { findPlace }: Pick<SessionParts, 'findPlace'>,
  { request, address }: Pick<Exchange, 'request' | 'address'>,
): { browser: string; system: string; network: string; place: string } => ({
  ...deviceOf(request.headers['user-agent']),
  network: storedNetworkOf(address),
  place: findPlace(address),
});

type Beginning = {
  userId: string;
  role: SessionRole;
  /** The session may only set up a second factor. */
  needsSecondFactor?: boolean;
};

/**
 * Begins the session of a log-in, with its cookies. In a browser, it takes the place of the session that the account had there:
 * nothing has its token any more.
 */
export const beginSession = async (
  parts: SessionParts,
  exchange: Pick<Exchange, 'request' | 'response' | 'address'>,
  { userId, role, needsSecondFactor = false }: Beginning,
): Promise<{ token: string; id: string; remainingSeconds: number }> => {
  const { sessions, xsrf, binding } = parts;
  const former = binding.of(exchange.request)[role];
  if (former !== '') await sessions.endBound(userId, former);
  const details = {
    ...{ ...originOf(parts, exchange), binding: binding.begin(exchange, role) },
    restriction: needsSecondFactor ? '1' : '',
  } as const;
  const begun = await sessions.begin(userId, role, details);
  xsrf.renew(exchange, { begun: begun.token });
  return begun;
};
