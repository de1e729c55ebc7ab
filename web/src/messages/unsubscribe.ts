import { messages } from '@shortlist/contracts/messages';

/** The page of the link in emails that can be turned off. */
export const unsubscribeText = messages({
  title: 'Turn off emails about your credits',
  text: 'We will no longer tell you when your credits run low or are used up. Emails about your account, its security and its payments still reach you.',
  turnOff: 'Turn off these emails',
  done: 'These emails are turned off',
  doneText: 'You can turn them on again under Credits & Usage in your account.',
  ended: 'This link does not work',
  endedText:
    'It is incomplete or no longer valid. You can turn off these emails under Credits & Usage in your account.',
  toCredits: 'Go to Credits & Usage',
});
