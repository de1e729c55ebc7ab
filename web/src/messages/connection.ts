import { messages } from '@shortlist/contracts/messages';

/** Calls without a readable response. */
export const connectionText = messages({
  'client.unreachable':
    'We cannot reach the server. What you typed is still here. Check your connection and try again.',
  'client.timeout':
    'The server is taking too long to respond. What you typed is still here. Please try again in a moment.',
  'client.passkey': 'Your device did not confirm. Nothing was changed. Try again, or use another way.',
  'client.passkey_known': 'This device already has a passkey of your account.',
  'client.unreadable': 'Something went wrong on our side. Please try again in a moment.',
});
