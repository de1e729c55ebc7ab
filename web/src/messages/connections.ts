import { messages } from '@shortlist/contracts/messages';

/** The keys by which a user's own tools act for them. */
export const connectionsText = messages({
  title: 'Connections',
  description: 'Tools that work for you, and what each may do',
  loading: 'Loading your API keys',
  failed: 'Your API keys could not be loaded',

  keys: 'API keys',
  reference: 'API reference',
  create: 'Create key',
  none: 'No keys yet',
  noneText: 'A key lets your own script see your credits and use them.',
  sentences: '{first}. {rest}',
  expires: 'Expires {day}',
  expired: 'Expired',
  expiredOn: 'Expired {day}',
  neverUsed: 'Never used',
  usedToday: 'Used today from {network}',
  usedOn: 'Used {day} from {network}',
  usedTodayOnly: 'Used today',
  usedOnOnly: 'Used {day}',
  made: 'Made {day}',

  delete: 'Delete {name}',
  deleteTitle: 'Delete this API key',
  deleteText: 'Scripts that use it stop working at once. This cannot be undone.',
  deleteExpired: 'It has expired, so no script works with it. This cannot be undone.',
  deleteKey: 'Delete key',

  createTitle: 'Create an API key',
  name: 'Name',
  nameHint: 'What it is for',
  nameMissing: 'Please enter a name',
  expiry: 'Expires',
  in30: 'In 30 days',
  in90: 'In 90 days',
  in365: 'In a year',
  never: 'Never',
  neverHelp: 'Whoever finds this key can use it until you delete it.',
  may: 'May',
  scopeMissing: 'Choose what the key may do',
  confirmEmail: 'Confirm your email',

  copyTitle: 'Copy your key now',
  copyText: 'We keep no copy and cannot show it again.',
  key: 'Your key',
});

/** What a key may do: as a choice with a note, and in the sentence of a line. */
export const scopeText = messages({
  'credits:read': 'Read credits and usage',
  'credits:charge': 'Use credits',
  'profile:read': 'Read your profile',
  'credits:read note': 'Your plan, what is left, and what was used',
  'credits:charge note': 'For the emails it finds and the messages it composes',
  'profile:read note': 'Your name and email',
  'credits:read does': 'reads credits and usage',
  'credits:charge does': 'uses credits',
  'profile:read does': 'reads your profile',
});
