import { messages } from '@shortlist/contracts/messages';

export const usersText = messages({
  backToList: 'Back to the list',
  timeline: 'Timeline',
  credits: 'Credits',
  payments: 'Payments',
  security: 'Security',
  notes: 'Notes',
  changes: 'Changes',
  summary: '{organization}, {country}. Joined {day}',

  subscription: 'Subscription Information',
  planPrice: 'Price',
  trialUntil: 'Trial until',
  nextInterval: 'Changes',
  monthlyFrom: 'To monthly on {day}',
  yearlyFrom: 'To yearly on {day}',
  discount: 'Discount',
  off: '{off} off each charge',
  offUntil: '{off} off each charge until {day}',
  startDate: 'Subscription Start Date',
  endDate: 'End Date',
  status: 'User Status',
  notSet: 'Not set',
  premium: 'Premium',
  free: 'Free',
  grant: 'Make Him A Premium User',
  unsubscribe: 'Unsubscribe',
  openCustomer: 'View customer in Stripe',

  grantPremium: 'Grant Premium',
  grantAnyway: 'Grant Premium anyway',
  grantTitle: 'Make {name} Premium?',
  grantNote: 'The user gets an email. No payment is taken, and Premium ends by itself after the last day.',
  grantDay: 'Last day',
  grantDayHelp: 'In your time zone, at most twelve months from now.',
  grantDayCredits:
    '{months, plural, one {Includes {credits, number} credits.} other {Includes {credits, number} credits at the start of each of # months.}}',
  grantDayOutside: 'Choose a day from {first} to {last}.',

  resume: 'Resume',
  resumeTitle: 'Resume the subscription of {name}?',
  resumeText:
    'Premium continues. The user is charged {amount} on {day}, and {interval, select, year {every year} other {every month}} until the subscription is canceled.',
  resumeButton: 'Resume subscription',
  resumed: 'The subscription of {name} continues.',

  unsubscribeThis: 'Unsubscribe {name}?',
  when: 'When should Premium end?',
  onDay: 'On {day}',
  onDayNote: 'They keep Premium until then, and the subscription does not renew.',
  now: 'Now',
  nowNote: 'They lose Premium and its unused credits right away. Nothing is refunded.',
  endsGranted:
    'An admin granted this plan, and it ends on {day}. If you end it now, they lose Premium and its unused credits right away.',
  endsByItself:
    'This plan does not renew and ends on {day}. If you end it now, they lose Premium and its unused credits right away. Nothing is refunded.',
  endsUnpaid:
    'The last renewal has not been paid yet. If you end the plan now, they lose Premium and its unused credits right away.',
  reason: 'Reason',
  optional: 'optional',
  reasonHelp: 'Other admins see it in the audit log.',
  keepPremium: 'Keep Premium',
  endNow: 'End Premium now',
  endOnDay: 'End on {day}',

  nowPremium: '{name} is now Premium.',
  nowFree: 'User has been unsubscribed and is now Free.',
  staysPremium: '{name} keeps Premium until {day}. The subscription does not renew.',
});

/** The packs of credits that a user bought, as support reads them. */
export const packText = messages({
  packs: 'Packs of credits',
  paid: '{day}: {credits, number} credits for {amount}.',
  partly_refunded:
    '{day}: {credits, number} credits for {amount}. Partly refunded: {paid, number} credits are paid for.',
  refunded: '{day}: {credits, number} credits for {amount}. Refunded.',
  disputed:
    '{day}: {credits, number} credits for {amount}. Disputed, so its credits do not count unless the dispute is won.',
});

/** What support reads of a user's subscription: what the user sees, what happens next, and what can be done. */
export const supportText = messages({
  userSees: 'The user sees: {text}',
  since: 'Since {day}',
  next: 'What happens next',
  advice: 'What you can do',
  unknown: 'We cannot show or change the subscription right now. The other details are not affected.',
  accessUnknown: 'We cannot check right now whether this user can sign in and gets our emails.',

  granted: 'Premium until {day}. Granted by an admin, with no payment.',
  ends: 'Premium until {day}. The subscription no longer renews.',
  renewsUntil:
    'The subscription renews until {day}, then ends. Until then, each period is charged as before.',
  collecting: 'Stripe is collecting the renewal. Premium until {day} at the latest if it is not paid.',
  past_due_free:
    'Premium returns as soon as the open invoice is paid. Stripe may automatically try to collect it again.',
  past_due_ending:
    'Once the open invoice is paid, Premium returns until the end of its period. The subscription does not renew.',
  past_due_paid:
    'Stripe may automatically try to collect the renewal again. Premium ends on {day} if it is not paid.',
  past_due_granted:
    'Premium until {day}, granted by an admin. Stripe may automatically try to collect the open invoice again.',
  authentication_free: 'Premium returns as soon as the user confirms the payment.',
  authentication_ending:
    'Once the user confirms the payment, Premium returns until the end of its period. The subscription does not renew.',
  authentication_paid: 'Premium ends on {day} unless the user confirms the payment.',
  authentication_granted:
    'Premium until {day}, granted by an admin. Nothing is collected until the user confirms the payment.',
  processing_free: 'Premium starts when the bank confirms the payment. A bank debit can take two weeks.',
  processing_paid: 'The user keeps Premium while the bank processes the payment, which can take two weeks.',
  processing_granted:
    'Premium until {day}, granted by an admin. If the bank confirms the payment, the paid period counts too.',
  incomplete_free: 'Nothing was charged. A new checkout replaces this one.',
  paused_free: 'The user is on the free plan. Nothing is collected until the subscription is resumed.',
  paused_until_free:
    'The user is on the free plan. Nothing is collected until the subscription resumes automatically on {resumes}.',
  paused_until_premium:
    'Premium until {day}. Nothing is collected until the subscription resumes automatically on {resumes}.',
  paused_premium: 'Premium until {day}. Nothing is collected until the subscription is resumed.',
  disputed_free: 'The bank decides. Stripe shows the deadline for evidence.',
  disputed_premium:
    'The bank decides. If it returns the payment, the paid plan ends and the subscription is canceled.',
  other_subscription_free:
    'Stripe charges the user for a subscription that is not for the plan. They cannot subscribe until this is resolved.',
  other_subscription_premium:
    'Premium until {day}. Stripe charges the user for a subscription in addition to the plan, or instead of it.',

  pay: 'Ask the user to pay under Subscription Status. They can change their card in the billing portal.',
  confirm: 'Ask the user to confirm the payment under Subscription Status. Nobody else can.',
  wait: 'Wait for the bank. The user must not pay again.',
  retry: 'Ask the user to try again under Subscription Status, with another card.',
  resume: 'Resume it in Stripe. The user can also resume it in the billing portal if the portal offers that.',
  answer: 'Send evidence in Stripe, or accept the loss there.',
  compare:
    'Open the customer in Stripe. If the subscription is a mistake, cancel it or move it to a price of the plan.',

  processing_warning:
    'A payment from this user is on its way. If the bank confirms it, the user has paid for the time you grant.',
  open_warning:
    'The open invoice can still be paid or collected. The user would then have paid for the time you grant. To avoid this, end the subscription in Stripe first.',
  paused_warning:
    'The subscription stays paused. When it resumes, the user is charged even for the time you grant.',
  other_warning:
    'The other subscription continues, and the user is charged for it during the time you grant.',

  unverified: 'The email is not confirmed.',
  unverifiedCheckout: 'The email is not confirmed. The user cannot subscribe until it is.',
  confirmBy: 'The account is deleted on {day} unless it is confirmed.',
  unverifiedAdvice: 'The user can send the email again, or change the address, from every page.',
  locked:
    'After too many wrong passwords, sign-ins on new devices have to wait until {time}. Setting a new password under “Forgot your password?” ends the wait.',
});

/** Why emails do not reach a user. */
export const suppressionText = messages({
  bounced:
    'An email to {email} bounced on {day}, so we stopped sending emails there. {reason, select, none {} other {The server said: “{reason}”}}',
  complained:
    'An email to {email} was reported as spam on {day}, so we only send emails that protect the account.',
  advice: 'The user can change the email or try again on every page.',
  tryAgain: 'Try again',
  triedAgain: 'We send emails there again.',
});

/** The credits of a user, as an admin sees and changes them. */
export const userCreditsText = messages({
  title: 'Credits',
  loading: 'Loading the user’s credits',
  failed: 'The user’s credits could not be loaded',
  available: '{available, plural, =0 {None available} one {# credit available} other {# credits available}}',
  plan: 'Plan',
  grant: 'Granted by an admin',
  pack: 'Pack of {credits, number}',
  bucket: 'Kind',
  order: 'Order of use',
  none: '–',
  actions: 'Actions',
  place: '{place, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}',
  over: 'Ended',
  expires: 'Expires',
  noEnd: 'Never',
  notStarted: 'Starts with the first credit',
  given: 'Given',
  used: 'Used',
  left: 'Left',
  all: 'All in use',
  because: 'Reason: {reason}',

  grantCredits: 'Grant credits',
  grantTitle: 'Grant credits?',
  grantNote: 'The user gets an email. These credits are used before anything that ends later.',
  grantButton: 'Grant {credits, plural, one {# credit} other {# credits}}',
  granted: '{credits, plural, one {# credit} other {# credits}} granted.',
  credits: 'Credits',
  lastDay: 'Last day (UTC)',
  lastDayHelp: 'Today or later.',
  lastDayPast: 'This day is in the past. Choose today or a later day.',
  reason: 'Reason',
  reasonHelp: 'Admins see it here and in the audit log. The user sees it in their data download.',

  revoke: 'Take back',
  revokeTitle: 'Take these credits back?',
  revokeNote: 'Only unused credits are taken back.',
  revokeButton: 'Take back {credits, plural, one {# credit} other {# credits}}',
  takenBack:
    '{credits, plural, =0 {Nothing was left to take back.} one {# credit taken back.} other {# credits taken back.}}',
});

/** What happened to a user, as an admin reads it. */
export const timelineText = messages({
  loading: 'Loading the timeline',
  failed: 'The timeline could not be loaded',
  empty: 'Nothing has happened yet.',
  emptyKind: 'There is nothing of this kind.',
  clearFilter: 'Show everything',
  show: 'Show',
  everything: 'Everything',
  older: 'Show older',

  // Kinds of entries
  account: 'Account',
  security: 'Sign-ins',
  payments: 'Payments',
  credits: 'Credits',
  emails: 'Emails',
  support: 'Notes and changes by admins',

  // What is missing while a service is down
  missing: 'We cannot show everything right now. Missing: {sources}.',
  identity: 'the account and sign-ins',
  profile: 'notes and changes of the profile',
  billing: 'payments',
  creditsService: 'credits',
  worker: 'emails',

  registered: 'Signed up',
  email_confirmed: 'Email confirmed',
  signedIn: 'Signed in on {device}',
  paymentFailed: 'A payment of {amount} failed',
  premium: 'Premium',
  invoice: 'Invoice {number}',
  started: 'Premium started',
  canceled: 'Premium no longer renews',
  ended: 'Premium ended',
  price: '{amount} a month',
  yearlyPrice: '{amount} a year',
  creditsAmount: '{sign}{count, plural, one {# credit} other {# credits}}',
  charges: '{count, plural, one {# credit used} other {# credits used}}',
  ofCharges: '{count, plural, one {# time} other {# times}}',
  email: 'Email: {subject}',
  waiting: 'Waiting to be sent',
  sent: 'Sent',
  delivered: 'Delivered',
  delayed: 'Delayed by the receiving server',
  not_delivered: 'Not delivered',
  complained: 'Reported as spam',
  not_sent: 'Not sent',
  turned_off: 'Not sent: the user turned these emails off',
  by: 'By {name}',
  reason: 'Reason: {reason}',
  set: '{field}: {now}',
  changed: '{field}: {now} instead of {before}',
  nothing: 'nothing',
  note: 'Note by {author}',
  before: '{note}.',
});

/** The facts beside the timeline. */
export const glanceText = messages({
  title: 'At a glance',
  plan: 'Plan',
  renews: 'Premium, renews on {day}',
  collecting: 'Premium, renewal not paid yet',
  ends: 'Premium, ends on {day}',
  free: 'Free',
  credits: 'Credits',
  creditsLeft: '{available, number} of {credits, number}',
  lastSeen: 'Last seen',
  notSeen: 'Not signed in',
  confirmed: 'Email confirmed',
  yes: 'Yes',
  no: 'Not yet',
  unavailable: 'Not available right now',
  latestNote: 'Latest note',
  allNotes: 'All notes',
});

/** What admins note about a user. */
export const notesText = messages({
  add: 'Add a note',
  note: 'Note',
  help: 'Only admins see it here. The user gets it in their data download.',
  count: '{count, number} of {max, number} characters',
  tooLong: 'Please use at most {max, number} characters',
  addButton: 'Add note',
  added: 'The note was added.',
  title: 'Notes',
  loading: 'Loading the notes',
  failed: 'The notes could not be loaded',
  none: 'There are no notes about this user.',
  meta: '{author}, {time}',
  delete: 'Delete',
  deleteThis: 'Delete the note of {time}',
  deleteTitle: 'Delete this note?',
  deleteText: 'Nobody sees the note here any more, but its text stays in the audit log.',
  deleteButton: 'Delete note',
  deleted: 'The note was deleted.',
});
