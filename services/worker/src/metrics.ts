import {
  CALL_BUCKETS,
  defineCounter,
  defineGauge,
  defineHistogram,
} from '@shortlist/kit/process/declared-metrics';

export const mails = defineCounter('mails_total', {
  help: 'Attempts to send a mail, by outcome (sent, postponed, failed for good, skipped without a recipient, undeliverable since an earlier one came back)',
  labels: ['template', 'outcome'],
});

export const mailCallSeconds = defineHistogram('mail_request_duration_seconds', {
  help: 'Time of a call to the mail provider, by outcome (accepted, rejected for good, retry, unknown because the response was lost)',
  labels: ['outcome'],
  buckets: CALL_BUCKETS,
});

export const mailDeliveries = defineCounter('mail_deliveries_total', {
  help: 'Mails by what the events of the mail provider say of them; a mail counts once for each state that it takes',
  labels: ['outcome'],
});

export const mailEventsRefused = defineCounter('mail_events_refused_total', {
  help: 'Deliveries of mail events whose signature did not match, or was too old',
});

export const webhookTries = defineCounter('webhook_tries_total', {
  help: 'Tries to send a webhook, by outcome (delivered; failed, no 2xx; gone, 410)',
  labels: ['outcome'],
});

export const mailsUnsent = defineGauge('mails_unsent', {
  help: 'Mails that are pending or being sent',
});

export const mailsAge = defineGauge('mails_oldest_unsent_seconds', {
  help: 'Age of the oldest unsent mail, 0 without one',
});

export const backupTime = defineGauge('backup_timestamp_seconds', {
  help: 'Time from which on the newest backup can be restored, 0 without one',
});

export const verifiedBackupTime = defineGauge('backup_verified_timestamp_seconds', {
  help: 'That time of the newest backup that a trial restore has found in order, 0 without one',
});

export const verifyTime = defineGauge('verify_timestamp_seconds', {
  help: 'When the newest reported run of `shortlist verify` ended, 0 without one',
});

export const verifyBreaches = defineGauge('verify_breaches', {
  help: 'Breaches of invariants that this run found',
});
