import { unconfirmedEndpoints } from '@shortlist/contracts/api/email';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { giveUpAccount, remindUser } from './give-up-account.ts';
import { listDue, markKept } from './queries.ts';

/** Accounts that one run of the job looks at. */
const DUE_MAX = 100;

/** The endpoints about accounts whose address was not confirmed. */
export const addUnconfirmedEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  router.add(unconfirmedEndpoints.listUnconfirmed, async () => ({
    data: (await listDue(db.manager, clock(), DUE_MAX)).map(({ id, remindedAt }) => ({
      userId: id,
      step: remindedAt === null ? 'remind' : 'give_up',
    })),
  }));

  router.add(unconfirmedEndpoints.remindUnconfirmed, async ({ input }) => {
    await inTransaction(db, (tx) => remindUser(tx, { ...input, clock }));
    return {};
  });

  router.add(unconfirmedEndpoints.giveUpAccount, async ({ input }) => ({
    deleted: await inTransaction(db, (tx) => giveUpAccount(tx, { ...input, clock })),
  }));

  router.add(unconfirmedEndpoints.keepAccount, async ({ input }) => {
    await markKept(db.manager, input.userId, input.keptFor);
    return {};
  });
};
