/**
 * What the System screen says. A check that was not repeated for a while is unknown, even if it was right the last time: a green
 * mark always means that the result is current.
 */
import type { AlertKind, AlertView } from '@shortlist/contracts/alerts';
import type { StripeCheck, StripeSetup, SystemView } from '@shortlist/contracts/api/public';

/** Three times the interval at which billing checks. */
const CURRENT_MS = 15 * 60_000;

export const CHECK_LABELS: Record<StripeCheck['name'], string> = {
  price: 'Price of the plan',
  portal: 'Billing portal',
  webhook: 'Webhook endpoint',
  webhook_events: 'Webhook events',
  api_version: 'API version',
};

export const ALERT_LABELS: Record<AlertKind, string> = {
  dispute_opened: 'Payment disputed',
  dispute_lost: 'Dispute lost',
  early_fraud_warning: 'Payment reported as fraud',
  payment_of_deleted_user: 'Payment for a deleted account',
  refund_failed: 'Refund failed at the bank',
  invoice_finalization_failed: 'Invoice could not be finalized',
};

/** Returns the checks; those of an outdated result are unknown. */
export const currentChecks = ({ checkedAt, checks }: StripeSetup, now: number): StripeCheck[] => {
  const isCurrent = checkedAt !== null && now - Date.parse(checkedAt) < CURRENT_MS;
  return isCurrent ? checks : checks.map((check) => ({ ...check, ok: null }));
};

const openAlerts = (alerts: AlertView[]): AlertView[] =>
  alerts.filter(({ resolvedAt }) => resolvedAt === null);

type Summary = { tone: 'good' | 'warn' | 'plain'; text: string };

const some = (figure: number, noun: string): string => `${figure} ${noun}${figure === 1 ? '' : 's'}`;

/** Returns the sentence at the top: what is wrong first, then what is unknown. */
export const summaryOf = ({ stripe, alerts }: SystemView, now: number): Summary => {
  const checks = currentChecks(stripe, now);
  const wrong = checks.filter(({ ok }) => ok === false).length;
  const open = openAlerts(alerts).length;
  const problems = [
    open > 0 ? `${some(open, 'alert')} to look at` : '',
    wrong > 0 ? `${some(wrong, 'problem')} in the payments set-up` : '',
  ].filter(Boolean);
  if (problems.length > 0)
    return { tone: 'warn', text: `There ${open + wrong === 1 ? 'is' : 'are'} ${problems.join(' and ')}.` };
  return checks.some(({ ok }) => ok === null)
    ? { tone: 'plain', text: 'No open alerts. Part of the payments set-up could not be checked.' }
    : { tone: 'good', text: 'Payments are set up, and there are no open alerts.' };
};
