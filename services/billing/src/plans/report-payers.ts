import { inTransaction } from '@shortlist/kit/data/db';
import { listOpenAlerts, setResolved } from '../alerts/queries.ts';
import { alertIdOf, raiseAlerts } from '../alerts/raise-alert.ts';
import type { RefreshParts } from '../refresh/refresh-subscriber.ts';
import { findSubscriber, listSubscribed, type SubscriberRow } from '../subscriptions/queries.ts';
import { isOngoing } from '../subscriptions/subscription.rules.ts';

type Parts = Pick<RefreshParts, 'db' | 'clock' | 'log'>;
type Payer = SubscriberRow & { subscriptionId: string };

const PAGE = 500;
const KIND = 'payer_without_account';

const isPayer = (row: SubscriberRow | null): row is Payer =>
  row !== null && row.deletedAt === null && row.subscriptionId !== null && isOngoing(row.subscriptionStatus);

/** A page of the users with an ongoing subscription. */
export const listPayers = async (
  { db }: Parts,
  after = '',
): Promise<{ data: string[]; next: string | null }> => {
  const rows = await listSubscribed(db.manager, after, PAGE);
  const next = rows.length === PAGE ? (rows.at(-1)?.userId ?? null) : null;
  return { data: rows.filter(isPayer).map(({ userId }) => userId), next };
};

/** Raises an alert for each payer without an account, and resolves the others: the account is there again, or nothing is charged any more. */
export const reportPayers = async (
  { db, clock, log }: Parts,
  withoutAccount: readonly string[],
): Promise<void> => {
  const payers = await Promise.all(withoutAccount.map((userId) => findSubscriber(db.manager, userId)));
  const alerts = payers.filter(isPayer).map(
    (payer) =>
      ({
        kind: KIND,
        objectId: payer.subscriptionId,
        userId: payer.userId,
        amount: payer.priceAmount,
        currency: payer.priceCurrency,
      }) as const,
  );
  const current = new Set(alerts.map(({ objectId }) => alertIdOf(KIND, objectId)));
  await inTransaction(db, async (tx) => {
    await raiseAlerts(tx, alerts, { clock, log });
    for (const { alertId } of await listOpenAlerts(tx, KIND))
      if (!current.has(alertId)) await setResolved(tx, alertId, clock());
  });
};
