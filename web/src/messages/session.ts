import { messages } from '@shortlist/contracts/messages';

/** The log-in. */
export const sessionText = messages({
  logIn: 'Log In',
  loggingIn: 'Logging in…',
  email: 'Email',
  password: 'Password',
  invalid: 'Please provide valid email and password',
  registered: 'You have successful registered, please login below',
  confirmThenLogIn: 'We sent you a link. Open it to confirm your email, then sign in below.',
  ended: 'Your session has ended. Please sign in again.',
  leaves: 'Your account will be deleted on {date}. Sign in before then to keep it.',
  checking: 'Loading the page',
  welcome: 'Good to see you.',
  introduction: 'See your profile, your plan, and your credits.',
  picture: 'Your profile picture',
  usePasskey: 'Use a passkey',
  forgotPassword: 'Forgot your password?',
  noAccount: 'No account yet?',
  signUp: 'Sign Up',
  pitch: 'Search wide, write to people one by one, and mark the few you want to meet.',
});

/** People of an illustration, with their cities. */
export const sampleCandidates = messages({
  'Nadia Haddad': 'Tunis',
  'Tomasz Nowak': 'Gdynia',
  'Grace Otieno': 'Kisumu',
  'Elif Demir': 'Izmir',
  'Joaquín Herrera': 'Valdivia',
  'Ingrid Solheim': 'Bergen',
  'Arjun Menon': 'Kochi',
  'Clara Vasquez': 'Lisbon',
});
