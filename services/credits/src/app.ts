import type { Service } from '@shortlist/kit/service';
import { creditsHearings } from './consumers.ts';
import { schema } from './db.ts';
import { addReservationDoors } from './reservations/routes.ts';
import { addCreditsDoors } from './spends/routes.ts';
import type { SpendParts } from './spends/spend-once.ts';
import { createHints } from './windows/hints.ts';
import { addWindowDoors } from './windows/routes.ts';

/** credits: the ledger of what was spent and the windows it is counted in. */
export const createCredits = (given: Omit<SpendParts, 'hints'>): Service => {
  const parts = { ...given, hints: createHints() };
  return {
    name: 'credits',
    ...schema,
    hearings: creditsHearings(parts),
    doors: (doors) => {
      addCreditsDoors(doors, parts);
      addReservationDoors(doors, parts);
      addWindowDoors(doors, parts);
    },
  };
};
