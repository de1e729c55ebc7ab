import Joi from 'joi';
import { viewingEndpoints } from '@shortlist/contracts/api/identity';
import { factorReason } from '@shortlist/contracts/schemas/factors';
import { userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { recordViewing } from './record-viewing.ts';

const viewing = Joi.object<{ id: string; reason: string; sessionId: string }, true>({
  id: userId,
  reason: factorReason,
  sessionId: userId, // a UUID too
});

export const addViewingEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  router.add(viewingEndpoints.recordViewing, {
    roles: ['admin'],
    input: viewing,
    handle: async ({ input, caller }) => {
      await inTransaction(db, (tx) => recordViewing(tx, { ...input, caller, clock }));
      return {};
    },
  });
};
