import { messages } from '@shortlist/contracts/messages';

export const adminText = messages({
  // Log-in
  login: 'Admin Log In',
  loginHint: 'For administrators of {brand}.',
  sessionEnded: 'Your session has ended. Please sign in again.',

  // Dashboard
  overview: 'Overview',
  business: 'Business',
  seeAll: 'See all',
  seeAllNew: 'See all new users',

  // Adding a user
  createUser: 'Create User',
  creatingUser: 'Creating the user…',
  password: 'Password',
  cancel: 'Cancel',

  // One user
  details: 'Details',
  loadingUser: 'Loading the user',
  userFailed: 'This user could not be loaded',
  backToList: 'Back to All Users',
  edit: 'Edit',
  none: 'None',
  fullName: 'Full Name',
  email: 'Email',
  joinDate: 'Join Date',
  userStatus: 'User Status',
  free: 'Free',
  premium: 'Premium',

  // The screens whose subject is managed at the provider
  openProvider: 'Open the provider’s dashboard',
  paymentsManaged:
    'Payments are managed in the card payment provider’s dashboard, where payouts and other methods of payment are.',
  reportsManaged: 'Reports on balances and payouts are managed in the card payment provider’s dashboard.',
  subscriptionsManaged:
    'Subscriptions are managed in the card payment provider’s dashboard. Change, pause, or cancel a paid subscription there.',
  ofUser: '{name}, {email}',
  grantOrEnd: 'Grant or end Premium here',
  editSubscriptionManaged:
    'Changes to a subscription are managed in the card payment provider’s dashboard. Open the customer there to change their plan.',

  // Samples
  userSample: 'This is sample data, not a real user.',
  organization: 'Organization',
  roleType: 'Role type',
  companyType: 'Company type',
  country: 'Country',
  city: 'City',
  sampleName: 'Amara Okafor',
  sampleOrganization: 'Talent Field',
  sampleCountry: 'Norway',
  sampleCity: 'Bergen',
  campaignSample: 'This is sample data, not a real campaign.',
  campaign: 'Campaign',
  sampleCampaign: 'Backend engineers, Nordics',
  owner: 'Owner',
  started: 'Started',
  ends: 'Ends',
  steps: 'Steps',
  step: 'Step',
  sent: 'Sent',
  replies: 'Replies',
  invitations: 'Invitations sent',
  firstMessage: 'First message',
  followUp: 'Follow-up',
});

/** The page on which an admin begins to view the product as a user. */
export const viewAsText = messages({
  title: 'View as {name}',
  loading: 'Loading the user',
  failed: 'The user could not be loaded',
  whatHappens:
    'You see the pages of {name} in this tab for {minutes} minutes. You can look around and resend the confirmation email, but nothing else.',
  whatIsSeen:
    '{name} will see under Recent sign-ins that support viewed the account. Your reason is kept in the audit log.',
  reason: 'Reason',
  start: 'View as {name}',
  cancel: 'Cancel',
});
