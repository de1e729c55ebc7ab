import Joi from 'joi';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { wholeNumber } from '@shortlist/contracts/schemas/text';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Db } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { resetDue } from './reset-due.ts';

const CHUNK = 500;

export const addWindowEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  router.add(creditsEndpoints.resetDue, {
    roles: ['service'],
    input: Joi.object<{ limit?: number }, true>({ limit: wholeNumber.min(1).max(5_000) }),
    handle: ({ input }) => resetDue(db, { clock, limit: input.limit ?? CHUNK }),
  });
};
