import { messages } from '@shortlist/contracts/messages';

/** An admin who views the product as a user. */
export const viewingText = messages({
  viewAs: 'View as this user',
  title: 'View as {name}',
  loading: 'Loading the user',
  failed: 'The user could not be loaded',
  whatHappens:
    'You see the pages of {name} for {minutes} minutes, in this tab. You can look around and send the confirmation email again, and nothing else.',
  whatIsSeen:
    '{name} sees among the recent sign-ins that support viewed the account. Your reason is kept in the audit log.',
  reason: 'Reason',
  start: 'View as {name}',
  cancel: 'Cancel',
  bar: 'You are viewing the account of {name}',
  left: '{minutes, plural, =0 {Less than a minute left} one {# minute left} other {# minutes left}}',
  stop: 'Stop',
});
