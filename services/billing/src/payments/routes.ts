import { paymentEndpoints } from '@shortlist/contracts/api/payments';
import { PAYMENTS_PAGE } from '@shortlist/contracts/limits';
import { csvHeaders } from '@shortlist/kit/data/csv.rules';
import type { Db } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { exportPayments, recordExport } from './export-payments.ts';
import { listPayments, sumPayments } from './payment-queries.ts';

export const addPaymentEndpoints = (router: Router, parts: { db: Db; clock: Clock }): void => {
  const { db } = parts;
  router.add(paymentEndpoints.listPayments, async ({ input }) => {
    const { data, next } = await listPayments(db.manager, input, PAYMENTS_PAGE);
    return { data: data.map(({ chargeId: _, ...payment }) => payment), next };
  });

  router.add(paymentEndpoints.sumPayments, async ({ input }) => ({
    data: await sumPayments(db.manager, input),
  }));

  router.add(paymentEndpoints.exportPayments, async ({ input, caller, response }) => {
    await recordExport(parts, caller, input);
    response.set(csvHeaders('payments.csv'));
    await exportPayments(parts, input, response);
    return '';
  });
};
