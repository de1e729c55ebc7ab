import { connectionEndpoints } from '@shortlist/contracts/api/connected-apps';
import { type Db, inTransaction, type SharedClock } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { getTokenOwner } from './queries.ts';
import { approveRequest, denyRequest, readRequest } from './requests.ts';

/** The endpoints that bff calls for requests and tokens of apps. */
export const addAuthorizationEndpoints = (
  router: Router,
  { db, clock, sharedClock }: { db: Db; clock: Clock; sharedClock: SharedClock },
): void => {
  const clocks = { clock, sharedClock };

  router.add(connectionEndpoints.findConnectionRequest, async ({ input }) => ({
    data: await inTransaction(db, (tx) => readRequest(tx, input, clocks)),
  }));

  router.add(connectionEndpoints.approveConnectionRequest, ({ input, caller }) => {
    const { userId, origin, ...reference } = input;
    return inTransaction(db, (tx) => approveRequest(tx, reference, { userId, origin, caller }, clocks));
  });

  router.add(connectionEndpoints.denyConnectionRequest, ({ input }) =>
    inTransaction(db, (tx) => denyRequest(tx, input, clocks)),
  );

  router.add(connectionEndpoints.findTokenOwner, async ({ input: { hash } }) => ({
    data: await getTokenOwner(db.manager, hash, sharedClock),
  }));
};
