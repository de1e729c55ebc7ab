import { listUnknownFees } from '../invoices/queries.ts';
import { findSubscriber } from '../subscriptions/queries.ts';
import { findCursor, setCursor } from './queries.ts';
import { repairSubscriber, type Run } from './repair-subscriber.ts';

/** Stripe captures most payments within this time and says so by an event. */
const CAPTURE_MS = 5 * 60_000;
/** A fee may stay unknown, of a customer deleted at Stripe for example, so that each run reads a few and the next continues. */
const PER_RUN = 20;

/** Fills in fees that were unknown when their payment succeeded and whose event was lost. */
export const reconcileFees = async (run: Run): Promise<void> => {
  const { db, clock } = run;
  const invoices = await listUnknownFees(db.manager, {
    paidBefore: new Date(clock().getTime() - CAPTURE_MS),
    after: (await findCursor(db.manager, 'fees')) ?? '',
    limit: PER_RUN,
  });
  for (const userId of new Set(invoices.map((invoice) => invoice.userId))) {
    const subscriber = await findSubscriber(db.manager, userId);
    if (subscriber !== null) await repairSubscriber(run, subscriber);
  }
  const position = invoices.length < PER_RUN ? null : (invoices.at(-1)?.invoiceId ?? null);
  await setCursor(db.manager, { list: 'fees', position });
};
