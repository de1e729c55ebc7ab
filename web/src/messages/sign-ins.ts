import { messages } from '@shortlist/contracts/messages';

/** The history of an account's log-ins. */
export const signInsText = messages({
  title: 'Recent sign-ins',
  note: 'The last 90 days',
  noteWithPlaces: 'The last 90 days. Places come from the network and can be wrong by a city',
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
  sentences: '{first}. {rest}',
});
