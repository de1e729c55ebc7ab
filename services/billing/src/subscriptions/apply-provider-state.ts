import { paymentFailed, paymentRefunded, paymentSucceeded } from '@shortlist/contracts/events/billing';
import type { PlanState } from '@shortlist/contracts/plan';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { type InvoiceNews, recordInvoice } from './invoices.ts';
import { lockSubscriber, updateSubscriber } from './queries.ts';
import {
  currentSubscription,
  isSold,
  paidCoverage,
  type ProviderInvoice,
  type ProviderState,
  refundedAmount,
} from './subscription.rules.ts';
import { stateOf, type Tell, telling, writePlan } from './write-plan.ts';

type Invoiced = { tx: Tx; userId: string; clock: Clock; invoice: ProviderInvoice };

const tellOfInvoice = ({ tx, userId: subject, clock, invoice }: Invoiced, news: InvoiceNews): Tell[] => {
  const { id: invoiceId, amount, currency } = invoice;
  const tell: Tell[] = [];
  if (news.paid && isSold(invoice)) {
    const paidAt = (invoice.paidAt ?? clock()).toISOString();
    tell.push(
      telling(tx, paymentSucceeded, { subject, data: { invoiceId, amount, currency, paidAt }, clock }),
    );
  }
  if (news.failedAttempt) {
    const data = {
      invoiceId,
      attempt: invoice.attempts,
      nextAttemptAt: invoice.nextAttemptAt?.toISOString() ?? null,
    };
    tell.push(telling(tx, paymentFailed, { subject, data, clock }));
  }
  if (news.refunded) {
    const data = { invoiceId, amount: refundedAmount(invoice), currency };
    tell.push(telling(tx, paymentRefunded, { subject, data, clock }));
  }
  return tell;
};

const subscriptionColumns = (state: ProviderState) => {
  const subscription = currentSubscription(state);
  return {
    subscriptionId: subscription?.id ?? null,
    subscriptionStatus: subscription?.status ?? null,
    renews: subscription?.renews ?? false,
  };
};

type Reading = { state: ProviderState; by: string; reason: string; clock: Clock };

/**
 * Writes what was read from the provider: invoices, the plan and the facts, in one transaction. The caller holds the
 * person's lease, so what it read is the newest. Reading the same twice writes and tells nothing the second time.
 */
export const applyProviderState = async (
  tx: Tx,
  userId: string,
  { state, by, reason, clock }: Reading,
): Promise<PlanState> => {
  const current = await lockSubscriber(tx, userId);
  if (current === null) throw new Error(`no subscriber ${userId}`);
  const tell: Tell[] = [];
  for (const invoice of state.invoices) {
    tell.push(...tellOfInvoice({ tx, userId, clock, invoice }, await recordInvoice(tx, userId, invoice)));
  }
  if (current.deletedAt !== null) {
    // Accounting goes on, but nobody is told of a person who is gone.
    await updateSubscriber(tx, userId, subscriptionColumns(state));
    return stateOf(current);
  }
  const change = {
    paid: paidCoverage(state, clock()),
    granted: current.granted,
    ...subscriptionColumns(state),
  };
  return writePlan(tx, { current, change, by, reason, tell, clock });
};
