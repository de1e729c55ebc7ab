import { messages } from '@shortlist/contracts/messages';

/** The link that undoes or stops a change of the e-mail address. The first paint has the other texts of the address, not these. */
export const undoEmailText = messages({
  undoTitle: 'Undo the change of your email',
  undoText: 'Your account gets {email} back. Choose a new password to do this.',
  undo: 'Undo the change',
  stopTitle: 'Stop the change of your email',
  stopText: 'Your account keeps {email}. Choose a new password to do this.',
  stop: 'Stop the change',
  happens: 'At the same time:',
  signsOut: 'All devices are signed out, and the old password stops working.',
  removesFactors: 'Passkeys and two-step verification added since the request are removed.',
  endsAccess: 'API keys, connected apps and webhooks lose their access. Set them up again if you need them.',
  keepsAccount: 'The requested deletion of your account is canceled.',
  checkingUndo: 'Checking your link',
  undoFailed: 'Your link could not be checked',
  undoEnded:
    'The change was already undone, or is more than {days, number} days old. Contact support if you need help.',
  undone: 'The change is undone',
  undoneText: 'Your email is {email} again. All devices were signed out. Sign in with the new password.',
  stopped: 'The change is stopped',
  stoppedText: 'Your email stays {email}. All devices were signed out. Sign in with the new password.',
  removed: 'This also ended:',
  removedTwoStep: 'Two-step verification',
  removedCodes: 'The recovery codes. You can create new ones under Security.',
  removedPasskeys: '{count, plural, one {# passkey} other {# passkeys}}',
  removedKeys: '{count, plural, one {# API key} other {# API keys}}',
  stoppedWebhooks: '{count, plural, one {# webhook, which is now off} other {# webhooks, which are now off}}',
  removedTools: '{count, plural, one {# connected app} other {# connected apps}}',
  canceledDeletion: 'The deletion of your account',
});
