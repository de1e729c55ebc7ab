import { messages } from '@shortlist/contracts/messages';

export const systemText = messages({
  title: 'System',
  loading: 'Loading the system status',
  failed: 'The system status could not be loaded',
  checked: 'Checked {time}. All times are in your time zone',
  notChecked: 'Not checked yet. All times are in your time zone',
  timeZone: 'All times are in your time zone',

  allGood: 'Payments are set up, and there are no open alerts.',
  partlyUnknown: 'No open alerts. Some of the payment settings could not be checked.',
  openAlerts: '{alerts, plural, one {There is # alert to look at.} other {There are # alerts to look at.}}',
  settingsWrong:
    '{problems, plural, one {There is # problem in the payment settings.} other {There are # problems in the payment settings.}}',
  alertsAndProblems:
    'There {alerts, plural, one {is # alert} other {are # alerts}} to look at, and {problems, plural, one {# problem} other {# problems}} in the payment settings.',

  alerts: 'Alerts',
  noAlerts: 'There are no alerts.',
  resolve: 'Mark as resolved',
  resolveThis: 'Mark as resolved: {alert}',
  resolved: 'Resolved {time}',
  viewUser: 'View the user',
  alertWithAmount: '{alert}, {amount}',
  dispute_opened: 'Payment disputed',
  dispute_lost: 'Dispute lost',
  early_fraud_warning: 'Payment reported as fraud',
  payment_of_deleted_user: 'Payment for a deleted account',
  late_payment: 'Payment for a period that was over',
  subscription_without_user: 'Subscription without a user',
  refund_failed: 'Refund failed at the bank',
  invoice_finalization_failed: 'Invoice could not be finalized',

  settings: 'Payment settings',
  ok: 'OK',
  needsAttention: 'Needs attention',
  unknown: 'Unknown',
  neverChecked: 'Not checked yet',
  outdated: 'Not checked since {time}',
  price: 'Price of the plan',
  portal: 'Billing portal',
  webhook: 'Webhook endpoint',
  webhook_events: 'Webhook events',
  api_version: 'API version',
});
