import { messages } from '@shortlist/contracts/messages';

/** The confirmation of the e-mail address, and its change. */
export const emailText = messages({
  confirmTitle: 'Confirm your email.',
  sentTo: 'We sent a link to {email}.',
  deletedOn: 'Your account will be deleted on {date} unless you confirm your email.',
  sendAgain: 'Send it again',
  sentAgain: 'A new link is on its way to {email}.',
  enterCode: 'Enter the code',

  bounced: 'Our emails to {email} cannot be delivered.',
  bouncedNext: 'Change your email, or try again once it works.',
  complained: 'An email to {email} was reported as spam.',
  complainedNext: 'Since then, you only get emails that protect your account.',
  tryAgain: 'Try again',
  triedAgain: 'An email is on its way to {email}.',

  code: 'Code from the email',
  codeHelp: 'Six digits. The code expires after {minutes, number} minutes.',
  codeMissing: 'Enter the six digits of the code',
  confirm: 'Confirm email',
  unconfirmed: '· Not confirmed yet',

  confirmYours: 'Confirm your email',
  confirmYoursText: 'Confirm that this address is yours. If you did not sign up, close this page.',
  moment: 'This takes a moment.',
  confirmed: 'Your email is confirmed',
  goToAccount: 'Go to your account',
  ended: 'This link no longer works',
  endedText: 'Links work once and expire after {hours, number} hours.',
  sendNew: 'Send a new link',
  logInForNew: 'Sign in to get a new one.',
  logIn: 'Log In',
  checkEmail: 'Check your email',

  change: 'Change email',
  changeTitle: 'Change your email',
  changeText: 'We will send a link to the new address. Nothing changes until you open it.',
  newEmail: 'New email',
  yourPassword: 'Your password',
  passwordMissing: 'Please enter your password',
  otherWay: 'Confirm with a passkey instead',
  sendLink: 'Send link',
  keep: 'Keep current email',
  canceled: 'Your email stays as it is.',
  cancelChange: 'Cancel the change',
  changed: 'Your email was changed',
  changedNow: 'You now sign in with {email}. Your other devices were signed out.',

  confirmNew: 'Confirm your new email',
  confirmNewText: 'It becomes the email of your account, and your other devices are signed out.',
  changeEndedText: 'It was used or replaced by a newer one, or is more than {hours, number} hours old.',
});
