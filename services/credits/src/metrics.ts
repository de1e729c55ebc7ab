import { defineGauge } from '@shortlist/kit/process/declared-metrics';

export const ledgerDrift = defineGauge('ledger_drift_windows', {
  help: 'Buckets with new ledger entries whose use is not the sum of their entries; must be 0',
});
