import { defineGauge } from '@shortlist/kit/process/declared-metrics';

export const ledgerDrift = defineGauge('ledger_drift_windows', {
  help: 'Credit windows and other buckets with new ledger entries whose use is not the sum of their entries; read at most every 25 s, must be 0',
});
