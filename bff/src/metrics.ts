import { defineCounter, defineGauge } from '@shortlist/kit/process/declared-metrics';

export const logIns = defineCounter('log_ins_total', {
  help: 'Log-ins, by last step and outcome (succeeded, failed, locked: unknown devices have to wait)',
  labels: ['method', 'outcome'],
});

export const livePages = defineGauge('live_pages', {
  help: 'Open pages that receive live updates',
});
