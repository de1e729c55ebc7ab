import Joi from 'joi';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { presentAlert } from './present.ts';
import { listAlerts } from './queries.ts';
import { settleAlert } from './settle-alert.ts';

/** A kind and an id of Stripe's. */
const alertId = Joi.string()
  .max(100)
  .pattern(/^[\x21-\x7e]+$/)
  .required();

export const addAlertEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  router.add(billingEndpoints.listAlerts, {
    roles: ['admin'],
    input: Joi.object<Record<never, never>>({}),
    handle: async () => ({ data: (await listAlerts(db.manager)).map(presentAlert) }),
  });

  router.add(billingEndpoints.resolveAlert, {
    roles: ['admin'],
    input: Joi.object<{ alertId: string }, true>({ alertId }),
    handle: async ({ input, caller }) => ({
      data: presentAlert(await inTransaction(db, (tx) => settleAlert(tx, input.alertId, { caller, clock }))),
    }),
  });
};
