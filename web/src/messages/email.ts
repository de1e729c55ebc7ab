import { messages } from '@shortlist/contracts/messages';

/** The confirmation of the e-mail address. */
export const emailText = messages({
  confirmTitle: 'Confirm your email.',
  sentTo: 'We sent a link to {email}.',
  sendAgain: 'Send it again',
  sentAgain: 'A new link is on its way to {email}.',
  enterCode: 'Enter the code',

  code: 'Code from the email',
  codeHelp: 'Six digits. They work for {hours, number} hours.',
  codeMissing: 'Enter the six digits of the code',
  confirm: 'Confirm email',
  unconfirmed: '· Not confirmed yet',

  confirming: 'Confirming your email',
  moment: 'This takes a moment.',
  confirmed: 'Your email is confirmed',
  goToAccount: 'Go to your account',
  failed: 'Your email could not be confirmed',
  ended: 'This link does not work anymore',
  endedText: 'Links work once, for {hours, number} hours.',
  sendNew: 'Send a new link',
  logInForNew: 'Log in to get a new one.',
  logIn: 'Log In',
  checkEmail: 'Check your email',
});
