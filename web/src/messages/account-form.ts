import { messages } from '@shortlist/contracts/messages';

/** The sign-up, the profile, and an admin's form of a user. */
export const accountFormText = messages({
  signUp: 'Sign Up',
  signingUp: 'Signing up…',
  registered: 'Already registered?',
  signIn: 'Sign In',
  loadingProfile: 'Loading your profile',
  profileFailed: 'Your profile could not be loaded',
  profileSaved: 'Your profile has been saved.',

  signInDetails: 'Sign-in details',
  emailFixed: 'The email cannot be changed here.',
  loginWithThese: 'You sign in with these.',
  userLogsInWithThese: 'The user signs in with these.',
  you: 'You',
  yourWork: 'Your work',
  yourLocation: 'Your location',
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
  restored: 'We restored your unsaved changes. Please enter passwords and choose pictures again.',
  discard: 'Discard changes',
});

/** On the profile, below the form. */
export const newsText = messages({
  title: 'Emails',
  setting: 'News and tips by email',
  note: 'Emails about your account, its security, and your payments always reach you.',
  loading: 'Loading your email setting',
  failed: 'Your email setting could not be loaded',
});

export const conflictText = messages({
  user: 'You changed your profile in another tab.',
  admin: 'This user was changed in the meantime.',
  question:
    '{count, plural, one {This field has two new values. Which one should be saved?} other {These fields have two new values each. Which ones should be saved?}}',
  field: '{field}: {mine} here, {saved} already saved',
  keepMine: 'Save the values from here',
  useSaved: 'Keep what is already saved',
  empty: 'empty',
  picture: 'Profile picture',
  newPicture: 'a new picture',
  otherPicture: 'another picture',
  noPicture: 'no picture',
  notLoaded: 'We could not load the saved values. What you typed is still here.',
  retry: 'Try again',
});

export const consentText = messages({
  agree: 'I agree to the <terms>Terms of Service</terms> and the <privacy>Privacy Policy</privacy>.',
  required: 'Please accept the terms to sign up.',
});

export const pictureText = messages({
  label: 'Profile picture',
  choose: 'Choose a picture',
  unpick: 'Remove',
  remove: 'Remove picture',
  undo: 'Keep picture',
  removed: 'The picture will be removed when you save.',
  file: '{name}, {size}',
  kilobytes: '{size} KB',
  megabytes: '{size} MB',
  optional: 'Optional. {limits}. You can also drop it here.',
  limits: '{limits}. You can also drop it here.',
});
