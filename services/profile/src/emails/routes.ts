import Joi from 'joi';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import { userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { storeEmail } from './store-email.ts';

export const addEmailEndpoints = (router: Router, { db }: { db: Db }): void => {
  router.add(profileEndpoints.storeEmail, {
    roles: ['service'],
    input: Joi.object<{ id: string; email: string; version: number }, true>({
      id: userId,
      email: emailSchema,
      version: Joi.number().integer().min(1).required(),
    }),
    handle: async ({ input: { id, ...copy } }) => {
      await inTransaction(db, (tx) => storeEmail(tx, id, copy));
      return {};
    },
  });
};
