import { messages } from '@shortlist/contracts/messages';

/** The frame around every page, and the states in which a page cannot be shown. */
export const shellText = messages({
  brand: 'Shortlist',
  skip: 'Skip to content',
  menu: 'Menu',
  close: 'Close',
  settings: 'Settings',
  settingsFailed: 'The settings could not be loaded. Check your connection and open Settings again.',
  narrowSidebar: 'Narrow sidebar',
  backToTop: 'Back to top',
  copyright: '© 2025 {brand}',
  privacy: 'Privacy',
  terms: 'Terms',

  account: 'Account',
  home: 'Home',
  personalInfo: 'Personal Info',
  subscription: 'Subscription',
  portal: 'Stripe Billing Portal',
  credits: 'Credits & Usage',
  about: 'About Us',
  support: 'Contact & Support',

  adminPanel: 'Admin-Panel',
  dashboard: 'Dashboard',
  createUser: 'Create a new User',
  allUsers: 'All Users',
  newUsers: 'New Users',
  payments: 'Payments',
  manageSubscription: 'Manage Subscription',
  reports: 'Reports',
  operations: 'Operations',
  system: 'System',

  accountMenu: 'Account menu',
  premiumUser: 'Premium User',
  freeUser: 'Free User',
  superAdmin: 'Super admin',
  admin: 'Admin',
  profile: 'Profile',
  security: 'Security',
  billing: 'Billing',
  logout: 'Logout',

  welcome: 'Welcome back, {name}.',
  welcomeWithCredits:
    'Welcome back, {name}. {credits, plural, =0 {No credits are left.} one {# credit is left.} other {# credits are left.}}',
  welcomeAdmin: 'Welcome back.',

  loadingPage: 'Loading the page',
  serverTitle: 'We cannot reach the server',
  serverText: 'You are still logged in. We keep trying, and this page opens as soon as the server responds.',
  pageTitle: 'This page could not be loaded',
  pageText:
    'The connection was lost, or there is a newer version of the product. Nothing that you saved is lost.',
  crashedTitle: 'Something went wrong on this page',
  crashedText: 'What you saved is safe. Load the page again to continue.',
  notFoundTitle: 'Page not found',
  notFoundText: 'There is nothing at this address.',
  goToDashboard: 'Go to the dashboard',
  goHome: 'Go to your account',
});
