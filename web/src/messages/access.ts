import { messages } from '@shortlist/contracts/messages';

/** What acts for a user beside the sessions: API keys, connected apps and webhooks. */
export const accessText = messages({
  apiKeys: '{count, plural, one {# API key} other {# API keys}}: {names}',
  connections: '{count, plural, one {# connected app} other {# connected apps}}: {names}',
  webhooks: '{count, plural, one {# webhook} other {# webhooks}}: {names}',

  keepsActing: 'This still acts for your account afterwards:',
  endToo: 'End this too',
  endTooNote:
    'Keys and apps stop at once, and webhooks are turned off. What needs them has to be set up again.',
  keepsActingOfUser: 'This still acts for the user afterwards:',

  ofUser: 'API keys and apps',
  none: 'Nothing acts for this user.',
  loading: 'Loading the API keys and apps',
  failed: 'The API keys and apps could not be loaded',
  key: 'API key {hint}, since {day}',
  tool: 'Connected app, since {day}',
  toolOn: 'Connected app on {device}, since {day}',
  webhook: 'Webhook, since {day}',
  end: 'End',
  endThis: 'End {name}',
  endKeyTitle: 'End this API key',
  endKeyText: '{name} stops working right away, for good.',
  endToolTitle: 'Disconnect this app',
  endToolText: '{name} stops working right away, until the user connects it again.',
  reasonHelp: 'It is in the audit log, and in the data that the user can download.',
});
