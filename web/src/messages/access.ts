import { messages } from '@shortlist/contracts/messages';

/** What acts for a user beside the sessions: API keys, connected tools and webhooks. */
export const accessText = messages({
  apiKeys: '{count, plural, one {# API key} other {# API keys}}: {names}',
  connections: '{count, plural, one {# connected tool} other {# connected tools}}: {names}',
  webhooks: '{count, plural, one {# webhook} other {# webhooks}}: {names}',

  keepsActing: 'This still acts for your account afterwards:',
  endToo: 'End this too',
  endTooNote:
    'Keys and tools stop at once, and webhooks are turned off. What needs them has to be set up again.',
  keepsActingOfUser: 'This still acts for the user afterwards:',

  ofUser: 'API keys and tools',
  none: 'Nothing acts for this user.',
  loading: 'Loading the API keys and tools',
  failed: 'The API keys and tools could not be loaded',
  key: 'API key {hint}, since {day}',
  tool: 'Connected tool, since {day}',
  toolOn: 'Connected tool on {device}, since {day}',
  webhook: 'Webhook, since {day}',
  end: 'End',
  endThis: 'End {name}',
  endKeyTitle: 'End this API key',
  endKeyText: '{name} stops working right away, for good.',
  endToolTitle: 'Disconnect this tool',
  endToolText: '{name} stops working right away, until the user connects it again.',
  reasonHelp: 'It is in the audit log, and in the data that the user can download.',
});
