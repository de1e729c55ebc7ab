import { messages } from '@shortlist/contracts/messages';

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
