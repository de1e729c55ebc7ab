import { messages } from '@shortlist/contracts/messages';

export const usersText = messages({
  backToList: 'Back to the list',
  summary: '{organization}, {country}. Joined {day}',

  subscription: 'Subscription Information',
  startDate: 'Subscription Start Date',
  endDate: 'End Date',
  status: 'User Status',
  notSet: 'Not set',
  premium: 'Premium',
  free: 'Free',
  granted: 'Premium until {day}. Granted by an admin, with no payment.',
  ends: 'Premium until {day}. The subscription no longer renews.',
  collecting: 'Premium until {day}. The last renewal has not been paid yet.',
  grant: 'Make Him A Premium User',
  unsubscribe: 'Unsubscribe',
  openCustomer: 'View customer in Stripe',

  unsubscribeThis: 'Unsubscribe {name}?',
  when: 'When should Premium end?',
  onDay: 'On {day}',
  onDayNote: 'They keep Premium until then, and the subscription does not renew.',
  now: 'Now',
  nowNote: 'They lose Premium and any unused credits right away. Nothing is refunded.',
  endsGranted:
    'An admin granted this plan, and it ends by itself on {day}. If you end it now, they lose Premium and any unused credits right away.',
  endsByItself:
    'This plan does not renew and ends by itself on {day}. If you end it now, they lose Premium and any unused credits right away. Nothing is refunded.',
  endsUnpaid:
    'The last renewal has not been paid yet. If you end the plan now, they lose Premium and any unused credits right away.',
  reason: 'Reason',
  optional: 'optional',
  reasonHelp: 'Other admins see it in the audit log.',
  keepPremium: 'Keep Premium',
  endNow: 'End Premium now',
  endOnDay: 'End on {day}',

  nowPremium: '{name} is now Premium.',
  nowFree: 'User has been unsubscribed and is now Free.',
  staysPremium: '{name} keeps Premium until {day}. The subscription does not renew.',
  profileSaved: 'Your profile has been saved.',
});
