import { messages } from '@shortlist/contracts/messages';

/** The page on how a user logs in, and where. */
export const securityText = messages({
  loading: 'Loading your security settings',
  failed: 'Your security settings could not be loaded',

  signIn: 'Sign-in',
  email: 'Email',
  password: 'Password',
  passwordNote: 'Choose a long one that you use nowhere else',
  change: 'Change',
  changePassword: 'Change password',
});

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
  withPlace: '{place}. {time}',
  signOut: 'Sign out',
  signOutThis: 'Sign out {device}',
  signOutOthers: 'Sign out all others',
  othersTitle: 'Sign out all other devices',
  others:
    '{count, plural, one {The other device is signed out now. Unsaved changes there are lost.} other {# other devices are signed out now. Unsaved changes there are lost.}}',
  othersTrusted: 'Each of your devices will need your code again.',
  trustedTitle: 'Remembered devices',
  trustedUntil: 'Skips your code until {day}',
  trustedAt: '{place}. {until}',
  require: 'Require the code again',
  requireThis: 'Require the code of {device} again',
  endSessions: '{count, plural, one {End # session} other {End # sessions}}',

  sessions: 'Sessions',
  sessionsLoading: 'Loading the sessions',
  sessionsFailed: 'The sessions could not be loaded',
  noSession: 'This user is not signed in.',
  endAll: 'End all sessions',
  endOne: 'End session',
  endOneTitle: 'End this session',
  endOneNote: 'This user is signed out on {device} right away. Unsaved changes there are lost.',
  endAllNote:
    '{count, plural, =0 {This user is not signed in.} one {This user is signed out on # device right away and has to sign in again.} other {This user is signed out on # devices right away and has to sign in again.}}',
});

/** The history of an account's log-ins. */
export const signInsText = messages({
  title: 'Recent sign-ins',
  note: 'The last 90 days',
  noteWithPlaces: 'The last 90 days. Places are estimates and can be off by a city',
  loading: 'Loading recent sign-ins',
  failed: 'Recent sign-ins could not be loaded',
  none: 'There are no sign-ins yet.',
  showAll: 'Show all {count, number}',
  newDevice: 'New device',
  mailed: 'We sent an email',
  waiting: 'New devices had to wait',
  notYou: 'If this was not you, change your password',

  support: 'Support viewed your account',
  password: 'Password',
  code: 'Code',
  recovery_code: 'Recovery code',
  passkey: 'Passkey',
  wrong_password: '{count, plural, one {# wrong password} other {# wrong passwords}}',
  wrong_code: '{count, plural, one {# wrong code} other {# wrong codes}}',
  wrong_recovery_code: '{count, plural, one {# wrong recovery code} other {# wrong recovery codes}}',
  wrong_passkey: '{count, plural, one {# failed passkey} other {# failed passkeys}}',
});

/** Two-step verification, passkeys, and proving again who one is. */
export const twoStepText = messages({
  title: 'Two-step verification',
  loading: 'Loading your two-step verification',
  failed: 'Your two-step verification could not be loaded',
  app: 'Authenticator app',
  on: 'On',
  off: 'Off',
  offNote: 'After your password, you enter a code from your phone.',
  since: 'Since {day}',
  setUp: 'Set up',
  turnOff: 'Turn off',
  recoveryCodes: 'Recovery codes',
  codesLeft: '{left, number} of {total, number} left. Each works once if you lose your phone',
  newCodes: 'New codes',

  setUpTitle: 'Set up two-step verification',
  scan: '1. Scan this with an authenticator app, or type the key.',
  qrCode: 'QR code for your authenticator app',
  copyKey: 'Copy the key',
  keyCopied: 'Key copied',
  codeItShows: '2. The code it shows',
  continue: 'Continue',

  saveTitle: 'Save your recovery codes',
  saveText: 'Each works once if you lose your phone. You cannot see them again.',
  copy: 'Copy',
  copied: 'Copied',
  download: 'Download',
  fileName: 'recovery-codes.txt',
  saved: 'I saved these codes in a safe place',
  done: 'Done',

  offTitle: 'Turn off two-step verification',
  offText: 'You will sign in with your password alone. Your recovery codes stop working.',
  keepOn: 'Keep it on',
  newCodesTitle: 'Get new recovery codes',
  newCodesText: 'Your current codes stop working.',

  passkeys: 'Passkeys',
  passkeysNote: 'Sign in with your fingerprint, your face or a PIN, without a password',
  addPasskey: 'Add passkey',
  added: 'Added on {day}. {used}',
  usedOn: 'Used on {day}',
  neverUsed: 'Not used yet',
  rename: 'Rename {name}',
  remove: 'Remove {name}',
  renameTitle: 'Rename this passkey',
  name: 'Name',
  save: 'Save',
  removeTitle: 'Remove this passkey',
  removeText:
    '{name} can no longer sign in without your password. Delete it from your browser’s passwords as well.',
  removeIt: 'Remove',

  enterCode: 'Enter the code',
  sixDigits: 'Six digits from your authenticator app.',
  code: 'Code',
  remember: 'Remember this device for {days, number} days',
  usePasskey: 'Use a passkey',
  appCode: 'Code from your authenticator app',
  useRecovery: 'Use a recovery code',
  useApp: 'Use your authenticator app',
  recoveryText: 'One of the ten you saved. Each works once.',
  recoveryCode: 'Recovery code',
  recoveryShape: 'xxxxx-xxxxx',
  noCodes: 'No codes left?',
  support: 'Contact & Support',
  yourPasskey: 'Use your passkey',
  yourPasskeyText: 'Your browser needs your fingerprint, your face or the PIN of this device.',
  waiting: 'Waiting for your device',
  back: 'Back to Log In',

  confirmTitle: 'Confirm it is you',
  confirmText: 'We check this before important changes.',
  confirm: 'Confirm',
  password: 'Password',

  required: 'Your admin account needs two-step verification. Set it up to continue.',

  ofUser: 'Two-step verification',
  ofUserLoading: 'Loading the second factors',
  ofUserFailed: 'The second factors could not be loaded',
  ofUserOff: 'Off',
  ofUserOn: 'On since {day}',
  passkeyCount: '{count, plural, =0 {No passkeys} one {# passkey} other {# passkeys}}',
  removeFactors: 'Remove second factors',
  removeFactorsTitle: 'Remove second factors',
  removeFactorsText:
    'For a user who has lost both their phone and their recovery codes. Make sure you are talking to the user. This removes two-step verification and passkeys, and the password stops working. We email the user a link to set a new one.',
  reason: 'Reason',
  reasonHelp: 'The user will see it in an email.',
});

/** The kinds of devices, as names of new passkeys. */
export const twoStepDevices = messages({
  iphone: 'iPhone',
  ipad: 'iPad',
  android: 'Android device',
  mac: 'Mac',
  windows: 'Windows PC',
  chromebook: 'Chromebook',
  linux: 'Linux PC',
  other: 'My passkey',
});
