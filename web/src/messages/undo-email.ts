import { messages } from '@shortlist/contracts/messages';

/** The link that undoes or stops a change of the e-mail address. The first paint has the other texts of the address, not these. */
export const undoEmailText = messages({
  undoTitle: 'Undo the change of your email',
  undoText: 'Your account gets {email} back. All devices are signed out, and you then set a new password.',
  undo: 'Undo the change',
  stopTitle: 'Stop the change of your email',
  stopText: 'Your account keeps {email}. All devices are signed out, and you then set a new password.',
  stop: 'Stop the change',
  undoRemoves:
    'Passkeys, two-step verification, and API keys that were added since the request are removed as well.',
  checkingUndo: 'Checking your link',
  undoFailed: 'Your link could not be checked',
  undoEnded:
    'The change was undone already, or it is more than {days, number} days old. Contact support if you need help.',
  undone: 'The change is undone',
  undoneText:
    'Your email is {email} again, and all devices were signed out. Set a new password now: the person who changed your email may know the current one.',
  stopped: 'The change is stopped',
  stoppedText:
    'Your email stays {email}, and all devices were signed out. Set a new password now: the person who requested the change may know the current one.',
  removed: 'Also removed, because it was added since the request:',
  removedTwoStep: 'Two-step verification',
  removedCodes: 'The recovery codes. You can create new ones under Security.',
  removedPasskeys: '{count, plural, one {# passkey} other {# passkeys}}',
  removedKeys: '{count, plural, one {# API key} other {# API keys}}',
  stoppedWebhooks: '{count, plural, one {# webhook, which is now off} other {# webhooks, which are now off}}',
  removedTools: '{count, plural, one {# connected tool} other {# connected tools}}',
  setPassword: 'Set a new password',
});
