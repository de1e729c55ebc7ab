import { defineCounter, defineGauge, defineHistogram } from '@shortlist/kit/process/declared-metrics';

export const hashQueueWaiting = defineGauge('hash_queue_waiting', {
  help: 'Passwords that wait to be hashed; beyond 200 a request is refused',
});

export const hashQueueSeconds = defineHistogram('hash_queue_wait_seconds', {
  help: 'Time for which a password waited to be hashed',
  buckets: [0.001, 0.01, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

export const hashesRefused = defineCounter('hash_queue_refused_total', {
  help: 'Requests refused with 503 because that queue was full',
});
