import { defineEndpoint } from './endpoint.ts';

/** identity's record of an admin who views the product as a user. `id` is the user's. */
export const viewingEndpoints = {
  recordViewing: defineEndpoint<{ id: string; reason: string; sessionId: string }, Record<never, never>>(
    'POST',
    '/accounts/:id/viewings',
  ),
} as const;

/** The endpoints with which an admin views the product as a user. */
export const publicViewingEndpoints = {
  /** Begins a session of VIEWING_SECONDS that may only read; `logout` ends it. */
  startViewing: defineEndpoint<
    { id: string; reason: string },
    { data: { token: string; remainingTime: number } }
  >('POST', '/api/users/:id/view'),
} as const;
