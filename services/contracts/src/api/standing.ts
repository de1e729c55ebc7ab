import { flag, listOf, nullableTime, uuid, view } from '../schemas/parts.ts';
import { type SubscriptionView, subscriptionView } from './billing.ts';
import { type CreditPack, creditPack } from './credit-buckets.ts';
import { forAdmins } from './public-endpoint.ts';

/**
 * What support needs to see why a user cannot log in or pay. `blocksCheckout`: the address is not confirmed, and a checkout requires it.
 * `lockedUntil`: until then unknown devices have to wait after wrong passwords.
 */
export type UserStanding = {
  subscription: SubscriptionView;
  packs: CreditPack[];
  isVerified: boolean;
  confirmBy: string | null;
  blocksCheckout: boolean;
  lockedUntil: string | null;
};

const userStanding = view<UserStanding>({
  subscription: subscriptionView,
  packs: listOf(creditPack),
  isVerified: flag,
  confirmBy: nullableTime,
  blocksCheckout: flag,
  lockedUntil: nullableTime,
});

export const publicStandingEndpoints = {
  userStanding: forAdmins<{ id: string }, { data: UserStanding }>({
    method: 'GET',
    path: '/api/users/:id/standing',
    permission: 'users.read',
    input: { id: uuid },
    reply: { data: userStanding },
  }),
} as const;
