import { messages } from '@shortlist/contracts/messages';

/** The message soon after a log-in. */
export const welcomeText = messages({
  newUser: 'Welcome',
  knownUser: 'Welcome back',
  greeting: '{greeting}, {name}.',
  withCredits:
    '{greeting}, {name}. {credits, plural, =0 {No credits left.} one {# credit left.} other {# credits left.}}',
  admin: 'Welcome, {name}. Your role is {role}.',
});
