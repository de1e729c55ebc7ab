import { apiKeyEndpoints } from '@shortlist/contracts/api/connected-apps';
import { type Db, inTransaction, type SharedClock } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { findDeletion } from '../accounts/deletion-queries.ts';
import { createKey, revokeKey } from './change-key.ts';
import { findWorkingKey, listKeys, presentKey, presentOwner, recordUse } from './queries.ts';

type Parts = { db: Db; clock: Clock; sharedClock: SharedClock };

/** The endpoints that bff calls for requests of apps. */
const addToolEndpoints = (router: Router, { db, sharedClock }: Parts): void => {
  router.add(apiKeyEndpoints.findKeyOwner, async ({ input: { hash } }) => {
    const key = await findWorkingKey(db.manager, hash, await sharedClock(db.manager));
    if (key === null) throw createError('identity.api_key_not_found');
    const deletion = await findDeletion(db.manager, key.userId);
    return { data: presentOwner(key, { isBeingDeleted: deletion !== null }) };
  });

  router.add(apiKeyEndpoints.recordKeyUse, async ({ input }) => {
    await recordUse(db.manager, input);
    return { message: 'recorded' };
  });
};

export const addApiKeyEndpoints = (router: Router, parts: Parts): void => {
  const { db, clock, sharedClock } = parts;
  addToolEndpoints(router, parts);

  router.add(apiKeyEndpoints.listApiKeys, async ({ input: { userId } }) => ({
    data: (await listKeys(db.manager, userId)).map(presentKey),
  }));

  router.add(apiKeyEndpoints.createApiKey, async ({ input, caller }) => {
    const order = { ...input, caller, clock, sharedClock };
    return { data: presentKey(await inTransaction(db, (tx) => createKey(tx, order))) };
  });

  router.add(apiKeyEndpoints.revokeApiKey, async ({ input, caller }) => {
    await inTransaction(db, (tx) => revokeKey(tx, { ...input, caller, clock }));
    return { message: 'revoked' };
  });
};
