import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Permission } from '@shortlist/contracts/admin-permissions';
import type { Method } from '@shortlist/contracts/api/endpoint';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Bindings, Session } from '../session/session.ts';

/** A request that has passed the guards of its endpoint. */
export type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  /** The values of the path's parameters, decoded. */
  params: Record<string, string>;
  /** The client's network address; behind a trusted proxy, the one that the proxy reports. */
  address: string;
  caller: Caller;
  token: string | null;
  bindings: Bindings;
  session: Session | null;
};

/** The guards of an endpoint that most endpoints do without. */
export type Guards = Pick<PublicEndpoint, 'recent' | 'beforeSecondFactor' | 'duringDeletion'>;

/**
 * Who may call. With 'anonymous', a session is read if the request has a token; `public` never reads one. An endpoint that admins may
 * call names the permission that their role must have; `own_account` stands for what every admin may do with their own account.
 */
export type Access =
  | { roles: 'public' | readonly Exclude<Caller['role'], 'admin'>[]; permission?: never }
  | { roles: readonly Caller['role'][]; permission: Permission | 'own_account' };

/** One endpoint of the public API: where it is, who may call it, and what responds. Declared once, in `endpoints.ts`. */
export type PublicEndpoint = Access & {
  method: Method;
  path: string;
  /** The bytes of its largest body. A request that announces more is refused before anything else is done for it. */
  bodyBytes: number;
  /** False for callers that are not browsers, such as the payment provider. */
  crossSiteCheck?: false;
  /** Requires that the user has proved who they are within STEP_UP_SECONDS. */
  recent?: true;
  /** Open to an admin who has to set up a second factor first. */
  beforeSecondFactor?: true;
  /** Open to a user whose account is about to be deleted. So is every endpoint that requires no session. */
  duringDeletion?: true;
  respond: (exchange: Exchange) => Promise<void>;
};
