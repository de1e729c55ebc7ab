import type { Account } from '@shortlist/contracts/api/identity';
import type { SignInMethod } from '@shortlist/contracts/api/sign-ins';
import type { DeviceCookie } from '../limits/device-cookie.ts';
import type { Exchange } from '../http/endpoint.ts';
import type { Binding } from '../session/binding.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Restriction, SessionOwner } from '../session/session.ts';
import type { Xsrf } from '../session/xsrf.ts';
import { originOf, recordSignIn, type SignInParts } from './record-sign-in.ts';

export type SessionParts = SignInParts & {
  sessions: Sessions;
  xsrf: Xsrf;
  binding: Binding;
  deviceCookie: DeviceCookie;
};

type LogInExchange = Pick<Exchange, 'request' | 'response' | 'address'>;
/** `method`: the last step that the log-in took. */
type LogIn = Pick<Account, 'email'> & {
  owner: SessionOwner;
  method: SignInMethod;
  /** The session may only set up a second factor. */
  needsSecondFactor?: boolean;
  /** The session may only keep the account. */
  isBeingDeleted?: boolean;
};

const restrictionOf = ({ needsSecondFactor, isBeingDeleted }: LogIn): Restriction => {
  if (isBeingDeleted) return 'deletion';
  return needsSecondFactor ? '1' : '';
};

/**
 * Begins the session of a log-in, with its cookies, and adds it to the history of the account. In a browser, the session takes the
 * place of the one that the account had there: nothing has its token any more.
 */
export const beginSession = async (
  parts: SessionParts,
  exchange: LogInExchange,
  logIn: LogIn,
): Promise<{ token: string; id: string; remainingSeconds: number }> => {
  const { sessions, xsrf, binding, deviceCookie } = parts;
  const { owner, email, method } = logIn;
  const { userId, role } = owner;
  // Before the session begins: what ends it ends the cookie afterwards.
  const client = await deviceCookie.read(exchange.request, email);
  const former = binding.of(exchange.request)[role];
  if (former !== '') await sessions.endBound(userId, former);
  const details = {
    ...{ ...originOf(parts, exchange), binding: binding.begin(exchange, role) },
    restriction: restrictionOf(logIn),
  } as const;
  const begun = await sessions.begin(owner, details);
  xsrf.renew(exchange, { begun: begun.token });
  deviceCookie.renew(exchange, email, client);
  const isKnownDevice = client.name !== null;
  await recordSignIn(parts, exchange, { id: userId, method, sessionId: begun.id, isKnownDevice });
  return begun;
};
