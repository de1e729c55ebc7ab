import { messages } from '@shortlist/contracts/messages';

/** The devices on which a user is signed in, and where they were used. */
export const devicesText = messages({
  title: 'Devices',
  loading: 'Loading your devices',
  failed: 'Your devices could not be loaded',
  named: '{browser} on {system}',
  unknown: 'Unknown device',
  thisDevice: 'This device',
  now: 'Now',
  today: 'Today at {time}',
  yesterday: 'Yesterday at {time}',
  onDay: '{day} at {time}',
  withPlace: '{place}. {time}',
  signOut: 'Sign out',
  signOutThis: 'Sign out {device}',
  signOutOthers: 'Sign out all others',
  othersTitle: 'Sign out all other devices',
  others:
    '{count, plural, one {The other device is signed out now. What is not saved there is lost.} other {# other devices are signed out now. What is not saved there is lost.}}',
  othersTrusted: 'From now on, each of your devices requires your code again.',
  trustedTitle: 'Devices without the second step',
  trustedUntil: 'Skips your code until {day}',
  trustedAt: '{place}. {until}',
  require: 'Require the code again',
  requireThis: 'Require the code of {device} again',
  cancel: 'Cancel',
  endSessions: '{count, plural, one {End # session} other {End # sessions}}',

  sessions: 'Sessions',
  sessionsLoading: 'Loading the sessions',
  sessionsFailed: 'The sessions could not be loaded',
  signedIn:
    '{count, plural, =0 {This user is not signed in.} one {This user is signed in on # device.} other {This user is signed in on # devices.}}',
  endAll: 'End all sessions',
  endAllNote:
    '{count, plural, one {This user is signed out on # device right away, and logs in again with the password.} other {This user is signed out on # devices right away, and logs in again with the password.}}',
});
