import { createHash } from 'node:crypto';
import { creditPackChanged } from '@shortlist/contracts/events/billing';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import type { CustomerSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';
import { lockSubscriber } from '../subscriptions/queries.ts';
import { recordInvoice, recordPaymentAfterDeletion } from '../subscriptions/record-invoice.ts';
import { paidStateOf } from './pack.rules.ts';
import { findPackByInvoice, insertPack, type PackRow, updatePack } from './queries.ts';

/**
 * A UUID derived from the invoice's id, so that a pack that is recorded again, as after the database was restored, is the same pack for other
 * services.
 */
const packIdOf = (invoiceId: string): string => {
  const hex = createHash('sha256').update(`credit pack ${invoiceId}`).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
};

type Sold = InvoiceSnapshot & { credits: number };
type Recording = { snapshot: Pick<CustomerSnapshot, 'packs' | 'disputes'>; clock: Clock; log: Log };

/** Whether the invoice is paid and is for a pack. */
const isSold = (invoice: InvoiceSnapshot): invoice is Sold =>
  invoice.status === 'paid' && invoice.credits !== null;

const newPack = (userId: string, { id, credits, amount, currency, paidAt }: Sold, now: Date) => ({
  packId: packIdOf(id),
  userId,
  invoiceId: id,
  version: 0,
  credits,
  amount,
  currency,
  paidAt: paidAt ?? now,
});

/** Inserts or updates the pack and emits its state, if anything changed. */
const recordPack = async (
  tx: Tx,
  userId: string,
  { invoice, snapshot, clock }: Omit<Recording, 'log'> & { invoice: Sold },
): Promise<void> => {
  const stored = await findPackByInvoice(tx, invoice.id);
  const paidState = paidStateOf(invoice, snapshot);
  if (stored?.state === paidState.state && stored.paidCredits === paidState.paidCredits) return;
  const before = stored ?? newPack(userId, invoice, clock());
  const pack: PackRow = { ...before, ...paidState, version: before.version + 1 };
  await (stored === null ? insertPack(tx, pack) : updatePack(tx, pack));
  const { packId, version, credits, paidCredits, paidAt } = pack;
  const data = { packId, version, credits, paidCredits, paidAt: paidAt.toISOString() };
  await emit(tx, creditPackChanged, { subject: userId, data, clock });
};

/**
 * Records the invoices of a user's packs as read from Stripe, and the state of each pack. The caller owns the user's lease, so the snapshot is
 * the newest. For a deleted user, only the invoices are recorded, for accounting. Idempotent.
 */
export const recordPacks = async (
  tx: Tx,
  userId: string,
  { snapshot, clock, log }: Recording,
): Promise<void> => {
  if (snapshot.packs.length === 0) return;
  const subscriber = await lockSubscriber(tx, userId);
  if (subscriber === null) throw new Error(`no subscriber ${userId}`);
  const { deletedAt } = subscriber;
  for (const invoice of snapshot.packs) {
    await recordInvoice(tx, userId, { invoice, clock });
    if (deletedAt !== null)
      await recordPaymentAfterDeletion(tx, { userId, deletedAt }, { invoice, clock, log });
    else if (isSold(invoice)) await recordPack(tx, userId, { invoice, snapshot, clock });
  }
};
