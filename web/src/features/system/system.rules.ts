/**
 * What the System screen says. A check that was not repeated for a while is unknown, even if it was right the last time: a green
 * mark always means that the result is current.
 */
import { minutes } from '@shortlist/contracts/durations';
import type { AlertView, StripeCheck, StripeSetup, SystemView } from '@shortlist/contracts/api/billing';
import { systemText } from '../../messages/system.ts';

/** Three times the interval at which billing checks. */
const CURRENT_MS = minutes(15);

/** Returns the checks; those of an outdated result are unknown. */
export const currentChecks = ({ checkedAt, checks }: StripeSetup, now: number): StripeCheck[] => {
  const isCurrent = checkedAt !== null && now - Date.parse(checkedAt) < CURRENT_MS;
  return isCurrent ? checks : checks.map((check) => ({ ...check, ok: null }));
};

export const openAlerts = (alerts: AlertView[]): AlertView[] =>
  alerts.filter(({ resolvedAt }) => resolvedAt === null);

/** What is wrong, one sentence each. */
export const setupProblemsOf = ({ stripe, alerts }: SystemView, now: number): string[] => {
  const open = openAlerts(alerts).length;
  const wrong = currentChecks(stripe, now).filter(({ ok }) => ok === false).length;
  return [
    ...(open > 0 ? [systemText('openAlerts', { alerts: open })] : []),
    ...(wrong > 0 ? [systemText('settingsWrong', { problems: wrong })] : []),
  ];
};

/** Whether the result of a check is unknown, which is no problem by itself: some cannot be made everywhere. */
export const hasUnknownChecks = ({ stripe }: SystemView, now: number): boolean =>
  currentChecks(stripe, now).some(({ ok }) => ok === null);
