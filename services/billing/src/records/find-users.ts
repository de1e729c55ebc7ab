import type { Tx } from '@shortlist/kit/data/db';
import { In } from 'typeorm';
import { findUserIdByCustomer } from '../subscriptions/queries.ts';
import { type InvoiceRow, invoiceEntity } from './invoice-queries.ts';
import { subscriptionEntity } from './subscription-queries.ts';

const ofInvoice = async (
  tx: Tx,
  column: 'invoiceId' | 'chargeId' | 'paymentIntentId' | 'number',
  values: string[],
): Promise<string[]> => {
  const rows = await tx
    .getRepository(invoiceEntity)
    .find({ select: { invoiceId: true, userId: true }, where: { [column]: In(values) }, take: 5 });
  return rows.map(({ userId }: Pick<InvoiceRow, 'userId'>) => userId);
};

const ofSubscription = async (tx: Tx, subscriptionId: string): Promise<string[]> => {
  const row = await tx.getRepository(subscriptionEntity).findOneBy({ subscriptionId });
  return row === null ? [] : [row.userId];
};

const ofCustomer = async (tx: Tx, customerId: string): Promise<string[]> => {
  const userId = await findUserIdByCustomer(tx, customerId);
  return userId === null ? [] : [userId];
};

/** The users of Stripe's ids, by their prefix. Each is one read of an index. */
const BY_PREFIX: Record<string, (tx: Tx, id: string) => Promise<string[]>> = {
  cus: ofCustomer,
  sub: ofSubscription,
  in: (tx, id) => ofInvoice(tx, 'invoiceId', [id]),
  pi: (tx, id) => ofInvoice(tx, 'paymentIntentId', [id]),
  ch: (tx, id) => ofInvoice(tx, 'chargeId', [id]),
  py: (tx, id) => ofInvoice(tx, 'chargeId', [id]),
};

/** The users of a reference at Stripe, each once: that of an id, or those of the number of an invoice. */
export const findUsersByReference = async (tx: Tx, reference: string): Promise<string[]> => {
  const byPrefix = /^[a-z]+(?=_)/.exec(reference)?.[0] ?? '';
  const find = Object.hasOwn(BY_PREFIX, byPrefix) ? BY_PREFIX[byPrefix] : undefined;
  const found = await (find?.(tx, reference) ??
    ofInvoice(tx, 'number', [reference, reference.toUpperCase()]));
  return [...new Set(found)];
};
