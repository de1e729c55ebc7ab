import { messages } from '@shortlist/contracts/messages';

/** The page of the user's own data. */
export const privacyText = messages({
  loading: 'Loading your data',
  failed: 'This page could not be loaded',

  download: 'Download my data',
  downloadWhat:
    'One ZIP file with your profile, contacts, credit history, invoices and sign-ins, as JSON and CSV. It takes up to an hour.',
  prepare: 'Prepare download',
  preparing: 'Preparing, {done} of {parts} parts',
  preparingLabel: 'Preparing your download',
  leavePage: 'You can leave this page. We will email you when it is ready.',
  stop: 'Stop',
  readyNote: '{size}. Ready until {date}',
  downloadFile: 'Download',
  deleteFile: 'Delete this file',
  over: 'The file from {requested} expired on {expired} and was deleted.',
  prepareNew: 'Prepare a new one',
  notPrepared: 'The file could not be prepared. Nothing was lost. Reference {reference}.',
  tryAgain: 'Try again',

  deleteAccount: 'Delete my account',
  deleteWhat: 'You have {days} days to change your mind. Then everything is deleted for good.',
  deleteTitle: 'Delete your account',
  now: 'Now',
  nowKeep:
    'You are signed out everywhere. Premium does not renew, and you are not charged {amount} on {day}.',
  nowEnd: 'You are signed out everywhere. Premium ends, and nothing is refunded.',
  nowGranted: 'You are signed out everywhere. Premium stays until {day}.',
  nowFree: 'You are signed out everywhere.',
  until: 'Until {day}',
  untilWhat: 'Sign in to change your mind. Everything is still there.',
  untilPaid: 'Sign in to change your mind. Everything is still there, and so is Premium.',
  then: 'Your profile, contacts and credits are deleted for good, and credits that you bought are not refunded. Invoices stay for as long as the law requires.',
  subscription: 'Your subscription',
  keep: 'Keep Premium until {day}',
  keepNote: 'It does not renew. You are not charged again',
  endNow: 'End Premium now',
  endNowNote: 'Nothing is refunded',
  typeEmail: 'Type your email',
  typeEmailHelp: 'To confirm, type {email}',
  reason: 'Why are you leaving?',
  reasonHelp: 'Our team reads it. It is deleted with your account.',
  optional: 'optional',

  userLeaving:
    'This user asked to delete their account. It will be deleted on {date} unless they sign in and keep it.',
});

/** The screen of an account that is about to be deleted. */
export const leavingText = messages({
  title: 'Your account will be deleted',
  on: 'Your account will be deleted on {date}. Until then, everything is still there.',
  plan: 'If you keep your account, your subscription stays as you left it.',
  keep: 'Keep my account',
  stays: 'Your account will not be deleted.',
  logOut: 'Logout',
});
