import { defineEndpoint } from './endpoint.ts';

/** Why an account is kept although its address was never confirmed. */
export const KEPT_FOR = ['plan', 'credits'] as const;
export type KeptFor = (typeof KEPT_FOR)[number];

type OfUser = { userId: string };
type None = Record<never, never>;

/** identity's endpoints about accounts whose address was not confirmed, which are given up after UNCONFIRMED_DAYS. */
export const unconfirmedEndpoints = {
  /** The accounts for which a step is due, unless they are in use. */
  listUnconfirmed: defineEndpoint<None, { data: (OfUser & { step: 'remind' | 'give_up' })[] }>(
    'GET',
    '/unconfirmed-accounts',
  ),
  /** Causes the reminder; does nothing the second time, or for a confirmed address. */
  remindUnconfirmed: defineEndpoint<OfUser, None>('POST', '/unconfirmed-accounts/:userId/remind'),
  /** Deletes the account, unless it is confirmed or kept meanwhile. */
  giveUpAccount: defineEndpoint<OfUser, { deleted: boolean }>(
    'POST',
    '/unconfirmed-accounts/:userId/give-up',
  ),
  /** Keeps an account that is in use. Does nothing for a confirmed address. */
  keepAccount: defineEndpoint<OfUser & { keptFor: KeptFor }, None>(
    'POST',
    '/unconfirmed-accounts/:userId/keep',
  ),
} as const;
