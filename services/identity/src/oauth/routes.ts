import { connectionEndpoints } from '@shortlist/contracts/api/connections';
import { type Db, inTransaction, type SharedClock } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { endConnection } from '../tools/change-connection.ts';
import { listConnections, presentConnection, recordUse } from '../tools/connection-queries.ts';
import { getTokenOwner } from './queries.ts';
import { approveRequest, denyRequest, readRequest } from './requests.ts';

type Parts = { db: Db; clock: Clock; sharedClock: SharedClock };

/** What bff calls for the requests of tools. */
const addTokenEndpoints = (router: Router, { db, sharedClock }: Parts): void => {
  router.add(connectionEndpoints.findTokenOwner, async ({ input: { hash } }) => ({
    data: await getTokenOwner(db.manager, hash, sharedClock),
  }));

  router.add(connectionEndpoints.recordConnectionUse, async ({ input }) => {
    await recordUse(db.manager, input);
    return { message: 'recorded' };
  });
};

const addRequestEndpoints = (router: Router, { db, ...parts }: Parts): void => {
  router.add(connectionEndpoints.findConnectionRequest, async ({ input }) => ({
    data: await inTransaction(db, (tx) => readRequest(tx, input, parts)),
  }));

  router.add(connectionEndpoints.approveConnectionRequest, ({ input, caller }) => {
    const { userId, origin, ...reference } = input;
    return inTransaction(db, (tx) => approveRequest(tx, reference, { ...parts, userId, origin, caller }));
  });

  router.add(connectionEndpoints.denyConnectionRequest, ({ input }) =>
    inTransaction(db, (tx) => denyRequest(tx, input, parts)),
  );
};

export const addConnectionEndpoints = (router: Router, parts: Parts): void => {
  const { db, clock } = parts;
  addTokenEndpoints(router, parts);
  addRequestEndpoints(router, parts);

  router.add(connectionEndpoints.listConnections, async ({ input: { userId } }) => ({
    data: (await listConnections(db.manager, userId)).map((row) => presentConnection(row, clock())),
  }));

  router.add(connectionEndpoints.endConnection, async ({ input, caller }) => {
    await inTransaction(db, (tx) => endConnection(tx, { ...input, reason: 'user', caller, clock }));
    return { message: 'ended' };
  });
};
