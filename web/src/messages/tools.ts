import { messages } from '@shortlist/contracts/messages';

/** The apps that an operator has registered, for admins. */
export const toolsText = messages({
  loading: 'Loading the apps',
  failed: 'The apps could not be loaded',
  none: 'No apps have been registered yet.',

  tool: 'App',
  may: 'Permissions',
  redirect: 'Returns to {address}',
  noRedirect: 'No return address: users enter a code',
  users: 'Users',
  userCount: '{users, number}',
  registered: 'Registered {day}',
  state: 'State',
  actions: 'Actions',
  verified: 'Verified',
  unverified: 'Not verified',
  enabled: 'Enabled',
  disabled: 'Disabled',
  disabledOn: 'Since {day}',
  copyId: 'Copy the client ID of {name}',
  idCopied: 'Client ID copied',

  disable: 'Disable',
  disableThis: 'Disable {name}',
  disableUsers:
    '{users, plural, =0 {No user is connected now.} one {# user is disconnected at once.} other {All {users, number} users are disconnected at once.}}',
  disableText: 'This cannot be undone. If you enable the app again, each user has to connect it again.',
  disableIt:
    '{users, plural, =0 {Disable app} one {Disconnect # user} other {Disconnect {users, number} users}}',
  isDisabled: '{name} is disabled',
  enable: 'Enable',
  enableThis: 'Enable {name}',
  isEnabled: '{name} is enabled. Users can connect it again.',
});

/** What an app may do, as an admin reads it. */
export const toolScopeText = messages({
  'credits:read': 'read credits and usage',
  'credits:charge': 'use credits',
  'profile:read': 'read name and email',
});
