import type { Metrics } from '@shortlist/kit/process/metrics';
import { stripeSeconds } from '../metrics.ts';

type Outcome = 'ok' | 'refused' | 'unauthorized' | 'limited' | 'failed' | 'unreachable';
/** Records a call that began at `startedAt` (`performance.now`); `status` is null when Stripe did not respond. */
export type MeasureCall = (call: { operation: string; status: number | null; startedAt: number }) => void;

/** Stripe refuses calls every day, such as the payment by a declined card: only some statuses are a problem of the connection. */
const outcomeOf = (status: number | null): Outcome => {
  if (status === null) return 'unreachable';
  if (status < 400) return 'ok';
  if (status === 401) return 'unauthorized';
  if (status === 429) return 'limited';
  return status < 500 ? 'refused' : 'failed';
};

/** Adds the calls to Stripe to the metrics. */
export const createCallMeasure = (metrics: Metrics): MeasureCall => {
  const histogram = metrics.histogram(stripeSeconds);
  return ({ operation, status, startedAt }) =>
    histogram.observe({ operation, outcome: outcomeOf(status) }, (performance.now() - startedAt) / 1_000);
};
