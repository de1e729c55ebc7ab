import { messages } from '@shortlist/contracts/messages';

/** The page on how a user logs in, and where. */
export const securityText = messages({
  title: 'Security',
  description: 'How you sign in, and where you are signed in',
  loading: 'Loading your security settings',
  failed: 'Your security settings could not be loaded',

  signIn: 'Sign-in',
  email: 'Email',
  password: 'Password',
  passwordNote: 'Choose a long one that you use nowhere else',
  change: 'Change',
  changePassword: 'Change password',
});
