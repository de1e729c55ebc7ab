import Joi from 'joi';
import { creditsDoors } from '@shortlist/contracts/api/credits';
import type { Clock } from '@shortlist/kit/clock';
import type { Db } from '@shortlist/kit/db';
import type { Doors } from '@shortlist/kit/doors';
import { resetDue } from './reset-due.ts';

const CHUNK = 500;

export const addWindowDoors = (doors: Doors, { db, clock }: { db: Db; clock: Clock }): void => {
  doors.add(creditsDoors.resetDue, {
    roles: ['service'],
    input: Joi.object<{ limit?: number }, true>({ limit: Joi.number().integer().min(1).max(5_000) }),
    answer: ({ input }) => resetDue(db, { clock, limit: input.limit ?? CHUNK }),
  });
};
