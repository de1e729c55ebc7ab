import type { AdminAccess, AdminRole } from '@shortlist/contracts/admin-permissions';

export type SessionRole = 'user' | 'admin';
export type Session = {
  /** Names the session; it gives no access, unlike the token. */
  id: string;
  userId: string;
  role: SessionRole;
  remainingSeconds: number;
  /** When the user last proved who they are in this session, in ms since the epoch. */
  authenticatedAt: number;
  /** An admin who has to set up a second factor, and may do nothing else before. */
  needsSecondFactor: boolean;
  /** A user whose account is about to be deleted, and who may only keep it. */
  isBeingDeleted: boolean;
  /** What an admin may do now; null for a user. */
  adminRole: AdminRole | null;
  /** The admin who views the product as the user; null in the user's own session. */
  viewerId: string | null;
};

/** What keeps a session from everything else: the set-up of a second factor, or a deletion of the account. */
export type Restriction = '' | '1' | 'deletion';

/** Where a session began. Names of products and places, '' where unknown. */
export type SessionDetails = {
  browser: string;
  system: string;
  /** The network of the client's address. */
  network: string;
  place: string;
  /** The hash of the browser's binding cookie; '' for a client that is not a browser, whose session needs none. */
  binding: string;
  /** What keeps the session from everything else; '' for nothing. */
  restriction: Restriction;
  /** The admin who views the product as the user, and the name of the admin's session; '' in the user's own session. */
  by: string;
  bySession: string;
};

/** An admin who views the product as a user, with the token and the binding of the admin's session. */
export type Viewer = { id: string; token: string; binding: string };

/**
 * Whose session begins, with the generation of the account that was read together with the credentials. An admin's session is good
 * for nothing without what the admin may do.
 */
export type SessionOwner<Generation = number> = { userId: string; generation: Generation } & (
  { role: 'user' } | { role: 'admin'; access: AdminAccess }
);

/** The hashes of a request's binding cookies; '' without one. A browser can have a session of each role. */
export type Bindings = Record<SessionRole, string>;
