import { messages } from '@shortlist/contracts/messages';

/** The frame around every page, and the states in which a page cannot be shown. */
export const shellText = messages({
  brand: 'Shortlist',
  skip: 'Skip to content',
  menu: 'Menu',
  close: 'Close',
  settings: 'Settings',
  palette: 'Search pages and actions (Ctrl K)',
  paletteOnMac: 'Search pages and actions (⌘K)',
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
  team: 'Team',
  jobs: 'Bulk actions',
  notices: 'Notices',
  emails: 'Emails',
  dismissNotice: 'Dismiss this notice',
  connectedTools: 'Connected apps',
  auditLog: 'Audit log',
  system: 'System',

  accountMenu: 'Account menu',
  premiumUser: 'Premium User',
  freeUser: 'Free User',
  admin: 'Admin',
  profile: 'Profile',
  security: 'Security',
  connections: 'Connections',
  yourData: 'Your data',
  billing: 'Billing',
  logout: 'Logout',

  loadingPage: 'Loading the page',
  serverTitle: 'We cannot reach the server',
  offlineTitle: 'Your device is offline',
  serverText: 'You are still signed in. We keep trying, and this page opens as soon as the server responds.',
  pageTitle: 'This page could not be loaded',
  pageText: 'The connection was lost, or there is a new version. Nothing that you saved is lost.',
  crashedTitle: 'Something went wrong on this page',
  crashedText: 'What you saved is safe. Reload the page to continue.',
  noPermissionTitle: 'Your role does not include this page',
  noPermissionText: 'An owner can change your role.',
  notFoundTitle: 'Page not found',
  notFoundText: 'There is nothing at this address.',
  goToDashboard: 'Go to the dashboard',
  goHome: 'Go to your account',
});

/** Calls without a readable response. */
export const connectionText = messages({
  'client.unreachable':
    'We cannot reach the server. What you typed is still here. Check your connection and try again.',
  'client.offline': 'Your device is offline. What you typed is still here. Connect it and try again.',
  'client.timeout':
    'The server is taking too long to respond. What you typed is still here. Please try again in a moment.',
  'client.passkey': 'Your device did not confirm. Nothing was changed. Try again, or use another way.',
  'client.passkey_known': 'This device already has a passkey for your account.',
  'client.unreadable': 'Something went wrong on our side. Please try again in a moment.',
});

/** The controls that every area uses. */
export const controlText = messages({
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  dismissMessage: 'Dismiss message',
  retry: 'Try again',
  reference: 'Reference for support:',
  loading: 'Loading',
  saving: 'Saving…',
  sending: 'Sending…',
  checking: 'Checking…',
  choices: 'Choices',
  noMatch: 'No results for “{text}”',
  newTab: '(opens in a new tab)',
  export: 'Export CSV',
  filters: 'Filters',
  filtersSet: 'Filters · {count}',
  exportFailed: 'The list could not be exported. {problem}',
  show: 'Show {field}',
  hide: 'Hide {field}',
  copy: 'Copy',
  copied: 'Copied',
  copyRefused: 'Your browser blocked copying. Select the text and copy it yourself.',
  done: 'Done',
});

/** The settings panel. */
export const layoutText = messages({
  title: 'Settings',
  close: 'Close',
  defaults: 'Restore defaults',

  scheme: 'Scheme',
  auto: 'Auto',
  dark: 'Dark',
  light: 'Light',

  accent: 'Color Customizer',
  default: 'Default',
  ink: 'Ink',
  iris: 'Iris',
  plum: 'Plum',
  clay: 'Clay',
  slate: 'Slate',

  direction: 'Scheme Direction',
  ltr: 'LTR',
  rtl: 'RTL',

  sidebarColor: 'Sidebar Color',
  color: 'Color',
  transparent: 'Transparent',

  sidebarTypes: 'Sidebar Types',
  mini: 'Mini',
  hover: 'Hover',
  boxed: 'Boxed',

  sidebarActive: 'Sidebar Active Style',
  roundedOneSide: 'Rounded One Side',
  roundedAll: 'Rounded All',
  pillOneSide: 'Pill One Side',
  pillAll: 'Pill All',

  navbar: 'Navbar Style',
  glass: 'Glass',
  sticky: 'Sticky',
  defaultNavbar: 'Default Navbar',
});

/** An admin who views the product as a user. */
export const viewingText = messages({
  bar: 'You are viewing the account of {name}',
  left: '{minutes, plural, =0 {Less than a minute left} one {# minute left} other {# minutes left}}',
  stop: 'Stop',
  refused: 'You are viewing this account. You can look around, but you cannot change anything.',
});
