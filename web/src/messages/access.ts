import { messages } from '@shortlist/contracts/messages';

/** What acts for a user beside the sessions: API keys, connected apps and webhooks. */
export const accessText = messages({
  apiKeys: '{count, plural, one {# API key} other {# API keys}}: {names}',
  connections: '{count, plural, one {# connected app} other {# connected apps}}: {names}',
  webhooks: '{count, plural, one {# webhook} other {# webhooks}}: {names}',

  keepsActing: 'These still have access to your account:',
  endToo: 'End their access too',
  endTooNote:
    'Keys and apps stop working at once, and webhooks are turned off. You will have to set them up again.',
  keepsActingOfUser: 'These still have access to the user’s account:',

  ofUser: 'API keys and apps',
  none: 'This user has no API keys, apps or webhooks.',
  loading: 'Loading the API keys and apps',
  failed: 'The API keys and apps could not be loaded',
  key: 'API key {hint}, created {day}',
  tool: 'App, connected {day}',
  toolOn: 'App on {device}, connected {day}',
  webhook: 'Webhook, added {day}',
  end: 'End',
  endThis: 'End {name}',
  endKeyTitle: 'End this API key',
  endKeyText: '{name} stops working right away. This cannot be undone.',
  endToolTitle: 'Disconnect this app',
  endToolText: '{name} stops working right away, until the user connects it again.',
  reasonHelp: 'Kept in the audit log and in the user’s data download.',
});
