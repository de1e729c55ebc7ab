import { messages } from '@shortlist/contracts/messages';

/** A new password, wherever it is chosen, and the pages for a lost one. */
export const passwordText = messages({
  password: 'Password',
  newPassword: 'New password',
  currentPassword: 'Current password',
  repeatPassword: 'Repeat password',
  hint: 'At least {min, number} characters. Longer is stronger.',
  keep: 'Leave this empty to keep the current password.',
  differ: 'Passwords do not match',
  currentMissing: 'Please enter your current password',
  weak: 'Weak. A few more words would help.',
  fair: 'Fair. Longer is stronger.',
  good: 'Good.',
  strong: 'Strong.',

  forgot: 'Forgot your password?',
  forgotIntroduction: 'Enter your email, and we will send you a link to set a new one.',
  email: 'Email',
  sendLink: 'Send link',
  backToLogin: 'Back to Log In',
  checkEmail: 'Check your email',
  linkSent:
    'If {email} has an account, a link is on its way. It works once and expires in {minutes, number} minutes.',
  openLogin: 'Open Log In',
  nothingThere:
    'No email? Check your spam folder, or <again>send it again</again> {pause, number} minutes after the last one.',

  setNew: 'Set a new password',
  setFor: 'For {email}. This signs you out on all devices.',
  save: 'Save password',
  loadingLink: 'Checking your link',
  linkFailed: 'Your link could not be checked',
  isNew: 'Your password was changed',
  signedOut: 'You were signed out on all devices. Sign in with the new password.',
  logIn: 'Log In',
  linkEnded: 'This link no longer works',
  linkEndedText: 'It was used, or is more than {minutes, number} minutes old.',
  newLink: 'Send a new link',

  change: 'Change your password',
  changeText: 'This signs you out on all other devices.',
  changeSubmit: 'Change password',
  changeCancel: 'Keep current password',
  changed: 'Your password was changed. All other devices were signed out.',
});
