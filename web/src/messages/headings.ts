import { messages } from '@shortlist/contracts/messages';

/**
 * The headings of pages. They are part of the first load, because they stand above the outline of a page whose code has not come; a
 * title that is also the name of the page's entry in the sidebar is in shell.ts.
 */
export const headingText = messages({
  home: 'Account Management Panel',
  homeNote: 'You can manage your account and update your subscription from here',
  profile: 'User Profile',
  profileNote: 'Here Is Information',
  credits: 'Your Credits and Usage',
  securityNote: 'How you sign in, and where you are signed in',
  connectionsNote: 'Apps and keys with access to your account',
  privacyNote: 'Download your data, or delete your account',

  dashboardNote: 'You are the Admin and this is your control panel',
  createUserNote: 'They can sign in right away with the email and password you enter here.',
  newUsersNote: 'The {count} users who signed up most recently, newest first',
  editSubscription: 'Edit Subscription',
  userDetails: 'User Details',
  campaignDetails: 'Campaign Details',
  viewAs: 'View as this user',
  adminSecurityNote: 'How you sign in to the admin panel',
  teamNote: 'Who can open this panel, and what each may do',
  jobsNote: 'Actions on many users, the newest first. Results are kept for {days} days.',
  toolsNote:
    'Apps that users can connect. An operator registers and changes them with the command shortlist tool register.',
  emailsNote: 'What the product sends, with the values of an example. The texts are part of the product',
  noticesNote: 'One line above the pages of users. All times are in your time zone',
  auditNote: 'What admins, users and the product did. Nobody can edit it',
  systemNote: 'All times are in your time zone',
});
