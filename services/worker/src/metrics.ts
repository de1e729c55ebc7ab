import {
  CALL_BUCKETS,
  defineCounter,
  defineGauge,
  defineHistogram,
} from '@shortlist/kit/process/declared-metrics';

export const mails = defineCounter('mails_total', {
  help: 'Attempts to send a mail, by template and outcome (sent, postponed for another attempt, failed for good, skipped without a recipient)',
  labels: ['template', 'outcome'],
});

export const mailCallSeconds = defineHistogram('mail_request_duration_seconds', {
  help: "Time of a call to the mail provider's API, by outcome (accepted; rejected for good; retry, not accepted and to be repeated; unknown, the response was lost)",
  labels: ['outcome'],
  buckets: CALL_BUCKETS,
});

export const webhookTries = defineCounter('webhook_tries_total', {
  help: "Tries to send a webhook to a user's system, by outcome (delivered; failed, any response but 2xx or none; gone, a response of 410)",
  labels: ['outcome'],
});

export const mailsUnsent = defineGauge('mails_unsent', {
  help: 'Mails that are pending or being sent',
});

export const mailsAge = defineGauge('mails_oldest_unsent_seconds', {
  help: 'Age of the oldest mail that is not sent, 0 without one',
});
