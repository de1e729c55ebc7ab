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

type Summary = { tone: 'good' | 'warn' | 'plain'; text: string };

const problemsText = (alerts: number, problems: number): string => {
  if (problems === 0) return systemText('openAlerts', { alerts });
  if (alerts === 0) return systemText('settingsWrong', { problems });
  return systemText('alertsAndProblems', { alerts, problems });
};

/** Returns the sentence at the top: what is wrong first, then what is unknown. */
export const summaryOf = ({ stripe, alerts }: SystemView, now: number): Summary => {
  const checks = currentChecks(stripe, now);
  const problems = checks.filter(({ ok }) => ok === false).length;
  const open = openAlerts(alerts).length;
  if (open + problems > 0) return { tone: 'warn', text: problemsText(open, problems) };
  return checks.some(({ ok }) => ok === null)
    ? { tone: 'plain', text: systemText('partlyUnknown') }
    : { tone: 'good', text: systemText('allGood') };
};
