import type { Service } from '@shortlist/kit/service';
import { creditsHandlers } from './consumers.ts';
import { schema } from './db.ts';
import { addReservationEndpoints } from './reservations/routes.ts';
import { addCreditsEndpoints } from './charges/routes.ts';
import type { ChargeParts } from './charges/spend-once.ts';
import { createWindowCache } from './windows/hints.ts';
import { addWindowEndpoints } from './windows/routes.ts';

/** credits: the ledger of what was spent and the windows it is counted in. */
export const createCredits = (given: Omit<ChargeParts, 'windowCache'>): Service => {
  const parts = { ...given, windowCache: createWindowCache() };
  return {
    name: 'credits',
    ...schema,
    handlers: creditsHandlers(parts),
    endpoints: (router) => {
      addCreditsEndpoints(router, parts);
      addReservationEndpoints(router, parts);
      addWindowEndpoints(router, parts);
    },
  };
};
