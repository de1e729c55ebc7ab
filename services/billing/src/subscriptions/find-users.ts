import type { Tx } from '@shortlist/kit/data/db';
import { listUserIdsOfInvoices } from '../records/invoice-queries.ts';
import { ofPrefix, spellingsOf } from '../records/references.ts';
import { findUserIdBySubscription } from '../records/subscription-queries.ts';
import { findUserIdByCustomer } from './queries.ts';

const asList = (userId: string | null): string[] => (userId === null ? [] : [userId]);

/** The users of Stripe's ids, by their prefix. Each is one read of an index. */
const BY_PREFIX: Record<string, (tx: Tx, id: string) => Promise<string[]>> = {
  cus: async (tx, id) => asList(await findUserIdByCustomer(tx, id)),
  sub: async (tx, id) => asList(await findUserIdBySubscription(tx, id)),
  in: (tx, id) => listUserIdsOfInvoices(tx, 'invoiceId', [id]),
  pi: (tx, id) => listUserIdsOfInvoices(tx, 'paymentIntentId', [id]),
  ch: (tx, id) => listUserIdsOfInvoices(tx, 'chargeId', [id]),
  py: (tx, id) => listUserIdsOfInvoices(tx, 'chargeId', [id]),
};

/** The users of a reference at Stripe, each once: that of an id, or those of the number of an invoice. */
export const findUsersByReference = async (tx: Tx, reference: string): Promise<string[]> => {
  const found = ofPrefix(BY_PREFIX, reference)?.(tx, reference);
  return [...new Set(await (found ?? listUserIdsOfInvoices(tx, 'number', spellingsOf(reference))))];
};
