import type { Clock } from '@shortlist/kit/clock';
import type { Db } from '@shortlist/kit/db';
import type { Log } from '@shortlist/kit/log';
import type { Service } from '@shortlist/kit/service';
import { creditsHearings } from './consumers.ts';
import { schema } from './db.ts';
import type { CatchUp } from './plans/catch-up.ts';
import { addReservationDoors } from './reservations/routes.ts';
import { addCreditsDoors } from './spends/routes.ts';
import { addWindowDoors } from './windows/routes.ts';

/** credits: the ledger of what was spent and the windows it is counted in. */
export const createCredits = (parts: { db: Db; clock: Clock; catchUp: CatchUp; log: Log }): Service => ({
  name: 'credits',
  ...schema,
  hearings: creditsHearings(parts),
  doors: (doors) => {
    addCreditsDoors(doors, parts);
    addReservationDoors(doors, parts);
    addWindowDoors(doors, parts);
  },
});
