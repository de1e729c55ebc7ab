import { newsMailEndpoints } from '@shortlist/contracts/api/email';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { isTurnedOff, setNewsMails } from './turned-off-queries.ts';

export const addNewsEndpoints = (router: Router, { db }: { db: Db }): void => {
  router.add(newsMailEndpoints.getNewsMails, async ({ input: { userId } }) => ({
    enabled: !(await isTurnedOff(db.manager, userId, 'news')),
  }));

  router.add(newsMailEndpoints.setNewsMails, ({ input }) =>
    inTransaction(db, (tx) => setNewsMails(tx, input)),
  );
};
