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
  forgotIntroduction: 'Enter your email and we send you a link to set a new one.',
  email: 'Email',
  sendLink: 'Send link',
  backToLogin: 'Back to Log In',
  checkEmail: 'Check your email',
  linkSent: 'If {email} has an account, a link is on its way. It works once, for {minutes, number} minutes.',
  openLogin: 'Open Log In',
  nothingThere:
    'Nothing there? Look in spam, or <again>send it again</again>, {pause, number} minutes after the last email.',

  setNew: 'Set a new password',
  setFor: 'For {email}. You are then signed out on all devices.',
  save: 'Save password',
  loadingLink: 'Checking your link',
  linkFailed: 'Your link could not be checked',
  isNew: 'Your password is new',
  signedOut: 'You were signed out on all devices. Sign in with the new password.',
  logIn: 'Log In',
  linkEnded: 'This link does not work anymore',
  linkEndedText: 'It was used, or it is older than {minutes, number} minutes.',
  newLink: 'Send a new link',

  change: 'Change your password',
  changeText: 'You are then signed out on all other devices.',
  changeSubmit: 'Change password',
  changeCancel: 'Keep the current one',
  changed: 'Your password is changed. All other devices were signed out.',
});
