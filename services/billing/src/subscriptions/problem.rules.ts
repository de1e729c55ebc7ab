// Why a user's payment has not gone through, by the state of the current subscription and its newest open invoice. A payment that is being
// processed comes first, because the user must not pay again in the meantime. A subscription that awaits its first payment is incomplete,
// whatever the reason, and the user may buy again; so is an active one whose renewal was never invoiced, once the grace is over. A subscription
// that Stripe has given up is not a problem, unless a payment of its invoice is in progress. Another ongoing subscription of the customer comes
// after problems of the plan's own, and prevents selling a further one. An open dispute of a payment for an ongoing subscription comes last:
// nothing is due, and the plan stays until the bank decides.
import type { PaymentProblem } from '@shortlist/contracts/api/billing';
import { days } from '@shortlist/contracts/durations';
import { GRACE_DAYS, PRICE_LOOKUP_KEY } from '@shortlist/contracts/limits';
import { LOCALE } from '@shortlist/contracts/messages';
import type { NewAlert } from '../alerts/raise-alert.ts';
import { alertText } from '../messages.ts';
import {
  currentSubscription,
  isClosed,
  isLost,
  isOngoing,
  otherSubscriptions,
} from './subscription.rules.ts';
import type {
  CustomerSnapshot,
  DisputeSnapshot,
  InvoiceSnapshot,
  SubscriptionSnapshot,
} from '../stripe/snapshot.ts';

type Kind = PaymentProblem['kind'];
type Problem = Omit<PaymentProblem, 'since'>;

const openInvoiceOf = ({ invoices }: CustomerSnapshot, subscriptionId: string): InvoiceSnapshot | null => {
  const open = invoices.filter(
    (invoice) => invoice.status === 'open' && invoice.subscriptionId === subscriptionId,
  );
  return open.toSorted((one, other) => other.period.end.getTime() - one.period.end.getTime())[0] ?? null;
};

type Collection = Pick<InvoiceSnapshot, 'isProcessing' | 'needsAuthentication'>;
const NO_INVOICE: Collection = { isProcessing: false, needsAuthentication: false };

const ongoingKindOf = (status: string, { needsAuthentication }: Collection): Kind | null => {
  if (needsAuthentication) return 'authentication';
  return status === 'past_due' ? 'past_due' : null;
};

const kindOf = (status: string, collection: Collection): Kind | null => {
  if (collection.isProcessing) return 'processing';
  if (status === 'paused' || status === 'incomplete') return status;
  return isOngoing(status) ? ongoingKindOf(status, collection) : null;
};

const NOTHING_DUE = { amount: null, currency: null, payUrl: null, resumesAt: null };

const dueOf = (kind: Kind, invoice: InvoiceSnapshot | null): Omit<Problem, 'kind'> => {
  if (invoice === null) return NOTHING_DUE;
  const { amount, currency, hostedUrl } = invoice;
  return { amount, currency, payUrl: kind === 'processing' ? null : hostedUrl, resumesAt: null };
};

/** Whether Stripe could not invoice the renewal: the newest period and its grace are over, and no invoice is open. */
const isNotInvoiced = (
  { invoices }: CustomerSnapshot,
  { id, status }: SubscriptionSnapshot,
  now: Date,
): boolean => {
  const ends = invoices
    .filter(({ subscriptionId }) => subscriptionId === id)
    .map(({ period }) => period.end.getTime());
  return status === 'active' && ends.length > 0 && Math.max(...ends) + days(GRACE_DAYS) <= now.getTime();
};

/** The newest open dispute of a payment for the subscription, while it is ongoing. */
const disputeOf = (snapshot: CustomerSnapshot, { id, status }: SubscriptionSnapshot): Problem | null => {
  if (!isOngoing(status)) return null;
  const invoices = snapshot.invoices.filter(
    (invoice) => invoice.subscriptionId === id && !isLost(invoice, snapshot),
  );
  const open = snapshot.disputes
    .filter((dispute) => !isClosed(dispute) && invoices.some((invoice) => invoice.id === dispute.invoiceId))
    .toSorted((one, other) => other.openedAt.getTime() - one.openedAt.getTime())[0];
  if (open === undefined) return null;
  const { amount, currency } = open;
  return { ...NOTHING_DUE, kind: 'disputed', amount, currency };
};

/** The problem of the plan's own subscription. */
const ownProblemOf = (snapshot: CustomerSnapshot, now: Date): Problem | null => {
  const subscription = currentSubscription(snapshot);
  if (subscription === null) return null;
  if (isNotInvoiced(snapshot, subscription, now)) return { kind: 'incomplete', ...NOTHING_DUE };
  const invoice = openInvoiceOf(snapshot, subscription.id);
  const kind = kindOf(subscription.status, invoice ?? NO_INVOICE);
  if (kind === 'paused')
    return { ...NOTHING_DUE, kind, resumesAt: subscription.resumesAt?.toISOString() ?? null };
  return kind === null ? disputeOf(snapshot, subscription) : { kind, ...dueOf(kind, invoice) };
};

/** The problem with a payment for the plan, or with selling a subscription; or null. */
export const problemOf = (snapshot: CustomerSnapshot, now: Date): Problem | null => {
  const own = ownProblemOf(snapshot, now);
  if (own !== null && own.kind !== 'incomplete' && own.kind !== 'disputed') return own;
  const [other] = otherSubscriptions(snapshot);
  if (other === undefined) return own;
  const { amount, currency } = other.price ?? NOTHING_DUE;
  return { ...NOTHING_DUE, kind: 'other_subscription', amount, currency };
};

/** The problem with the time at which its kind was first seen: a different amount is not a new problem. */
export const withSince = (
  problem: Problem | null,
  before: PaymentProblem | null,
  now: Date,
): PaymentProblem | null => {
  if (problem === null) return null;
  const since = before?.kind === problem.kind ? before.since : null;
  return { ...problem, since: since ?? now.toISOString() };
};

// The states of a customer at Stripe that need an operator: an open or lost dispute, a refund that the bank returned, and a subscription in
// addition to the plan's own. Each raises one alert, however often the state is read.

const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' });

const disputeDetail = ({ reason: code, evidenceDueAt }: DisputeSnapshot): string => {
  const reason = code.replaceAll('_', ' ');
  return evidenceDueAt === null
    ? alertText('disputeReason', { reason })
    : alertText('disputeReasonDue', { reason, day: day.format(evidenceDueAt) });
};

/** The subject of a dispute; empty for a payment of the plan. */
const subjectOf = ({ invoiceId }: DisputeSnapshot, packs: InvoiceSnapshot[]): string => {
  const credits = packs.find(({ id }) => id === invoiceId)?.credits ?? null;
  return credits === null ? '' : alertText('disputeOfPack', { credits: String(credits) });
};

const ofDispute = (
  dispute: DisputeSnapshot,
  { userId, packs }: { userId: string; packs: InvoiceSnapshot[] },
): NewAlert[] => {
  const { id: objectId, amount, currency } = dispute;
  const alert = { objectId, userId, amount, currency };
  const subject = subjectOf(dispute, packs);
  if (dispute.status === 'lost') return [{ ...alert, kind: 'dispute_lost', detail: subject || null }];
  if (isClosed(dispute)) return [];
  const detail = [subject, disputeDetail(dispute)].filter(Boolean).join(' ');
  return [{ ...alert, kind: 'dispute_opened', detail }];
};

const ofOther = ({ id: objectId, price, sellsPlan }: SubscriptionSnapshot, userId: string): NewAlert => ({
  kind: 'other_subscription',
  objectId,
  userId,
  amount: price?.amount ?? null,
  currency: price?.currency ?? null,
  detail: alertText(sellsPlan ? 'secondSubscription' : 'otherPrice', { plan: PRICE_LOOKUP_KEY }),
});

export const alertsOf = (snapshot: CustomerSnapshot, userId: string): NewAlert[] => [
  ...otherSubscriptions(snapshot).map((one) => ofOther(one, userId)),
  ...alertsOfPayments(snapshot, userId),
];

const alertsOfPayments = ({ disputes, invoices, packs }: CustomerSnapshot, userId: string): NewAlert[] => [
  ...disputes.flatMap((dispute) => ofDispute(dispute, { userId, packs })),
  ...[...invoices, ...packs].flatMap(({ currency, failedRefunds }) =>
    failedRefunds.map(({ id: objectId, amount }): NewAlert => ({
      kind: 'refund_failed',
      objectId,
      userId,
      amount,
      currency,
    })),
  ),
];
