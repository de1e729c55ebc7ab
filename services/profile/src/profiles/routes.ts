import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { eraseUser } from '../erase-user.ts';
import { createProfile, stateProfile, storeEmail, storePlan, updateProfile } from './change-profile.ts';
import { createTotals } from './count-totals.ts';
import { findProfile, isDeleted, listAccountCopies, presentProfile } from './queries.ts';

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

  router.add(profileEndpoints.createProfile, async ({ input, caller }) => {
    await inTransaction(db, (tx) => createProfile(tx, input));
    return getProfile(input.id, caller);
  });

  router.add(profileEndpoints.getProfile, ({ input, caller }) => getProfile(input.id, caller));

  router.add(profileEndpoints.updateProfile, async ({ input, caller }) => ({
    data: presentProfile(await inTransaction(db, (tx) => updateProfile(tx, input, { caller, clock }))),
  }));

  router.add(profileEndpoints.eraseUser, async ({ input }) => {
    await inTransaction(db, (tx) => eraseUser(tx, input.id, clock()));
    return {};
  });

  const readTotals = createTotals({ db, clock });
  router.add(directoryEndpoints.countDirectory, async () => ({ data: await readTotals() }));
};

/** Other services update the copies of their data here, ahead of the event, and get back what they have lost. */
export const addCopyEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  router.add(profileEndpoints.listAccountCopies, ({ input: { after } }) =>
    listAccountCopies(db.manager, after),
  );

  router.add(profileEndpoints.stateProfiles, async ({ input: { ids } }) => {
    await inTransaction(db, async (tx) => {
      for (const id of ids.toSorted()) await stateProfile(tx, id, clock); // in one order, so that no two calls wait for each other
    });
    return {};
  });

  router.add(profileEndpoints.storePlan, async ({ input: { id, ...plan } }) => {
    await inTransaction(db, (tx) => storePlan(tx, id, plan));
    return {};
  });

  router.add(profileEndpoints.storeEmail, async ({ input: { id, ...copy } }) => {
    await inTransaction(db, (tx) => storeEmail(tx, id, copy));
    return {};
  });
};
