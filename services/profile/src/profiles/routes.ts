import Joi from 'joi';
import { type NewProfile, type ProfileChange, profileEndpoints } from '@shortlist/contracts/api/profile';
import { planStateSchema } from '@shortlist/contracts/events/billing';
import { PICTURE_NAME } from '@shortlist/contracts/limits';
import type { PlanState } from '@shortlist/contracts/plan';
import { adminSignupSchema, emailSchema } from '@shortlist/contracts/schemas/account';
import { time, userId } from '@shortlist/contracts/schemas/text';
import type { Clock } from '@shortlist/kit/process/clock';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createProfile, deleteProfile, updateProfile } from './change-profile.ts';
import { createTotals } from './count-totals.ts';
import { findProfile, presentProfile } from './queries.ts';
import { storeEmail, storePlan } from './store-copies.ts';
import { isDeleted } from './user-queries.ts';

const profileFields = adminSignupSchema.fork(['password', 'email'], (field) => field.forbidden());
const picture = Joi.string().pattern(PICTURE_NAME);

const newProfile = profileFields.append<NewProfile>({
  id: userId,
  email: Joi.string().max(254).required(),
  picture: picture.allow(null).required(),
  createdAt: time,
});

const profileChange = profileFields.append<ProfileChange>({
  id: userId,
  picture: picture.allow(null),
  version: Joi.number().integer().min(0),
});

export const addProfileEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  // Only a service can distinguish a deleted user from an unknown one.
  const getProfile = async (id: string, caller: Caller) => {
    const row = await findProfile(db.manager, id);
    if (row === null) {
      const isKnownDeleted = caller.role === 'service' && (await isDeleted(db.manager, id));
      throw createError(isKnownDeleted ? 'profile.deleted' : 'profile.not_found');
    }
    return { data: presentProfile(row) };
  };

  router.add(profileEndpoints.createProfile, {
    roles: ['anonymous', 'admin'],
    input: newProfile,
    status: 201,
    handle: async ({ input, caller }) => {
      await inTransaction(db, (tx) => createProfile(tx, input));
      return getProfile(input.id, caller);
    },
  });

  router.add(profileEndpoints.getProfile, {
    roles: ['user', 'admin', 'service'],
    input: Joi.object<{ id: string }, true>({ id: userId }),
    owner: ({ id }) => id,
    handle: ({ input, caller }) => getProfile(input.id, caller),
  });

  router.add(profileEndpoints.updateProfile, {
    roles: ['user', 'admin'],
    input: profileChange,
    owner: ({ id }) => id,
    handle: async ({ input, caller }) => ({
      data: presentProfile(await inTransaction(db, (tx) => updateProfile(tx, input, { caller, clock }))),
    }),
  });

  router.add(profileEndpoints.deleteProfile, {
    roles: ['admin'],
    input: Joi.object<{ id: string }, true>({ id: userId }),
    handle: async ({ input }) => {
      await inTransaction(db, (tx) => deleteProfile(tx, input.id, clock()));
      return {};
    },
  });

  const readTotals = createTotals({ db, clock });
  router.add(profileEndpoints.countDirectory, {
    roles: ['admin'],
    input: Joi.object<Record<never, never>, true>({}),
    handle: async () => ({ data: await readTotals() }),
  });
};

/** Other services repair the copies of their data here, when an event was lost. */
export const addCopyEndpoints = (router: Router, { db }: { db: Db }): void => {
  router.add(profileEndpoints.storePlan, {
    roles: ['service'],
    input: Joi.object<{ id: string; planState: PlanState }, true>({ id: userId, planState: planStateSchema }),
    handle: async ({ input }) => {
      await inTransaction(db, (tx) => storePlan(tx, input.id, input.planState));
      return {};
    },
  });

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
