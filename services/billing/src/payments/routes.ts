import { IDEMPOTENCY_HEADER, idempotencyKeySchema } from '@shortlist/contracts/api/credits';
import { paymentEndpoints } from '@shortlist/contracts/api/payments';
import { PAYMENTS_PAGE } from '@shortlist/contracts/limits';
import { csvHeaders } from '@shortlist/kit/data/csv.rules';
import { inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import { type RefreshParts, withDeadline } from '../refresh/refresh-subscriber.ts';
import { exportPayments, recordExport } from './export-payments.ts';
import { noteDispute } from './note-dispute.ts';
import { listPayments, sumPayments } from './payment-queries.ts';
import { readPayment } from './read-payment.ts';
import { refundPayment } from './refund-payment.ts';
import { retryPayment } from './retry-payment.ts';
import { sendReceipt } from './send-receipt.ts';

/** Throws `billing.idempotency_key_missing`. */
const keyOf = (request: { get: (name: string) => string | undefined }): string => {
  const result = idempotencyKeySchema.validate(request.get(IDEMPOTENCY_HEADER));
  if (result.error) throw createError('billing.idempotency_key_missing');
  return result.value;
};

export const addPaymentEndpoints = (router: Router, parts: RefreshParts): void => {
  const { db, clock } = parts;
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

  router.add(paymentEndpoints.getPayment, ({ input }) => readPayment(db.manager, input.invoiceId, clock()));

  router.add(paymentEndpoints.refundPayment, async ({ input, caller, request }) => {
    const order = { ...input, order: keyOf(request) };
    return { data: await withDeadline(refundPayment(parts, order, caller), parts) };
  });

  router.add(paymentEndpoints.retryPayment, async ({ input, caller }) => ({
    state: await withDeadline(retryPayment(parts, input.invoiceId, caller), parts),
  }));

  router.add(paymentEndpoints.sendReceipt, async ({ input, caller }) => {
    await withDeadline(sendReceipt(parts, input.invoiceId, caller), parts);
    return {};
  });

  router.add(paymentEndpoints.noteDispute, async ({ input, caller }) => {
    await inTransaction(db, (tx) => noteDispute(tx, input, { caller, clock }));
    return {};
  });
};
