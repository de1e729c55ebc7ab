import { messages } from '@shortlist/contracts/messages';

/** Credits and their usage. */
export const creditsText = messages({
  title: 'Your Credits and Usage',
  loading: 'Loading your credits',
  failed: 'Your credits could not be loaded',
  balance: 'Your balance',
  available: 'Credits available',
  ofLimit: 'of {limit, number}',
  meter: 'Credits used',
  usedNotStarted:
    '{used, plural, =0 {None used yet.} other {# used.}} Your {days, number} days start with your first credit.',
  usedFree:
    '{used, plural, =0 {None used yet.} other {# used.}} You get {limit, number} new credits on {day}.',
  usedPremium: '{used, plural, =0 {None used yet.} other {# used.}} These credits last until {day}.',

  premiumUsedUp: 'Premium credits used up',
  premiumUsedUpText: 'You have used all your credits: {messages, number} messages composed',
  premiumUsedUpEmails:
    'You have used all your credits: {emails, plural, one {# email} other {# emails}} found',
  premiumUsedUpBoth:
    'You have used all your credits: {messages, plural, one {# message} other {# messages}} composed, {emails, plural, one {# email} other {# emails}} found',
  freeUsedUp: 'Free credits used up',
  freeUsedUpText: 'You have composed {messages, number} free messages',
  freeUsedUpEmails: 'You have found {emails, number} emails with free credits',
  freeUsedUpBoth:
    'You have composed {messages, plural, one {# free message} other {# free messages}} and found {emails, plural, one {# email} other {# emails}}',
  usedUp: 'You have used all {limit, number} credits',
  premiumUsedUpThen:
    '{usedUp}. {next} Until then, contacts that you used a credit for in the last {days, number} days cost nothing.',
  used: '{used, number} used.',

  period: 'Current period',
  plan: 'Plan',
  premium: 'Premium',
  free: 'Free',
  starts: 'Starts',
  withFirstCredit: 'With your first credit',
  started: 'Started',
  ends: 'Ends',
  premiumUsed: 'Premium credits used',
  freeUsed: 'Free credits used',

  mails: 'Email me when my credits run low',
  mailsWhen: 'When you have used 80%, and when you have used all.',
  loadingMails: 'Loading your email setting',
  mailsFailed: 'Your email setting could not be loaded',

  history: 'History',
  loadingHistory: 'Loading your history',
  historyFailed: 'Your history could not be loaded',
  noHistory: 'You have not used any credits yet. Messages and emails from the extension will be listed here.',
  date: 'Date',
  action: 'Action',
  contact: 'Contact',
  credits: 'Credits',
  message_composed: 'Message composed',
  email_found: 'Email found',
  latest: 'Latest {count, number}',
  page: 'Page {page, number}',
  newer: 'Newer',
  older: 'Older',
});
