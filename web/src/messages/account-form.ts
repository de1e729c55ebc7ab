import { messages } from '@shortlist/contracts/messages';

/** The sign-up, the profile, and an admin's form of a user. */
export const accountFormText = messages({
  signUp: 'Sign Up',
  registered: 'Already registered?',
  signIn: 'Sign In',
  profileTitle: 'User Profile',
  profileDescription: 'Here Is Information',
  loadingProfile: 'Loading your profile',
  profileFailed: 'Your profile could not be loaded',

  signInDetails: 'Sign-in details',
  emailFixed: 'The email cannot be changed here.',
  loginWithThese: 'You log in with these.',
  userLogsInWithThese: 'The user logs in with these.',
  you: 'You',
  yourWork: 'Your work',
  yourLocation: 'Where you are',
  person: 'Person',
  work: 'Work',
  location: 'Location',

  email: 'Email',
  password: 'Password',
  newPassword: 'New password',
  optional: 'optional',
  onlyToChange: 'only to change it',
  pictureLimits: '{formats}, up to {size, number} MB',

  save: 'Save',
  restored: 'We restored your unsaved changes. Passwords and pictures need to be entered again.',
  discard: 'Discard changes',
});
