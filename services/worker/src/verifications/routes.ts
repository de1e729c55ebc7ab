import { verificationEndpoints } from '@shortlist/contracts/api/system';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { storeVerification } from './queries.ts';

/** Where `shortlist verify`, whose accounts of the databases may only read, reports what it found. */
export const addVerificationEndpoint = (router: Router, { db }: { db: Db }): void => {
  router.add(verificationEndpoints.reportVerification, async ({ input }) => {
    await inTransaction(db, (tx) => storeVerification(tx, input));
    return {};
  });
};
