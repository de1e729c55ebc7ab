import { messages } from '@shortlist/contracts/messages';

/** The page of the link in emails that can be turned off. */
export const unsubscribeText = messages({
  title_credits: 'Turn off emails about your credits',
  title_news: 'Turn off news and tips',
  text_credits:
    'We will no longer tell you when your credits run low or are used up. Emails about your account, its security and its payments still reach you.',
  text_news:
    'We will no longer send you news and tips. Emails about your account, its security and its payments still reach you.',
  turnOff: 'Turn off these emails',
  done: 'These emails are turned off',
  done_credits:
    'You get no more emails about your credits. You can turn them on again under Credits & Usage in your account.',
  done_news: 'You get no more news and tips. You can turn them on again in your profile.',
  ended: 'This link does not work',
  ended_credits:
    'It is incomplete or no longer valid. You can turn off these emails under Credits & Usage in your account.',
  ended_news: 'It is incomplete or no longer valid. You can turn off these emails in your profile.',
  ended_any:
    'It is incomplete or no longer valid. You can turn off emails about credits under Credits & Usage in your account, and news and tips in your profile.',
  toCredits: 'Go to Credits & Usage',
  toProfile: 'Go to your profile',
});
